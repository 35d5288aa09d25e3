# Steps about the sources themselves.

step_lint() {
  swift format --version >/dev/null 2>&1 || not_run "this toolchain has no formatter"
  swift format lint --strict --parallel --recursive Package.swift Sources Tests
}

step_build() {
  local patch
  # Applied only by the long proofs; that they still fit is known at once.
  for patch in "$top"/Tests/Red/*.patch; do
    red_apply "$top" --check "$patch" || { say "$patch does not fit the sources any more" && return 1; }
  done
  build_tests check
}

# Tests that start players mostly wait: they have a process of their own beside the rest.
step_unit() {
  build_tests check
  beside='^ProgramTests\.' run_tests check
}

step_long() { LAYBY_LONG=1 step_unit; }

# Every screen of the panel, drawn anew into Tests/Pictures; look at what is different before it is believed.
step_pictures() {
  build_tests check
  LAYBY_DRAW=1 run_tests check --filter '^PanelTests\.(Other)?SheetTests'
}

step_release() { build_releases; }
