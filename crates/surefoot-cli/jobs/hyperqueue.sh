#!/bin/sh
# A plan with HyperQueue, one task for each share, and the merge when all of them are done:
#   sh hyperqueue.sh PLAN OUT SHARES
# PLAN, its maps and OUT are on a file system that all workers see.
set -eu
plan=$1 out=$2 shares=$3
if [ -z "${HQ_TASK_ID:-}" ]; then
    hq submit --wait --cpus=all --array="1-$shares" sh "$0" "$plan" "$out" "$shares"
    exec surefoot lab run "$plan" --out "$out" --merge
else
    exec surefoot lab run "$plan" --out "$out" --units "$HQ_TASK_ID/$shares"
fi
