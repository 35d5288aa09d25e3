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

step_board() { board_tests '^BoardTests\.' --skip "$instruments"; }

step_board_long() {
  local suites='PowerCut|CrashImage|Rewind|SticksOfEveryKind|PulledSticks|CutImport|CutTransfer|ImportWhilePlaying|Detents'
  LAYBY_LONG=1 board_tests "$instruments|^BoardTests\\.($suites|KernelTells|Fetching)Tests"
}

# An image of its own, with what decodes foreign files.
step_board_formats() {
  "$top/image/build" virtual --tools --all-formats --yes
  board_image=virtual-all LAYBY_LONG=1 board_tests '^BoardTests\.ForeignFormatsTests'
}

step_image_twice() { "$top/image/build" virtual --check-reproducible --yes; }

board_tests() { # FILTER ARGUMENT...
  local disk=${LAYBY_BUILD:-$top/.build}/image/${board_image:-virtual}/disk.img
  [ -e "$disk" ] || { say "there is no image; Tests/run --step image makes it" && return 1; }
  install_packages virtual
  LAYBY_BOARD=1 swift_test check -Xswiftc -warnings-as-errors --filter "$@"
}
