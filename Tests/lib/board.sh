# Steps on the virtual board: a real kernel with real GPIO, sound, framebuffer and watchdog in an emulator without KVM.
# Only order, counts, bits and state are judged there, never speed.

step_image() {
  "$top/image/build" virtual --tools --yes
  # Rows with a limit: "116.92 MB  root, unpacked (less than 250 MB)".
  awk '/less than/ { rows++; limit = $0; sub(/.*less than /, "", limit)
      if ($1 + 0 <= 0 || $1 + 0 >= limit + 0) { print "too large: " $0; bad = 1 } }
    END { exit bad || rows < 2 }' "${LAYBY_BUILD:-$top/.build}/image/virtual/sizes.txt"
}

# The instruments of the board, proven by other people's tools: they change only when the board does.
instruments='^BoardTests\.[A-Za-z]*InstrumentTests'

# Each of the board's instruments once: buttons and knob, keyboard or touch, sound, screen, battery and power-off, a
# stick, the radio, the watchdog, a pulled DAC, a power cut, a cold start, the unit and its rights.
board_core=(
  GestureInputTests/playButton GestureInputTests/turns TouchTests/touches SoundTests/exact PanelOnScreenTests/pixels
  IgnitionTests/battery SticksTests/sample StickQuestionsTests/setup HangTests/byTheBoard UnpluggedDACTests/pulled
  PowerCutTests/cut ColdBootTests/coldBoot UnitTests/security
)

# What instruments have, and what comes round in ten turns besides: every other test of the board that is not long.
step_board() {
  local rest picked
  mapfile -t rest < <(board_rest)
  mapfile -t picked < <(in_turn "${rest[@]}")
  say "Always ${#board_core[@]} of the board's tests, this turn also: ${picked[*]}"
  board_tests "^BoardTests\\.($(printf '%s\\(|' "${board_core[@]}" "${picked[@]}")NumberedFramesTests)"
}

# Names of the board's tests, SUITE/FUNCTION, without the core and what only the long steps run.
board_rest() {
  awk '
    /^@Suite/ { long = 0; suite = "" }
    /^@Suite/, /^(struct|final class) / { if (/isLong/) long = 1 }
    /^(struct|final class) [A-Za-z]*Tests/ { suite = $0; sub(/^(struct|final class) /, "", suite); sub(/[^A-Za-z].*/, "", suite) }
    /^  @Test/ { test = 1; tail = "" }
    test { tail = tail $0 }
    test && /^  func / {
      name = $0; sub(/^  func /, "", name); sub(/\(.*/, "", name)
      if (suite != "" && !long && tail !~ /isLong/ && suite !~ /InstrumentTests|^NumberedFrames/) print suite "/" name
      test = 0
    }' "$top"/Tests/BoardTests/*.swift | sort | grep -vxF -f <(printf '%s\n' "${board_core[@]}")
}

# All that is not long, but for the instruments' own proofs.
step_board_all() { board_tests '^BoardTests\.' --skip "$instruments"; }

step_board_long() {
  local suites='PowerCut|CrashImage|Rewind|SticksOfEveryKind|PulledSticks|CutImport|CutTransfer|ImportWhilePlaying|Detents'
  install_packages browser
  LAYBY_LONG=1 board_tests "$instruments|^BoardTests\\.($suites|KernelTells|Fetching|Network|Hotspot|LicencesOnBoard)Tests"
}

step_image_twice() { "$top/image/build" virtual --check-reproducible --yes; }

board_tests() { # FILTER ARGUMENT...
  local disk=${LAYBY_BUILD:-$top/.build}/image/virtual/disk.img
  [ -e "$disk" ] || { say "there is no image; Tests/run --step image makes it" && return 1; }
  install_packages virtual
  build_tests check
  LAYBY_BOARD=1 run_tests check --filter "$@"
}
