#!/usr/bin/env bash
# Self-play of athenan on Slurm: the first node learns, the others play.
#   sbatch docs/cluster/slurm.sh hex:size=11 runs/hex11
#SBATCH --job-name=athenan
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
#SBATCH --signal=B:INT@300
set -euo pipefail
game=$1 run=$2 port=6379
export RAY_worker_niceness=0 RAY_USAGE_STATS_ENABLED=0
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -1)
address=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address | awk '{print $1}'):$port

srun --nodes=1 --ntasks=1 -w "$head" --overlap \
  ray start --head --port=$port --num-cpus=0 --num-gpus=0 --block &
sleep 20
srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head" \
  ray start --address="$address" --num-cpus="$SLURM_CPUS_PER_TASK" --block &
sleep 20

# A job that was ended before its time goes on where it was: submit it again.
if [ -e "$run/config.toml" ]; then command=(resume "$run"); else command=(train "$game" --run "$run"); fi
srun --nodes=1 --ntasks=1 -w "$head" --overlap athenan "${command[@]}" --cluster "$address" &
training=$!
trap 'kill -INT $training' INT
wait $training || wait $training
