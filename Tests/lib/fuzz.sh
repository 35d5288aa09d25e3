# The fuzzers: each gives one parser of foreign bytes what libFuzzer makes up, under the address sanitizer.

# All seeds of each, and 3 s of new input for those whose turn it is.
step_fuzz() {
  build_fuzzers
  fuzz_each 3
}

# 5 minutes each. One entry alone: LAYBY_FUZZ_ENTRIES=json Tests/run --step fuzz-all
step_fuzz_all() {
  build_fuzzers
  LAYBY_FUZZ_ENTRIES=${LAYBY_FUZZ_ENTRIES:-$(fuzz_entries)}
  fuzz_each 300
}

# Sets fuzzers, the program with all of them. The coverage is asked for at the compiler alone: the linker's flag would
# bring a main.
build_fuzzers() {
  local libFuzzer
  libFuzzer=$(fuzzer_library)
  [ -n "$libFuzzer" ] || not_run "this toolchain has no libFuzzer"
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  export LAYBY_FUZZER=$libFuzzer LAYBY_TARGETS=fuzz
  choose_tree fuzz
  swift build --product fuzz --scratch-path "$top/.build/fuzz" "${tree_flags[@]}" --sanitize=address \
    -Xswiftc -Xfrontend -Xswiftc -sanitize=address,fuzzer
  fuzzers=$tree_products/fuzz
}

# Prints the path of the toolchain's libFuzzer without a main of its own.
fuzzer_library() {
  local folder
  folder=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath"[^"]*"\(.*\)".*/\1/p')
  find -L "$folder/clang" "$folder/../clang" -name "libclang_rt.fuzzer_no_main*$(uname -m).a" -print -quit 2>/dev/null
}

fuzz_entries() { find "$top/Tests/Fuzz/Seeds" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort; }

# The seeds of all, and so many seconds of new input for a third of them, by turn. Those that LAYBY_FUZZ_ENTRIES names
# get their seconds in any case. What breaks a parser is kept in .build/broken-inputs; a seed made of it goes to
# Tests/Fuzz/Seeds with the mend.
fuzz_each() { # SECONDS
  local entry entries
  fuzz_work=$(mktemp -d) fuzz_found=$top/.build/broken-inputs
  mkdir -p "$fuzz_found"
  entries=${LAYBY_FUZZ_ENTRIES:-$(fuzz_entries)}
  # shellcheck disable=SC2046,SC2086  # one word an entry
  fuzz_now=" ${LAYBY_FUZZ_ENTRIES:-$(printf '%s ' $(in_third_turn $entries))} "
  fuzz_now=${fuzz_now//$'\n'/ }
  export fuzz_work fuzz_found fuzz_now fuzzers top
  export -f fuzz_one say
  for entry in $entries; do
    case $fuzz_now in *" $entry "*) say "$entry $1" ;; *) say "$entry 0" ;; esac
  done | xargs -P "$(nproc)" -L1 bash -c 'fuzz_one "$@"' fuzz_one ||
    { say "what broke a parser lies in $fuzz_found; keep it in Tests/Fuzz/Seeds" && return 1; }
  rm -rf "$fuzz_work"
}

# As the player runs: 256 MB, and what takes a second of the processor is a mistake too (Fuzzer.swift counts it and has
# the threads' 512 KB of stack; libFuzzer's limit by the clock is only for what hangs). The sanitizer's own memory of
# what was freed is kept short, since it counts.
fuzz_one() { # ENTRY SECONDS; 0: the seeds alone
  local failed=0 longest=65536 effort=(-max_total_time="$2") seeds=("$top/Tests/Fuzz/Seeds/$1")
  [ "$2" != 0 ] || effort=(-runs=0)
  # What may be long: texts that are bounded by a megabyte or more.
  case $1 in json | tags | metadata | layby-index | playlist | control-request | licence-bundle) longest=1048576 ;; esac
  # Each decoder's seeds serve both.
  case $1 in growing-*) seeds+=("$top/Tests/Fuzz/Seeds/decoder-${1#growing-}") ;; esac
  mkdir "$fuzz_work/$1"
  # What was found before is tried first; the seed of the dice stands in the output. Into a file, not a pipe: after
  # a crash the symbolizer can live on and hold a pipe for ever.
  ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64 timeout --kill-after=10 $(($2 + 120)) \
    "$fuzzers" "$1" "${effort[@]}" -timeout=10 -rss_limit_mb=256 -malloc_limit_mb=256 \
    -max_len=$longest -artifact_prefix="$fuzz_found/$1-" \
    "$fuzz_work/$1" "${seeds[@]}" >"$fuzz_work/$1.log" 2>&1 || failed=1
  if [ $failed = 0 ]; then
    say "$1: $(grep -aE '^Done|INITED' "$fuzz_work/$1.log" | tail -n 1 || true)"
  else
    tail -n 60 "$fuzz_work/$1.log"
    say "FAILED $1: $(grep -aE 'INFO: Seed|SUMMARY|Test unit written' "$fuzz_work/$1.log" | paste -sd' ')"
    say "again: LAYBY_FUZZ_ENTRIES=$1 Tests/run --step fuzz"
  fi
  return $failed
}
