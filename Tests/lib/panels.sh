# Small panels on the virtual arm64 board, at a bus that the kernel makes of lines: each as its overlay for the Raspberry Pi
# describes it. No glass is there: the emulator traces each line, and a picture is made of what went over them.

# The panel's picture has to be the player's, its first commands those of image/panels, and what another place in the
# song changes less than a whole picture. The pictures are $work/panel-*.png, for people.
step_panels() {
  local panel
  arm64_board
  "$image/build" virtual-arm64 --tools
  for panel in ${LAYBY_PANELS:-ili9341 st7789 ssd1306 sh1106}; do panel_obeys "$panel"; done
  say "small panels were told what they need, and showed what the player drew"
}

panel_obeys() { # PANEL
  local file=$work/panel-$1 half commands rule
  say "A panel $1:"
  panel_tree "$1" "$file.dtb"
  guest_start "" "$file.dtb" -trace pl061_update -D "$file.wires"
  # As on the card: a name for it, whichever framebuffer it is.
  rule=$(base64 --wrap=0 "$top/board/raspberry-pi/root/etc/udev/rules.d/75-layby-board.rules")
  guest "set -e
    mkdir -p /run/udev/rules.d
    echo '$rule' | base64 -d >/run/udev/rules.d/75-panel.rules
    udevadm control --reload
    modprobe -a spi_gpio i2c_gpio"
  guest_until 'ls -l /dev/layby-panel' '-> fb' 120
  guest 'set -e
    sed "s,^device = /dev/fb0,device = /dev/layby-panel," /etc/layby/board.conf >/tmp/board.conf
    mount --bind /tmp/board.conf /etc/layby/board.conf
    systemctl restart layby'
  guest_until 'layby status --json' '"state":"playing"' 200
  guest 'layby repeat all; layby pause'
  panel_rests "$file.wires"
  panel_drawn "$file-first.png"
  half=$(stat --format %s "$file.wires")
  guest 'layby seek 20'
  guest_until 'layby status --json' '"position_s":20' 20
  panel_rests "$file.wires"
  panel_drawn "$file-second.png"
  guest_end
  # The kernel's driver for OLEDs knows theirs.
  commands=$(ls "$image/panels/$1"-* 2>/dev/null) || commands=$1
  python3 "$here/lib/panel-wires.py" "$file" "$commands" "$half"
  rm "$file.wires"
}

# The machine's tree with a bus of lines, and at it what the overlay has at the header's; the lines have other numbers.
panel_tree() { # PANEL FILE
  local overlay=$top/board/raspberry-pi/overlays/panel-$1.dtso tree lines
  tree=$(dtc -q -I dtb -O dts "$work/$name/board.dtb")
  lines=$(sed -n '/pl061@/,/};/s/.*phandle = <\(0x[0-9a-f]*\)>.*/\1/p' <<<"$tree")
  {
    say "$tree"
    say "/ { panel-bus { #address-cells = <1>; #size-cells = <0>;"
    if grep -q '&i2c1' "$overlay"; then
      # Lines that nobody drives are low on this machine, which is the answer "yes" to each byte. The clock is driven both
      # ways, and nobody holds it.
      say "compatible = \"i2c-gpio\"; scl-gpios = <$lines 0 0>; sda-gpios = <$lines 1 6>;"
      say "i2c-gpio,scl-open-drain; i2c-gpio,scl-output-only;"
      sed -n '/oled@3c {/,/^\t};/p' "$overlay"
    else
      say "compatible = \"spi-gpio\"; num-chipselects = <1>;"
      say "sck-gpios = <$lines 0 0>; mosi-gpios = <$lines 1 0>; cs-gpios = <$lines 2 1>;"
      sed -n '/panel@0 {/,/^\t};/p' "$overlay" | sed "s/<&gpio 24 /<$lines 4 /; s/<&gpio 25 /<$lines 5 /"
    fi
    say "}; };"
  } | dtc -q -I dts -O dtb -o "$2" -
}

# Until nothing has gone over the bus for some seconds: what the panel was told last is what stands on it.
panel_rests() { # WIRES
  local bytes before=-1 most=$((SECONDS + 600))
  while :; do
    bytes=$(stat --format %s "$1")
    [ "$bytes" != "$before" ] || return 0
    [ $SECONDS -lt $most ] || { say "the bus never rests" && return 1; }
    before=$bytes
    guest 'sleep 12'
  done
}

panel_drawn() { # FILE
  guest 'layby screen /tmp/screen.png >/dev/null && base64 /tmp/screen.png' | base64 --decode >"$1"
}
