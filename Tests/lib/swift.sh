# What the steps that compile have in common.

not_run() { say "$*" && exit 77; }

width_option=--experimental-maximum-parallelization-width

# `swift test` with the flags that every toolchain here needs: Debian's has Swift Testing and no XCTest.
swift_test() { # SCRATCHFOLDER ARGUMENT...
  local scratch=$top/.build/$1 code=0 output width=()
  shift
  # All at once is the default: a thousand tests in flight on two cores wait minutes between two of their lines.
  [[ $(swift test --help-hidden) != *"$width_option"* ]] || width=("$width_option" "$((3 * $(nproc)))")
  output=$(mktemp)
  # Into a file, not a pipe: a sanitizer's symbolizer can outlive what it served and hold a pipe for ever.
  swift test --disable-xctest --scratch-path "$scratch" "${width[@]}" "$@" >"$output" 2>&1 &
  tail --lines=+1 --follow --sleep-interval=0.2 --pid=$! "$output"
  wait $! || code=$?
  count_tests "$output" "$code"
  rm -f "$output"
  return "$code"
}

# The closing line in plain words: "N passed, N failed".
count_tests() { # OUTPUT CODE
  local all failed skipped
  all=$(sed -n 's/.*Test run with \([0-9]*\) tests\{0,1\} .*/\1/p' "$1" | tail -n 1)
  failed=$(LC_ALL=C grep -acE '^[^[:alnum:]]* Test ("|[A-Za-z_]).* failed after ' "$1" || true)
  skipped=$(LC_ALL=C grep -acE '^[^[:alnum:]]* Test ("|[A-Za-z_]).* skipped' "$1" || true)
  # The closing line of the run itself reads like a test's.
  ! LC_ALL=C grep -aqE 'Test run with .* failed after' "$1" || failed=$((failed - 1))
  # A build or a process that broke has no closing line, and then something failed all the same.
  [ "$2" = 0 ] || [ "$failed" -gt 0 ] || failed=1
  [ -n "$all" ] || all=$failed
  say "$((all - failed - skipped)) passed, $failed failed, $skipped skipped"
}

# Does a tiny program build and run with these flags? What a toolchain lacks is then told apart from a bug of ours.
toolchain_can() { # FLAG...
  local folder code=0
  folder=$(mktemp -d)
  say 'print("yes")' >"$folder/main.swift"
  swiftc "$@" "$folder/main.swift" -o "$folder/main" >/dev/null 2>&1 && [ "$("$folder/main" 2>/dev/null)" = yes ] || code=1
  rm -rf "$folder"
  return $code
}
