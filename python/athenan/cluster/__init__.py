"""Beyond one machine: self-play, evaluation, experiments and tournaments on Ray.

Ray schedules, transports and notices failures; it is the extra `cluster`, and only this layer
imports it. See docs/cluster.md.
"""

from __future__ import annotations

from athenan.cluster.connection import Cluster, connected
from athenan.cluster.series import play_as_tasks
from athenan.cluster.source import ClusterSource
from athenan.cluster.trainings import ClusterTrainers

__all__ = ["Cluster", "ClusterSource", "ClusterTrainers", "connected", "play_as_tasks"]
