#!/usr/bin/env bash
# results/journeys/run.sh — the first ten minutes of three users, timed: what they type, what they get.
#
#   results/journeys/run.sh build/release/rehearse > results/journeys/journeys.txt
#
# Paths of what is written are build/journeys; times are of the machine it runs on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rehearse=$(realpath "${1:?usage: run.sh BINARY}")
out=build/journeys
rm -rf "$out"
mkdir -p "$out"

# step LINES COMMAND…: the command, the first lines of what it prints, and how long it took.
step() {
  local lines=$1 all word typed=
  shift
  for word in "${@/#$rehearse/rehearse}"; do
    [[ $word != *[\ \(]* ]] || word="'$word'"
    typed+=" $word"
  done
  printf '\n$%s\n' "$typed"
  SECONDS=0
  "$@" > "$out/said.txt" 2> /dev/null || printf '(exit %s)\n' "$?"
  local took=$SECONDS
  head -n "$lines" "$out/said.txt"
  all=$(wc -l < "$out/said.txt")
  [ "$all" -le "$lines" ] || printf '… (%s lines in all)\n' "$all"
  printf -- '(%s s)\n' "$took"
}

echo '== The capacity planner: does it know my cluster, and how many nodes do I need?'
step 24 "$rehearse" calibrate configs/sites/phillips
step 16 "$rehearse" size configs/sites/phillips --node-type cpn-f13-42-02 --target 'p50_wait(partition=black) < 1h' --max 8

echo
echo '== The admin: what if I change this weight?'
step 40 "$rehearse" compare configs/sites/philly --from 2017-10-03 --to 2017-10-17 \
  --set-b PriorityWeightFairshare=0 --html "$out/page.html"

echo
echo '== The researcher: which of these policies?'
step 12 "$rehearse" sweep configs/studies/policies.yaml -o "$out/policies.sqlite"
step 12 "$rehearse" query "$out/policies.sqlite" --best wait_mean
