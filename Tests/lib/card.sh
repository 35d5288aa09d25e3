# Steps about the card of the Raspberry Pi: by the rules of its firmware, which no emulator runs, and in QEMU's raspi3b from
# U-Boot on. Only order, bytes and state are judged there, never speed.

# All that image/lib gives, for that board.
card_board() {
  local part why
  image=$top/image name=raspberry-pi board=$top/board/raspberry-pi unfinished= free=no packed= like= slots=yes
  for part in "$image"/lib/*.sh; do . "$part"; done
  . "$board/image"
  card_run=$(mktemp -d)
  trap 'card_off; rm -rf "$card_run"; [ -z "$unfinished" ] || rm -rf "$unfinished"' EXIT
  install_packages image arm64 card
  why=$(cross_cannot)
  [ -z "$why" ] || not_run "$why"
  mkdir -p "$cache"
  apt_open "$release" "$arch"
}

# A card with all but a kernel that starts and a root: overlays in every device tree, tables, firmware, counters; and what
# U-Boot's script does with it. The whole card is the step `card`.
step_card_parts() {
  card_board
  kernel_stage
  initrd_stage
  trees_stage
  firmware_stage
  root=$card_run/root && mkdir "$root"
  head -c 1024000 /dev/zero >"$root/root.squashfs"
  mkdir "$card_run/slot" "$card_run/made"
  (cd "$card_run/slot" && make_slot)
  slot=$card_run/slot
  # Not in a condition: the shell would then overlook what fails inside.
  (cd "$card_run/made" && make_card)
  card_rules "$card_run/made/disk.img"
  card_script "$card_run/made/disk.img"
  card_keyboard "$card_run/made/disk.img"
  say "the card obeys the rules of its firmware, and its script obeys layby-board.conf and the counters"
}

# The whole card: it starts by U-Boot, shows itself, plays to a USB sound card that is plugged in, and a USB keyboard
# pauses it. Then a start with a mistake in layby-board.conf.
step_card() {
  card_board
  "$image/build" raspberry-pi --yes
  local disk=$work/raspberry-pi/disk.img
  awk '/less than/ { rows++; limit = $0; sub(/.*less than /, "", limit)
      if ($1 + 0 <= 0 || $1 + 0 >= limit + 0) { print "too large: " $0; bad = 1 } }
    END { exit bad || rows < 2 }' "$work/raspberry-pi/sizes.txt"
  (cd "$work/raspberry-pi" && sha256sum --check --quiet ./*.sha256)
  xz --decompress --stdout "$work"/raspberry-pi/*.img.xz | cmp - "$disk"
  card_rules "$disk"
  card_script "$disk"
  card_keyboard "$disk"
  card_whole_start "$disk"
  card_mistaken_start
  card_owners_start
  card_erased_start
  say "the card starts, shows itself, plays and is paused; a mistake on it is told; its owner's files count, until erased"
}

# --- the rules of the firmware ---

card_is() { # WHAT FOUND EXPECTED
  [ "$2" = "$3" ] || { say "$1: $2, and not $3" && return 1; }
  say "  $1: $2"
}

byte_at() { od -An -tu"$3" -j "$2" -N "$3" --endian=little "$1" | tr -d ' '; } # FILE PLACE BYTES

# Where a partition begins, or how long it is, in bytes, by its name.
card_part() { # DISK NAME [size]
  sfdisk --dump "$1" 2>/dev/null | sed -n "s/.*${3:-start}= *\([0-9]*\),.*name=\"layby-$2\".*/\1/p" |
    awk '{ print $1 * 512; found = 1 } END { exit !found }'
}

card_rules() { # DISK
  local disk=$1 boot at file tree line word files=$card_run/files clusters number
  say "The card by the rules of its firmware:"
  # The ROM of a Pi 3 knows this table alone; the first entry is what it takes.
  card_is "table's mark" "$(byte_at "$disk" 510 2)" $((0xaa55))
  card_is "first entry's type" "$(byte_at "$disk" 450 1)" $((0x0c))
  card_is "second entry's type" "$(byte_at "$disk" 466 1)" $((0xee))
  card_is "second entry's place" "$(byte_at "$disk" 470 4)" 1
  card_is "other entries" "$(byte_at "$disk" 482 4)$(byte_at "$disk" 498 4)" 00
  boot=$(card_part "$disk" boot)
  card_is "first entry's place" $(($(byte_at "$disk" 454 4) * 512)) "$boot"
  sfdisk --quiet --verify "$disk"
  card_is "partitions" "$(sfdisk --dump "$disk" | sed -n 's/.*name="layby-\([^"]*\)".*/\1/p' | paste -sd' ')" \
    "boot slots kernel-a root-a kernel-b root-b data"
  # FAT32 is what has 65,525 clusters and more; the type in the table says FAT32.
  clusters=$((($(byte_at "$disk" $((boot + 32)) 4) - $(byte_at "$disk" $((boot + 14)) 2) - 2 * $(byte_at "$disk" $((boot + 36)) 4)) / $(byte_at "$disk" $((boot + 13)) 1)))
  [ $clusters -ge 65525 ] || { say "only $clusters clusters: that is no FAT32" && return 1; }
  mkdir -p "$files"
  mcopy -n -o -i "$disk@@$boot" ::/ -s "$files" 2>/dev/null || mcopy -n -o -s -i "$disk@@$boot" '::/*' "$files"
  for file in bootcode.bin start.elf fixup.dat start4.elf fixup4.dat config.txt u-boot.bin boot.scr layby-board.conf layby-wifi.conf; do
    [ -s "$files/$file" ] || { say "there is no $file" && return 1; }
  done
  # The ROM loads it into 128 KB of cache.
  [ "$(stat --format %s "$files/bootcode.bin")" -le 131072 ] || { say "bootcode.bin is too large for the ROM" && return 1; }
  for file in start.elf start4.elf; do card_is "$file" "$(head -c 4 "$files/$file" | tail -c 3)" ELF; done
  # A plain arm64 program, which begins with a jump over its own header.
  card_is "u-boot.bin begins with a jump" "$(byte_at "$files/u-boot.bin" 3 1)" $((0x14))
  for tree in $trees; do [ -s "$files/$tree.dtb" ] || { say "there is no $tree.dtb" && return 1; }; done
  # Lines of at most 98 letters, words that are documented, files that are there.
  while IFS= read -r line; do
    [ ${#line} -le 98 ] || [[ $line == '#'* ]] || { say "config.txt has a line of ${#line} letters" && return 1; }
    case $line in
      '' | '#'*) ;;
      arm_64bit=1 | upstream_kernel=1 | enable_uart=1) ;;
      kernel=*) [ -s "$files/${line#*=}" ] || { say "config.txt names ${line#*=}, which is not there" && return 1; } ;;
      *) say "config.txt has a word that is not known here: $line" && return 1 ;;
    esac
  done <"$files/config.txt"
  card_is "script" "$(mkimage -l "$files/boot.scr" | sed -n 's/^Image Type: *//p')" "AArch64 Linux Script (uncompressed)"
  card_is "counters" "$(card_counters "$disk")" "lb_a=good lb_b=empty lb_first=a lb_n=1 lb_why=none"
  at=$(card_part "$disk" kernel-a)
  mtype -i "$disk@@$at" ::words.txt | grep -q '^words=console=' || { say "words.txt has no words" && return 1; }
  mcopy -n -o -i "$disk@@$at" ::kernel.efi "$files"
  card_is "kernel's mark" "$(head -c 2 "$files/kernel.efi")" MZ
  # The trees of the boot partition are those of the slot, and close U-Boot to keyboards besides.
  for tree in $trees; do
    mcopy -n -o -i "$disk@@$at" "::broadcom/$tree.dtb" "$files/slot.dtb"
    shut_u_boot "$files/slot.dtb"
    cmp "$files/slot.dtb" "$files/$tree.dtb"
    card_is "$tree: U-Boot takes no keys" "$(fdtget -t i "$files/$tree.dtb" /config bootsecure)" 1
  done
  # What board.conf calls the header's pins, each once on each board.
  number=0
  for tree in $trees; do
    for word in GPIO_GCLK GPIO5 GPIO6 SPI_CE1_N SPI_CE0_N SPI_MISO SPI_MOSI SPI_SCLK GPIO12 GPIO13 GPIO16 GPIO17 GPIO18 GPIO19 \
      GPIO20 GPIO21 GPIO22 GPIO23 GPIO24 GPIO25 GPIO26 GPIO27; do
      grep -q "\"$word\"" "$top/Sources/Hardware/Header/HeaderPin.swift" || { say "HeaderPin.swift lacks $word" && return 1; }
      card_is_line "$files/$tree.dtb" "$word" || return 1
      number=$((number + 1))
    done
  done
  say "  names of lines: $number, each there once"
}

# By the chip of the header's pins.
card_is_line() { # TREE NAME
  local found
  found=$(fdtget -t s "$1" /soc/gpio@7e200000 gpio-line-names | tr ' ' '\n' | grep -cx "$2")
  [ "$found" = 1 ] || { say "${1##*/}: $found lines are called $2" && return 1; }
}

# The counters that hold: of the two that are whole, those with the higher number.
card_counters() { # DISK
  local at place best= number most=0
  at=$(card_part "$1" slots)
  for place in 0 524288; do
    dd if="$1" of="$card_run/sector" bs=512 count=1 skip=$(((at + place) / 512)) status=none
    tail -c 508 "$card_run/sector" >"$card_run/counters"
    [ "$(byte_at "$card_run/sector" 0 4)" = "$(crc32_of "$card_run/counters")" ] || continue
    number=$((16#$(tr '\0' '\n' <"$card_run/counters" | sed -n 's/^lb_n=//p')))
    [ $number -gt $most ] || continue
    most=$number best=$(tr '\0' '\n' <"$card_run/counters" | sed '/^$/d' | paste -sd' ')
  done
  printf '%s' "$best"
}

# --- in the emulator ---

# Starts the disk in $card_run/disk; its consoles are $card_run/serial.0 and .1.
card_on() { # SECONDS WORD...
  local seconds=$1 boot
  shift
  card_off
  rm -f "$card_run"/{serial.0,serial.1,qmp.in,qmp.out}
  mkfifo "$card_run"/qmp.{in,out}
  boot=$(card_part "$card_run/disk" boot)
  mcopy -n -o -i "$card_run/disk@@$boot" ::u-boot.bin ::bcm2837-rpi-3-b.dtb "$card_run"
  exec 5<>"$card_run/qmp.out" 6<>"$card_run/qmp.in"
  timeout --kill-after=5 "$seconds" qemu-system-aarch64 -M raspi3b -m 1G -display none -no-reboot \
    -kernel "$card_run/u-boot.bin" -dtb "$card_run/bcm2837-rpi-3-b.dtb" \
    -drive "if=sd,format=raw,file=$card_run/disk" -serial "file:$card_run/serial.0" -serial "file:$card_run/serial.1" \
    -chardev "pipe,id=monitor,path=$card_run/qmp" -mon chardev=monitor,mode=control "$@" </dev/null >"$card_run/qemu" 2>&1 &
  card_pid=$!
  card_ask '{"execute": "qmp_capabilities"}'
}

card_off() {
  [ -z "${card_pid:-}" ] || { kill "$card_pid" 2>/dev/null || true; wait "$card_pid" 2>/dev/null || true; }
  card_pid=
}

card_ask() { printf '%s\n' "$1" >&6; }

card_said() { cat "$card_run"/serial.? 2>/dev/null | tr -d '\r\000'; }

card_until() { # PATTERN SECONDS
  local most=$((SECONDS + $2))
  until card_said | grep -aqE "$1"; do
    kill -0 "$card_pid" 2>/dev/null && [ $SECONDS -lt $most ] ||
      { card_said | tail -n 30 && cat "$card_run/qemu" && say "waited in vain for: $1" && return 1; }
    sleep 1
  done
  say "  $1"
}

# A copy as it lies on a card, which has a size that is a power of two.
card_insert() { # DISK
  cp --sparse=always "$1" "$card_run/disk"
  truncate -s 2G "$card_run/disk"
}

card_write() { # PARTITION FILE TEXT, in which \r and \n are line ends
  printf '%b' "$3" >"$card_run/text"
  mcopy -n -o -i "$card_run/disk@@$(card_part "$card_run/disk" "$1")" "$card_run/text" "::$2"
}

card_counts() { # TEXT PLACE: "lb_a=3 ..." into one of the two sectors
  printf '%s\n' $1 | tr '\n' '\0' >"$card_run/counters"
  truncate -s 508 "$card_run/counters"
  { printf "$(little_endian "$(crc32_of "$card_run/counters")")" && cat "$card_run/counters"; } |
    dd of="$card_run/disk" bs=512 seek=$((($(card_part "$card_run/disk" slots) + $2) / 512)) conv=notrunc status=none
}

# U-Boot's script, with a slot that has no kernel: each kind of layby-board.conf, and each state of the counters.
card_script() { # DISK
  local at text expected
  card_insert "$1"
  at=$(card_part "$card_run/disk" kernel-a)
  mdel -i "$card_run/disk@@$at" ::kernel.efi
  say "U-Boot's script, with layby-board.conf:"
  while IFS='|' read -r text expected; do
    say " ${text:-nothing}"
    card_write boot layby-board.conf "$text"
    card_counts "lb_a=good lb_b=empty lb_first=a lb_n=5 lb_why=none" 0
    card_on 200
    card_until "slot a is left: load" 180
    if [ -n "$expected" ]; then
      for at in $expected; do card_said | grep -aq "Layby: $at is in the device tree" || { card_said | tail -n 30 && return 1; }; done
    else
      ! card_said | grep -aq "is in the device tree" || { card_said | tail -n 30 && return 1; }
    fi
    card_off
    card_is "counters" "$(card_counters "$card_run/disk")" "lb_a=good lb_b=empty lb_first=a lb_n=5 lb_why=none"
  done <<'KINDS'
|
dac=pcm5102a\r\npanel=ili9341\r\n|dac-pcm5102a panel-ili9341
# a comment\nbootcmd=reset\ndac=wm8960\nlb_first=b\npanel=ssd1306\n|dac-wm8960 panel-ssd1306
KINDS
  say "U-Boot's script, with counters:"
  card_write boot layby-board.conf ""
  # A slot that is tried has one try less; one that cannot be loaded is left for the other, which is then tried too.
  card_counts "lb_a=3 lb_b=2 lb_first=a lb_n=7 lb_why=none" 524288
  card_on 200
  card_until "slot b is left: load" 180
  card_off
  card_is "both were tried" "$(card_counters "$card_run/disk")" "lb_a=0 lb_b=1 lb_first=b lb_n=a lb_why=a:load"
  # No tries left: the other one, and why. The sector with the higher number is broken, so the one before counts.
  card_counts "lb_a=0 lb_b=good lb_first=a lb_n=20 lb_why=none" 0
  card_counts "lb_a=good lb_b=good lb_first=a lb_n=21 lb_why=none" 524288
  printf x | dd of="$card_run/disk" bs=1 seek=$(($(card_part "$card_run/disk" slots) + 524288 + 40)) conv=notrunc status=none
  card_on 200
  card_until "slot b is left: load" 180
  card_said | grep -aq "slot a is left: tries" && card_said | grep -aq "Layby: slot b (good)" || return 1
  card_off
  card_is "the other slot" "$(card_counters "$card_run/disk")" "lb_a=0 lb_b=good lb_first=b lb_n=21 lb_why=a:tries"
}

# Somebody plugs in a keyboard, and holds keys down from the first moment on: U-Boot neither waits for them nor stops for
# them, and its script comes to its end.
card_keyboard() { # DISK
  local turn=0 at
  say "A keyboard at U-Boot:"
  card_insert "$1"
  at=$(card_part "$card_run/disk" kernel-a)
  mdel -i "$card_run/disk@@$at" ::kernel.efi
  card_on 240 -device usb-kbd
  until card_said | grep -aq "nothing on this card can be started"; do
    turn=$((turn + 1))
    [ $turn -lt 500 ] || { card_said | tail -n 30 && return 1; }
    card_key spc
    card_ask '{"execute": "send-key", "arguments": {"keys": [{"type": "qcode", "data": "ctrl"}, {"type": "qcode", "data": "c"}]}}'
    sleep 0.4
  done
  sleep 3
  ! card_said | grep -aE "stop autoboot|U-Boot>|INTERRUPT" || { say "U-Boot listens to a keyboard" && return 1; }
  card_said | grep -aq "USB Device(s) found" || { say "U-Boot saw no keyboard" && return 1; }
  card_off
  say "  neither keys nor Ctrl-C stop it"
}

# Words for the kernel that only the emulator needs: its watchdog resets at once, its graphics processor is a stub. The
# journal comes to the console, since nobody can log in.
card_words() {
  local words
  words=$(mtype -i "$card_run/disk@@$(card_part "$card_run/disk" kernel-a)" ::words.txt)
  card_write kernel-a words.txt "$words modprobe.blacklist=bcm2835_wdt,vc4 systemd.journald.forward_to_console=1"
}

card_key() { # QEMU'S NAME
  card_ask "{\"execute\": \"send-key\", \"arguments\": {\"keys\": [{\"type\": \"qcode\", \"data\": \"$1\"}]}}"
}

# Not a picture of one colour: PPM, of which more than one kind of pixel is asked.
card_picture() { # FILE
  card_ask "{\"execute\": \"screendump\", \"arguments\": {\"filename\": \"$1\"}}"
  local most=$((SECONDS + 20))
  until [ "$(stat --format %s "$1" 2>/dev/null || say 0)" -ge 921600 ]; do [ $SECONDS -lt $most ] || return 1 && sleep 1; done
  [ "$(tail -c 921600 "$1" | od -An -v -tx1 -w3 | sort -u | wc -l)" -ge 50 ] || { say "the screen is empty" && return 1; }
}

card_whole_start() { # DISK
  local sound=$card_run/sound.wav heard
  say "The whole card in QEMU's raspi3b:"
  card_insert "$1"
  card_words
  card_on 900 -audiodev "wav,id=sound,path=$sound,out.frequency=48000,out.channels=2,out.format=s16"
  card_until "Layby: slot a \(good\)" 200
  card_until "Booting /kernel.efi" 300
  card_until "the data partition grows from 1 to" 400
  card_until "part=layby msg=ready" 600
  say "  ready, $(card_said | sed -n 's/^.*\[ *\([0-9.]*\)\].*msg=ready.*/\1/p' | head -n 1) s after its kernel began (emulated)"
  card_picture "$card_run/panel.ppm"
  mkdir -p "$top/.build/card"
  cp "$card_run/panel.ppm" "$top/.build/card"
  # U-Boot has taken the first plug's signal for itself; what is plugged in now is new.
  card_ask '{"execute": "device_add", "arguments": {"driver": "usb-hub", "id": "hub", "bus": "usb-bus.0", "port": "1"}}'
  sleep 5
  card_ask '{"execute": "device_add", "arguments": {"driver": "usb-audio", "id": "dac", "bus": "usb-bus.0", "port": "1.1", "audiodev": "sound"}}'
  card_until "the sound goes elsewhere now: output = alsa:hw:CARD=" 200
  card_ask '{"execute": "device_add", "arguments": {"driver": "usb-kbd", "id": "keys", "bus": "usb-bus.0", "port": "1.2"}}'
  card_until "a device is read.*[Kk]eyboard" 200
  heard=$(tail -c +45 "$sound" | tr -d '\000' | head -c 100000 | wc -c)
  [ "$heard" -ge 50000 ] || { say "only $heard bytes were heard" && return 1; }
  say "  heard: $heard bytes and more that are no silence"
  card_off
  card_is "data partition's blocks" "$(dd if="$card_run/disk" bs=1 skip=$(($(card_part "$card_run/disk" data) + 1048)) count=4 status=none | od -An -tu4 --endian=little | tr -d ' ')" 2
}

card_mistaken_start() {
  say "With a mistake in layby-board.conf:"
  card_write boot layby-board.conf 'dac=pcm5102a\r\nbutton_next=12\r\n'
  card_on 900
  card_until "dac-pcm5102a is in the device tree" 200
  card_until "in order" 600
  card_until "pin 12 is wanted by the button next, and belongs to the sound card pcm5102a" 600
  card_until "msg=R-174" 600
  card_off
  mtype -i "$card_run/disk@@$(card_part "$card_run/disk" boot)" ::layby-errors.txt
}

# The data partition as a file, with what its journal still holds taken over; and back.
card_data_out() {
  dd if="$card_run/disk" of="$card_run/data" bs=1M skip=$(($(card_part "$card_run/disk" data) / 1048576)) conv=sparse status=none
  e2fsck -p "$card_run/data" >/dev/null || [ $? -le 2 ]
}

card_data_in() {
  dd if="$card_run/data" of="$card_run/disk" bs=1M seek=$(($(card_part "$card_run/disk" data) / 1048576)) conv=notrunc status=none
}

# A file of it; nothing when it is not there.
card_data() { debugfs -R "cat $1" "$card_run/data" 2>/dev/null; } # PATH

card_owners_start() {
  say "With settings, a network and a name on the card:"
  card_write boot layby-board.conf 'name=My car\r\n'
  card_write boot layby.conf '[panel]\r\nlanguage = de\r\n'
  card_write boot layby-wifi.conf '# A network\r\nssid=Home\r\npassword=correct horse\r\n'
  card_on 900
  card_until "part=layby msg=ready" 600
  card_until "Finished.*layby-card-wifi" 200
  card_off
  card_data_out
  card_is "layby.conf on the data partition" "$(card_data /layby.conf | tr -d '\r' | paste -sd' ')" "[panel] language = de"
  card_is "the name in the network" "$(card_data /network/hostname)" my-car
  card_data /network/wifi.conf | grep -q "ssid=486f6d65"
}

# As if the panel had been asked for it.
card_erased_start() {
  local boot
  say "Erased:"
  boot="$card_run/disk@@$(card_part "$card_run/disk" boot)"
  say keep-music >"$card_run/erase"
  debugfs -w -R "write $card_run/erase erase" "$card_run/data" 2>/dev/null
  card_data_in
  card_on 900
  card_until "Everything that was set on this board is erased.$" 400
  card_until "part=layby msg=ready" 600
  card_off
  card_data_out
  card_is "layby.conf on the data partition" "$(card_data /layby.conf)" ""
  card_is "the network" "$(card_data /network/wifi.conf)" ""
  card_is "layby-wifi.conf on the card" "$(mtype -i "$boot" ::layby-wifi.conf | tr -d '\r')" "# A network"
  card_is "layby-board.conf on the card" "$(mtype -i "$boot" ::layby-board.conf | tr -d '\r')" "name=My car"
  ! mdir -b -i "$boot" ::layby.conf >/dev/null 2>&1 || { say "layby.conf is still there" && return 1; }
}
