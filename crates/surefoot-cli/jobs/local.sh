#!/bin/sh
# A plan on one machine, two shares at a time, and the merge when all of them are done:
#   sh local.sh PLAN OUT SHARES
# For plans that are not timed: shares that are at work at once disturb each other's times.
set -eu
plan=$1 out=$2 shares=$3
seq "$shares" | xargs -P 2 -I '{}' surefoot lab run "$plan" --out "$out" --units "{}/$shares"
exec surefoot lab run "$plan" --out "$out" --merge
