# Steps that throw made-up bytes at every parser of foreign bytes. `Tests/run --step fuzz` runs each for 20 s; one
# entry by hand:  LAYBY_FUZZ_ENTRIES=json Tests/run --step fuzz

step_fuzz() { fuzz_each 20; }

step_fuzz_long() { fuzz_each 300; }

# Prints the toolchain's libFuzzer without a main of its own.
fuzzer_library() {
  local folder
  folder=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath"[^"]*"\(.*\)".*/\1/p')
  find -L "$folder/clang" "$folder/../clang" -name "libclang_rt.fuzzer_no_main*$(uname -m).a" -print -quit 2>/dev/null
}

fuzz_each() { # SECONDS
  local library programs work entry entries
  library=$(fuzzer_library)
  [ -n "$library" ] || not_run "this toolchain has no libFuzzer"
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  programs=$top/.build/fuzz/release
  # The coverage that steers libFuzzer is asked for at the compiler alone: the linker's flag would bring a main.
  LAYBY_FUZZ=1 swift build -c release --scratch-path "$top/.build/fuzz" --product fuzz --sanitize=address \
    -Xswiftc -Xfrontend -Xswiftc -sanitize=address,fuzzer -Xlinker "$library" -Xlinker -lstdc++
  work=$(mktemp -d)
  entries=${LAYBY_FUZZ_ENTRIES:-$(find "$top/Tests/Fuzz/Seeds" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort)}
  export work programs top
  export -f fuzz_one say
  # Two at a time: each is one thread.
  printf '%s\n' $entries | xargs -P 2 -I{} bash -c 'fuzz_one {} '"$1" ||
    { say "what broke a parser lies in $work; keep it in Tests/Fuzz/Seeds" && return 1; }
  rm -rf "$work"
}

fuzz_one() { # ENTRY SECONDS
  local failed=0
  mkdir "$work/$1"
  # What was found before is tried first; the seed of the dice stands in the output. Into a file, not a pipe: after
  # a crash the symbolizer can live on and hold a pipe for ever.
  ASAN_OPTIONS=detect_leaks=0 timeout --kill-after=10 $(($2 + 120)) "$programs/fuzz" "$1" \
    -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$work/$1-" \
    "$work/$1" "$top/Tests/Fuzz/Seeds/$1" >"$work/$1.log" 2>&1 || failed=1
  say "$1: $2 s"
  [ $failed = 0 ] || tail -n 60 "$work/$1.log"
  grep -aE 'INFO: Seed|^Done|SUMMARY|Test unit written' "$work/$1.log" || true
  return $failed
}
