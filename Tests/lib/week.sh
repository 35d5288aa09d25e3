# Weeks of a simulated fleet, by the very types that the program runs. How long they took is told and not judged:
# another program beside them makes it longer.
#   LAYBY_WEEKS="100 4711" Tests/run --step weeks     a hundred of them, from seed 4711 on

# A tenth of what weeks-all lives.
step_weeks() { live_weeks "${LAYBY_WEEKS:-250 $(($(turn) * 250))}"; }

step_weeks_all() { live_weeks "${LAYBY_WEEKS:-2500 0}"; }

live_weeks() { # "COUNT SEED"
  local began code=0 took
  build_release week
  began=$(date +%s%N)
  # shellcheck disable=SC2086  # two numbers
  "$(program week)" $1 || code=$?
  took=$((($(date +%s%N) - began) / 1000000))
  say "$took ms; a thousand are to take less than a minute on a machine with nothing else to do"
  [ $code = 0 ] || { say "a law was broken; the seeds say where" && return 1; }
}
