#!/usr/bin/env bash
# A training of athenan on Slurm: the first node learns, the others play.
#   sbatch docs/cluster/slurm.sh hex:size=11 runs/hex11
#SBATCH --job-name=athenan
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@300
set -euo pipefail
game=$1 run=$2 port=6379
read -r head < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
address=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address | awk '{print $1}'):$port

# Other users reach the nodes too. Only who has the token of your home directory may use Ray (2.52 or later).
export RAY_AUTH_MODE=token RAY_worker_niceness=0 RAY_USAGE_STATS_ENABLED=0
[ -e ~/.ray/auth_token ] || ray get-auth-token --generate > /dev/null

# Wait until Ray's status has such a line, but not for ever.
await() {
  for _ in {1..100}; do
    if ray status --address "$address" 2> /dev/null | grep "$1" > /dev/null; then return; fi
    sleep 3
  done
  echo "Ray did not start in five minutes: no line with $1 in its status" >&2
  exit 1
}

srun --nodes=1 --ntasks=1 -w "$head" --overlap \
  ray start --head --port=$port --num-cpus=0 --num-gpus=0 --block &
await Active
srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head" \
  ray start --address="$address" --num-cpus="$SLURM_CPUS_PER_TASK" --block &
await '/[1-9][0-9.]* CPU'

# A job that was ended before its time goes on where it was: submit it again.
if [ -e "$run/config.toml" ]; then command=(resume "$run"); else command=(train "$game" --run "$run"); fi
srun --nodes=1 --ntasks=1 -w "$head" --overlap athenan "${command[@]}" --cluster "$address" &
training=$!
trap 'kill -TERM $training' TERM  # five minutes before the end: a checkpoint
wait $training || wait $training
