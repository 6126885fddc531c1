#!/bin/sh
# A plan on a Slurm cluster, one array task for each share, and the merge when all of them are done:
#   sh slurm.sh PLAN OUT SHARES
# PLAN, its maps and OUT are on a file system that all nodes see.
set -eu
plan=$1 out=$2 shares=$3
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    job=$(sbatch --parsable --exclusive --array="1-$shares" "$0" "$plan" "$out" "$shares")
    sbatch --dependency="afterok:${job%%;*}" --wrap "surefoot lab run '$plan' --out '$out' --merge"
else
    exec surefoot lab run "$plan" --out "$out" --units "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
fi
