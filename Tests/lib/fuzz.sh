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
  local library programs work entry failed=0
  library=$(fuzzer_library)
  [ -n "$library" ] || not_run "this toolchain has no libFuzzer"
  toolchain_can -sanitize=address || not_run "this toolchain has no address sanitizer"
  programs=$top/.build/fuzz/release
  # The coverage that steers libFuzzer is asked for at the compiler alone: the linker's flag would bring a main.
  LAYBY_FUZZ=1 swift build -c release --scratch-path "$top/.build/fuzz" --product fuzz --sanitize=address \
    -Xswiftc -Xfrontend -Xswiftc -sanitize=address,fuzzer -Xlinker "$library" -Xlinker -lstdc++
  work=$(mktemp -d)
  for entry in ${LAYBY_FUZZ_ENTRIES:-$(find "$top/Tests/Fuzz/Seeds" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort)}; do
    say "$entry: $1 s"
    mkdir "$work/$entry"
    # What was found before is tried first; the seed of the dice stands in the output. Into a file, not a pipe: after
    # a crash the symbolizer can live on and hold a pipe for ever.
    ASAN_OPTIONS=detect_leaks=0 timeout --kill-after=10 $(($1 + 120)) "$programs/fuzz" "$entry" \
      -max_total_time="$1" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$work/" \
      "$work/$entry" "$top/Tests/Fuzz/Seeds/$entry" >"$work/$entry.log" 2>&1 ||
      { failed=1 && tail -n 60 "$work/$entry.log"; }
    grep -aE 'INFO: Seed|^Done|SUMMARY|Test unit written' "$work/$entry.log" || true
  done
  [ $failed = 0 ] || { say "what broke a parser lies in $work; keep it in Tests/Fuzz/Seeds" && return 1; }
  rm -rf "$work"
}
