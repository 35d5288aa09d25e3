# A step that breaks the house on purpose: each patch in Tests/Red takes away something that keeps a promise, and the
# tests named in its head must go red, with the words named there, so that it is for that reason.

step_red() {
  local work patch failed=0
  work=$(mktemp -d "${TMPDIR:-/tmp}/layby-red.XXXXXX")
  trap "rm -rf '$work'" EXIT
  copy_sources "$work"
  # LAYBY_RED="NAME NAME" tries some of them.
  # shellcheck disable=SC2086  # one word a name
  for patch in $(cd "$top/Tests/Red" && printf '%s.patch\n' ${LAYBY_RED:-$(ls | sed 's/\.patch$//')}); do
    red_by "$top/Tests/Red/$patch" "$work" || failed=1
  done
  [ $failed = 0 ] || { say "a promise can be broken and no test says so" && return 1; }
}

# One line of context is enough: what stands around may change.
patch_apply() { # FOLDER ARGUMENT...
  (cd "$1" && GIT_CEILING_DIRECTORIES=$(dirname "$1") git apply -C1 "${@:2}")
}

# "Board: yes" in its head: the tests are those on the virtual board, with an image made of what was broken.
red_tests() { # PATCH FOLDER FILTER
  if grep -q '^Board: yes' "$1"; then
    # What the image is made of besides is the same, and need not be made again.
    if [ ! -e "$2/.build/image/cache" ] && [ -e "$work_of_images/cache" ]; then
      mkdir -p "$2/.build/image"
      cp -al "$work_of_images/cache" "$work_of_images/demo" "$2/.build/image"
    fi
    export LAYBY_BOARD=1 LAYBY_BUILD=$2/.build
    "$2/image/build" virtual --tools --yes || { say "the image cannot be made" && return 70; }
  fi
  swift test --package-path "$2" --scratch-path "$2/.build" --disable-xctest --filter "$3"
}

work_of_images=${LAYBY_BUILD:-$top/.build}/image

red_by() { # PATCH FOLDER
  local name filter words output code=0
  name=$(basename "$1" .patch)
  filter=$(sed -n 's/^Filter: //p' "$1")
  words=$(sed -n 's/^Says: //p' "$1")
  # Not at the top of the sources, where HouseTests find everything that does not belong there.
  output=$2/.build/$name.out
  mkdir -p "$2/.build"
  say "== $name: $(head -n 1 "$1")"
  patch_apply "$2" "$1" || { say "$name.patch does not fit the sources any more" && return 1; }
  # That it still compiles is known before; a broken build is red as well, and proves nothing.
  swift build --package-path "$2" --scratch-path "$2/.build" --build-tests --disable-xctest >"$output" 2>&1 \
    || { tail -n 20 "$output" && say "$name: does not compile" && return 1; }
  # In a shell of its own, so that the next patch does not inherit its settings.
  (red_tests "$1" "$2" "$filter") >"$output" 2>&1 </dev/null || code=$?
  # The next one needs whole sources.
  patch_apply "$2" --reverse "$1" || die 70 "$name cannot be taken back"
  grep -aE "$words" "$output" | cut -c1-300 | head -n 3 || true
  [ "$code" != 70 ] || { tail -n 20 "$output" && return 1; }
  [ "$code" != 0 ] || { say "$name: stayed green" && return 1; }
  grep -aqE "$words" "$output" || { tail -n 20 "$output" && say "$name: red for another reason" && return 1; }
  say "$name: red, as it must be"
}
