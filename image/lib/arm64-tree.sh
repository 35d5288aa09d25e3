# The device tree of a board in QEMU: the machine's own with the board's dash behind it. Sourced.

# As QEMU makes it for these words, less the random numbers in it.
board_tree() { # FILE
  local words
  mapfile -t words < <(machine_words)
  qemu-system-aarch64 "${words[@]}" -display none -machine dumpdtb=machine.dtb 2>/dev/null
  { dtc -q -I dtb -O dts machine.dtb | sed '/\(rng\|kaslr\)-seed/d' && cat "$board/dash.dtsi"; } >machine.dts
  dtc -q -I dts -O dtb -o "$1" machine.dts
  rm -f machine.dtb machine.dts
}

# What decides which processor, memory and interrupt controller there are: the words before the first device.
machine_words() { sed '/^#/d; /^-device$/,$d' "$board/machine"; }
