# A step that looks for tests that fail only now and then: each group of suites runs again and again, while as many
# loops as there are cores keep the machine busy. A failure is never retried: one is enough for the step to fail.
#   LAYBY_REPEATS=5 Tests/run --step repeat               each group 5 times
#   LAYBY_GROUPS="HTTP Program" Tests/run --step repeat   these groups only

# Those that own processes, sockets or clocks run 20 times, the others 3 times.
repeated_most=" Supervisor HTTP Hardware Offline PowerCut Program "

step_repeat() {
  build_tests check
  repeat_groups "$tree_products/LaybyPackageTests.xctest"
}

repeat_groups() { # TESTBUNDLE
  local group groups times failures began rows=() all=0
  repeat_loops=()
  trap repeat_end EXIT
  # Tests that end a second program's whole group, or a machine that kills this shell, must not leave them behind:
  # each also looks whether this shell is still there.
  while [ ${#repeat_loops[@]} -lt "$(nproc)" ]; do
    (
      trap - EXIT
      while kill -0 $$ 2>/dev/null; do for ((turn = 0; turn < 100000; turn++)); do :; done; done
    ) </dev/null >/dev/null 2>&1 &
    repeat_loops+=($!)
  done
  groups=${LAYBY_GROUPS:-$repeated_most $(repeat_others)}
  for group in $groups; do
    times=${LAYBY_REPEATS:-$([[ $repeated_most == *" $group "* ]] && echo 20 || echo 3)}
    began=$SECONDS failures=0
    repeat_group "$1" "$group" "$times"
    all=$((all + failures))
    rows+=("$(printf '%-14s %5d %9d %8d' "$group" "$times" "$failures" $((SECONDS - began)))")
  done
  say
  printf '%-14s %5s %9s %8s\n' suites runs failures seconds
  printf '%s\n' "${rows[@]}"
  [ $all = 0 ] || { say "$all runs failed" && return 1; }
}

repeat_end() {
  [ ${#repeat_loops[@]} = 0 ] || kill "${repeat_loops[@]}" 2>/dev/null || true
  rm -f "${repeat_output:-}"
}

# The groups that are not named above. Those on the virtual board have steps of their own.
repeat_others() {
  local folder group
  for folder in "$top"/Tests/*Tests; do
    group=$(basename "$folder" Tests)
    [[ $repeated_most == *" $group "* ]] || [ "$group" = Board ] || say "$group"
  done
}

# Adds to 'failures' of the caller, and says of each failure at once what it was.
repeat_group() { # TESTBUNDLE GROUP TIMES
  local turn code
  repeat_output=$(mktemp)
  for ((turn = 1; turn <= $3; turn++)); do
    code=0
    "$1" --testing-library swift-testing --filter "^$2Tests\." "$width_option" "$((3 * $(nproc)))" \
      >"$repeat_output" 2>&1 </dev/null || code=$?
    # A filter that fits nothing would pass for ever.
    [ $code != 0 ] || ! grep -q 'Test run with 0 tests' "$repeat_output" || code="0, but no test ran"
    [ "$code" != 0 ] || { say "$2, run $turn of $3: passed" && continue; }
    failures=$((failures + 1))
    say "$2, run $turn of $3: failed (code $code)"
    repeat_failure
  done
  rm -f "$repeat_output"
}

# Each failure's test, file, line and words; of a process that broke the end of what it said.
repeat_failure() {
  if LC_ALL=C grep -qaE '^[^[:alnum:]]* (Test|Suite) .*recorded an issue' "$repeat_output"; then
    # What is said of an issue stands below it, up to the next test's line.
    LC_ALL=C awk '/^[^[:alnum:]]* (Test|Suite|Test case) / { shown = /recorded an issue/ ? 12 : 0 }
      shown > 0 { shown--; print "  " substr($0, 1, 400) }' "$repeat_output"
  else
    { LC_ALL=C grep -avE '^[^[:alnum:]]* (Test|Suite) .*(started|passed after)' "$repeat_output" || true; } |
      tail -n 20 | sed 's/^/  | /'
  fi
}
