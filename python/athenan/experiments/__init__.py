"""Experiments: variants of a training, repeated, and what their matches prove.

A plan names games, variants and repetitions. Every training is a run of its own; afterwards all of
them play each other. An experiment that was killed goes on where it stood.
"""

from athenan.experiments.contest import Contest as Contest
from athenan.experiments.plan import ExperimentPlan as ExperimentPlan
from athenan.experiments.plan import Job as Job
from athenan.experiments.plan import plan_of as plan_of
from athenan.experiments.plan import read_plan as read_plan
from athenan.experiments.results import Entrant as Entrant
from athenan.experiments.results import SeriesResult as SeriesResult
from athenan.experiments.results import SoloResult as SoloResult
from athenan.experiments.standings import Comparison as Comparison
from athenan.experiments.standings import comparisons as comparisons
from athenan.experiments.trainings import train_all as train_all
