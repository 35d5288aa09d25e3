# A thousand weeks of a simulated fleet, by the very types that the program runs. Ten minutes of driving is a blink; what
# takes longer than a minute has become too slow to be run on every change.
#   LAYBY_WEEKS="100 4711" Tests/run --step week     a hundred of them, from seed 4711 on

step_week() {
  local began code=0 took
  build_release week
  began=$(date +%s%N)
  # shellcheck disable=SC2086  # two numbers
  "$(program week)" ${LAYBY_WEEKS:-1000} || code=$?
  took=$((($(date +%s%N) - began) / 1000000))
  say "$took ms"
  [ $code = 0 ] || { say "a law was broken; the seeds say where" && return 1; }
  [ -n "${LAYBY_WEEKS:-}" ] || [ $took -lt 60000 ] || { say "a thousand weeks take longer than a minute" && return 1; }
}
