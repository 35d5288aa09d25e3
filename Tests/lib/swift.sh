# What the steps that compile have in common.

not_run() { say "$*" && exit 77; }

# Nobody debugs what is built here, and lld links in a fraction of the time. One batch for each room: two would both read
# all its files, and other rooms keep the second core busy. `swift build` by hand has none of these.
test_flags=(-Xswiftc -warnings-as-errors -Xswiftc -gnone -Xswiftc -use-ld=lld -Xswiftc -driver-batch-count -Xswiftc 1)

# Sets tree_flags, by which a folder of .build is built, and tree_products, where in it the programs and tests are.
# `check` is optimised as what ships: its suites take less time, and CI makes its image of it and needs no second build.
# Tests/README.md says what differs from what ships.
choose_tree() { # SCRATCHFOLDER
  local runtime libraries
  tree_flags=("${test_flags[@]}") tree_products=$top/.build/$1/debug
  case $1 in
    check | address | fuzz) tree_flags+=(-c release -Xswiftc -enable-testing) tree_products=$top/.build/$1/release ;;
  esac
  [ "$1" = check ] || return 0
  tree_flags+=(-Xswiftc -DDEBUG)
  runtime=$(swiftc -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath"[^"]*"\(.*\)".*/\1/p')
  libraries=$runtime/linux
  # With the runtime linked into programs, the compiler looks for modules where there is none of Swift Testing.
  [ -n "$(runtime_flags)" ] && [ -e "$libraries/Testing.swiftmodule" ] || return 0
  tree_flags+=(--static-swift-stdlib -Xswiftc -I -Xswiftc "$libraries" -Xlinker "-L$libraries"
    -Xswiftc -plugin-path -Xswiftc "$runtime/host/plugins/testing")
}

build_tests() { # SCRATCHFOLDER ARGUMENT...
  choose_tree "$1"
  swift build --build-tests --disable-xctest --scratch-path "$top/.build/$1" "${tree_flags[@]}" "${@:2}"
}

# Suites keep every core busy for minutes, and what idle threads do is waited for.
export LAYBY_IDLE=takes-part

width_option=--experimental-maximum-parallelization-width

# The tests that build_tests made, called without `swift test`, which does not know all that they are built with.
# Those named by beside=PATTERN have a process of their own, at the same time. only=PATTERN runs these alone.
run_tests() { # SCRATCHFOLDER ARGUMENT...
  local code=0 beside_code=0 output width=() second= pid arguments=() bundle
  choose_tree "$1"
  bundle=$tree_products/LaybyPackageTests.xctest
  shift
  while [ $# -gt 0 ]; do
    case ${only:+only}$1 in only--filter) shift ;; *) arguments+=("$1") ;; esac
    shift
  done
  set -- "${arguments[@]}"
  # All at once is the default: a thousand tests in flight on two cores wait minutes between two of their lines.
  [[ $(swift test --help-hidden) != *"$width_option"* ]] || width=("$width_option" "$((3 * $(nproc)))")
  output=$(mktemp)
  # Into files, not pipes: a sanitizer's symbolizer can outlive what it served and hold a pipe for ever.
  if [ -n "${only:-}" ]; then
    set -- "$@" --filter "$only"
  elif [ -n "${beside:-}" ]; then
    "$bundle" --testing-library swift-testing --filter "$beside" "${width[@]}" >"$output.beside" 2>&1 </dev/null &
    second=$!
    set -- "$@" --skip "$beside"
  fi
  "$bundle" --testing-library swift-testing "${width[@]}" "$@" >"$output" 2>&1 </dev/null &
  pid=$!
  tail --lines=+1 --follow --sleep-interval=0.2 --pid=$pid "$output"
  wait $pid || code=$?
  tell_signal $code "$output"
  if [ -n "$second" ]; then
    say "Those of $beside:"
    tail --lines=+1 --follow --sleep-interval=0.2 --pid=$second "$output.beside"
    wait $second || beside_code=$?
    tell_signal $beside_code "$output.beside"
    [ $code != 0 ] || code=$beside_code
    cat "$output.beside" >>"$output"
  fi
  count_tests "$output" "$code"
  rm -f "$output" "$output.beside"
  return "$code"
}

# Of tests that were ended by a signal: which, and the tests that ran then.
tell_signal() { # CODE OUTPUT
  local test='^[^[:alnum:]]* Test (".*"|[A-Za-z_].*[)])'
  [ "$1" -gt 128 ] || return 0
  say "error: the tests were ended by signal $(($1 - 128)) while these ran:"
  LC_ALL=C sed -nE "s/$test started[.]\$/+\1/p; s/$test (with [0-9]+ test cases? )?(passed|failed) after .*/-\1/p" "$2" |
    awk '/^[+]/ { runs[substr($0, 2)] = 1 }
      /^-/ { delete runs[substr($0, 2)] }
      END { for (test in runs) print "error: " test }' | head -n 12
}

# The closing line in plain words: "N passed, N failed".
count_tests() { # OUTPUT CODE
  local all failed skipped
  all=$(sed -n 's/.*Test run with \([0-9]*\) tests\{0,1\} .*/\1/p' "$1" | awk '{ all += $1 } END { print all }')
  failed=$(LC_ALL=C grep -acE '^[^[:alnum:]]* Test ("|[A-Za-z_]).* failed after ' "$1" || true)
  skipped=$(LC_ALL=C grep -acE '^[^[:alnum:]]* Test ("|[A-Za-z_]).* skipped' "$1" || true)
  # The closing line of a run itself reads like a test's.
  failed=$((failed - $(LC_ALL=C grep -acE 'Test run with .* failed after' "$1" || true)))
  # A build or a process that broke has no closing line, and then something failed all the same.
  [ "$2" = 0 ] || [ "$failed" -gt 0 ] || failed=1
  [ -n "$all" ] || all=$failed
  # A pattern that fits nothing is a mistake.
  [ "$all" -gt 0 ] || { say "no test fits" && all=$failed; }
  say "$((all - failed - skipped)) passed, $failed failed, $skipped skipped"
}

# The sources as they stand here, what is not committed yet included.
copy_sources() { # FOLDER
  mkdir -p "$1"
  git -C "$top" ls-files -z --cached --others --exclude-standard |
    (cd "$top" && while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done) |
    tar -C "$top" --null --files-from=- --create | tar -C "$1" --extract
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
