# Steps about the sources themselves.

step_lint() {
  swift format --version >/dev/null 2>&1 || not_run "this toolchain has no formatter"
  swift format lint --strict --parallel --recursive Package.swift Sources Tests
}

step_build() {
  local patch
  # Applied only by the long proofs; that they still fit is known at once.
  for patch in "$top"/Tests/Red/*.patch "$top"/Tests/Examples/*.patch; do
    patch_apply "$top" --check "$patch" || { say "$patch does not fit the sources any more" && return 1; }
  done
  build_tests check
}

# Two processes, one for each core: much of a suite holds its process's one main loop.
step_unit() {
  build_tests check
  beside='^(Program|Panel)Tests\.' run_tests check
}

step_long() { LAYBY_LONG=1 step_unit; }

# Every screen of the panel as a picture in .build/pictures: CASE/SCREEN.png, and all of a case on CASE.png.
#   --before COMMIT   also draws those of COMMIT, and differences/CASE/SCREEN.png where one differs: before, now, what
#   --renew           the screens are good as they are now: keeps their sums, and draws those anew that pages show
step_pictures() {
  local folder=$top/.build/pictures
  rm -rf "$folder"
  if [ -n "${before:-}" ]; then
    draw_commit "$before" "$folder/before"
    export LAYBY_BEFORE=$folder/before
  fi
  build_tests check
  LAYBY_DRAW=$folder only='' run_tests check --filter '^PanelTests\.SheetDrawingTests'
  [ -z "${renew:-}" ] || renew_pictures "$folder"
  say "All screens are drawn in $folder"
  if [ -n "${before:-}" ]; then
    say "What differs from $before (pictures: $folder/differences):"
    cat "$folder/differences.txt"
  fi
}

# In a clone that stays, so that the next commit's takes no longer than what has changed.
draw_commit() { # COMMIT FOLDER
  local hash clone=$top/.build/before
  hash=$(git -C "$top" rev-parse --verify --quiet "$1^{commit}") || die 64 "There is no commit $1 here."
  git -C "$top" cat-file -e "$hash:Tests/PanelTests/Screens/SheetDrawingTests.swift" 2>/dev/null ||
    die 64 "The tests of $1 cannot draw into a folder; its Tests/Pictures has its screens."
  [ -d "$clone/.git" ] || git clone --quiet --shared --no-checkout "$top" "$clone"
  git -C "$clone" checkout --quiet --force --detach "$hash"
  say "Building $(git -C "$clone" log -1 --format='%h %s') ..."
  (
    export LAYBY_TARGETS=PanelTests LAYBY_DRAW=$2
    top=$clone only=''
    cd "$top"
    build_tests check
    run_tests check --filter '^PanelTests\.SheetDrawingTests'
  )
}

# A picture whose screen has the sum that it had stays as it is: the same pixels can be packed in many ways.
renew_pictures() { # FOLDER
  local kept=$top/Tests/Pictures name line
  while IFS= read -r name; do
    line=$(grep "^$name " "$1/sums.txt") || { say "$kept/$name.png shows a screen that is gone" && return 1; }
    grep -qxF "$line" "$kept/sums.txt" || cp "$1/$name.png" "$kept/$name.png"
  done < <(cd "$kept" && find . -name '*.png' | sed 's/^..//; s/[.]png$//')
  cp "$1/sums.txt" "$kept/sums.txt"
}
