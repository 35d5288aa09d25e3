# A thousand weeks of a simulated fleet, by the very types that the program runs. How long they
# took is told and not judged: another program beside them makes it longer.
#   LAYBY_WEEKS="100 4711" Tests/run --step week     a hundred of them, from seed 4711 on

step_week() {
  local began code=0 took
  build_release week
  began=$(date +%s%N)
  # shellcheck disable=SC2086  # two numbers
  "$(program week)" ${LAYBY_WEEKS:-1000} || code=$?
  took=$((($(date +%s%N) - began) / 1000000))
  say "$took ms; a thousand are to take less than a minute on a machine with nothing else to do"
  [ $code = 0 ] || { say "a law was broken; the seeds say where" && return 1; }
}
