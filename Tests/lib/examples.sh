# A step that follows Sources/README.md, "How to add": each patch in Tests/Examples adds one thing as that page says, with
# a test that asks for it as a person would. It must still build, and the tests named in its head must pass. A head has a
# line "Filter:" for each process of tests.

step_examples() {
  local work patch failed=0
  work=$(mktemp -d "${TMPDIR:-/tmp}/layby-examples.XXXXXX")
  trap "rm -rf '$work'" EXIT
  copy_sources "$work"
  # LAYBY_EXAMPLES="NAME NAME" tries some of them.
  # shellcheck disable=SC2086  # one word a name
  for patch in $(cd "$top/Tests/Examples" && printf '%s.patch\n' ${LAYBY_EXAMPLES:-$(ls | sed 's/\.patch$//')}); do
    example_of "$top/Tests/Examples/$patch" "$work" || failed=1
  done
  [ $failed = 0 ] || { say "Sources/README.md, \"How to add\", does not lead there any more" && return 1; }
}

example_of() { # PATCH FOLDER
  local name output filter failed=0
  name=$(basename "$1" .patch)
  # Not at the top of the sources, where HouseTests find everything that does not belong there.
  output=$2/.build/$name.out
  mkdir -p "$2/.build"
  say "== $name: $(head -n 1 "$1")"
  patch_apply "$2" "$1" || { say "$name.patch does not fit the sources any more" && return 1; }
  swift build --package-path "$2" --scratch-path "$2/.build" --build-tests --disable-xctest >"$output" 2>&1 ||
    { tail -n 20 "$output" && say "$name: does not compile" && failed=1; }
  while [ $failed = 0 ] && IFS= read -r filter; do
    swift test --package-path "$2" --scratch-path "$2/.build" --skip-build --disable-xctest --filter "$filter" \
      >"$output" 2>&1 </dev/null && grep -aqE 'Test run with [1-9]' "$output" ||
      { grep -aE ' recorded an issue ' "$output" | cut -c1-300 | head -n 5 || true
        tail -n 20 "$output" && say "$name: $filter failed, or has no test" && failed=1; }
  done < <(sed -n 's/^Filter: //p' "$1")
  # The next one needs the sources as they are.
  patch_apply "$2" --reverse "$1" || die 70 "$name cannot be taken back"
  [ $failed = 0 ] && say "$name: works"
}
