"""What users are given to start a cluster: a manifest for Kubernetes, a script for Slurm."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "docs" / "cluster"
SRUN = """
while [[ $1 == -* ]]; do if [[ $1 == -w ]]; then shift; fi; shift; done
exec "$@"
"""
RAY = """
echo "ray $*" >> log
case $1 in
  get-auth-token) mkdir -p ~/.ray; echo secret > ~/.ray/auth_token ;;
  status) echo Active; if [[ -e playing ]]; then echo " 0.0/32.0 CPU"; fi ;;
  start) if [[ $2 == --address=* ]]; then touch playing; fi ;;
esac
"""
ATHENAN = """
echo "athenan $*" >> log
mkdir -p run; touch run/config.toml
trap 'echo saved >> log; exit 130' TERM
echo ready >> log
for _ in {1..600}; do /bin/sleep 0.1; done
"""


def job(folder: Path) -> subprocess.Popen[str]:
    """Submit the script where the commands that it calls only write down what they were told."""
    commands = folder / "bin"
    commands.mkdir(exist_ok=True)
    texts = {"srun": SRUN, "ray": RAY, "athenan": ATHENAN}
    texts |= {"scontrol": "echo first; echo second", "hostname": "echo 10.0.0.1", "sleep": "true"}
    for name, text in texts.items():
        (commands / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
        (commands / name).chmod(0o755)
    given = {"PATH": f"{commands}:{os.environ['PATH']}", "HOME": str(folder)}
    slurm = {"NODELIST": "x", "NUM_NODES": "2"}
    given |= {f"SLURM_JOB_{name}": value for name, value in slurm.items()}
    given["SLURM_CPUS_PER_TASK"] = "32"
    script = ["bash", str(SCRIPTS / "slurm.sh"), "hex:size=11", "run"]
    return subprocess.Popen(script, cwd=folder, env=os.environ | given, text=True)


def wait_for(log: Path, word: str, times: int) -> None:
    deadline = time.monotonic() + 30
    while not (log.exists() and log.read_text().count(word) == times):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_job_of_slurm_saves_before_its_time_is_over_and_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for times in (1, 2):
        script = job(tmp_path)
        wait_for(log, "ready", times)
        script.send_signal(signal.SIGTERM)
        assert script.wait(20) == 130
        assert log.read_text().count("saved") == times
    said = log.read_text().splitlines()
    assert said.count("ray get-auth-token --generate") == 1
    assert "ray start --head --port=6379 --num-cpus=0 --num-gpus=0 --block" in said
    assert "ray start --address=10.0.0.1:6379 --num-cpus=32 --block" in said
    assert [line for line in said if line.startswith("athenan")] == [
        "athenan train hex:size=11 --run run --cluster 10.0.0.1:6379",
        "athenan resume run --cluster 10.0.0.1:6379",
    ]


def test_the_manifest_of_kuberay_can_be_read() -> None:
    yaml = pytest.importorskip("yaml")
    cluster = yaml.safe_load((SCRIPTS / "kuberay.yaml").read_text())
    assert (cluster["apiVersion"], cluster["kind"]) == ("ray.io/v1", "RayCluster")
    head, (workers,) = cluster["spec"]["headGroupSpec"], cluster["spec"]["workerGroupSpecs"]
    assert all(isinstance(value, str) for value in head["rayStartParams"].values())
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    for group in (head, workers):
        (container,) = group["template"]["spec"]["containers"]
        assert {"image", "env", "resources"} <= set(container)
