# Steps about the boards' own processor: what is compiled for it here runs in an emulator.

# All that image/lib gives, for the arm64 board; ends the step when this machine cannot make the kit.
arm64_board() {
  local part why
  image=$top/image name=virtual-arm64 board=$top/board/virtual-arm64 unfinished=
  for part in "$image"/lib/*.sh; do . "$part"; done
  . "$board/image"
  trap '[ -z "$unfinished" ] || rm -rf "$unfinished"' EXIT
  install_packages image arm64
  why=$(cross_cannot)
  [ -z "$why" ] || not_run "$why"
  mkdir -p "$cache"
  say "What compiles for arm64 (a minute and a half the first time, then kept in $cross_store):"
  cross_kit
}

# The program, cross-built; then a small system with it, in which the device tree's knob and key are turned and pressed.
step_arm64() {
  local what
  arm64_board
  cross_build layby
  program=$(cross_program layby)
  say "It is $(stat --format %s "$program") bytes and says:"
  timeout 20 qemu-aarch64-static -L "$cross_sysroot" "$program" help | sed -n 1p
  apt_open "$release" "$arch"
  demo_stage
  kernel_stage
  small_stage
  small_boot touched ""
  ! grep -q '^dash: FAILED' "$work/small-touched" || { say "the board did not do what its knob and keys said" && return 1; }
  # The same with nobody's hand on it: what was seen above must not be there.
  small_boot untouched dash.still
  for what in "seven detents clockwise" "three detents back" "the key pauses" "the button goes to the next track"; do
    grep -q "^dash: FAILED: $what" "$work/small-untouched" ||
      { say "\"$what\" was seen although nothing was touched" && return 1; }
  done
  say "1 board obeyed, 1 untouched board did nothing"
}

# Boots the small system, shows what it told, and keeps it.
small_boot() { # NAME WORDS
  local words code=0 console=$work/small-$1
  mapfile -t words < <(machine_words)
  say "The small board, $1:"
  timeout --kill-after=5 240 qemu-system-aarch64 "${words[@]}" -display none -no-reboot -serial "file:$console" \
    -kernel "$small/kernel" -initrd "$small/initrd" -dtb "$small/board.dtb" \
    -append "console=ttyAMA0 panic=-1 quiet $2" </dev/null || code=$?
  sed -i 's/\r$//' "$console"
  sed 's/^/  /' "$console"
  [ $code = 0 ] && grep -q '^dash: end at' "$console" || { say "it did not come to its end ($code)" && return 1; }
}

# The whole image: it must play by itself, be heard, show it, and obey the device tree's knob and key, our own buttons
# and lines, the car's key and the battery.
step_arm64_image() {
  # A second of what the loop carries; silence is nothing but zeros.
  local listens='
    timeout 20 arecord -q -D hw:Loop,1,0 -f S32_LE -r 44100 -c 2 -d 1 -t raw /tmp/second || exit 0
    bytes=$(tr -d "\000" </tmp/second | wc -c)
    if [ "$bytes" -gt 100000 ]; then echo audible; elif [ "$bytes" = 0 ]; then echo silent; else echo "$bytes bytes"; fi'
  arm64_board
  "$image/build" virtual-arm64 --tools
  guest_start
  guest_until 'layby status --json' '"state":"playing"' 200
  # What follows takes longer than the album.
  guest 'layby repeat all'
  say "It plays by itself, $(guest 'cut -d" " -f1 /proc/uptime') s after its kernel began."
  guest_until 'layby status --json' '"volume":50' 10
  guest_until "$listens" audible 30
  hands_turn 3 ENC_A ENC_B
  guest_until 'layby status --json' '"volume":56' 20
  hands_turn 5 ENC_B ENC_A
  guest_until 'layby status --json' '"volume":46' 20
  hands_press BTN_PLAY
  guest_until 'layby status --json' '"state":"paused"' 20
  guest_until "$listens" silent 30
  hands_press BTN_PLAY
  guest_until 'layby status --json' '"state":"playing"' 20
  hands_press BTN_NEXT
  guest_until 'layby status --json' '"index":1' 20
  arm64_plugged_keys
  arm64_own_knob
  arm64_ignition
  arm64_panel
  guest 'gpiodetect --version | head -n 1; systemctl --failed --no-legend; systemd-analyze time | head -n 1'
  arm64_battery
  guest_start drm_kms_helper.fbdev_emulation=0
  arm64_panel_alone
  say "Knob, key, button, ignition, battery and panel did what they should: all passed"
}

# A keyboard that is plugged in while the music plays, by the kernel's uinput, and pulled again.
arm64_plugged_keys() {
  local at='path=$(sed -n "s/.*: *\(.dev.input.event[0-9]*\).*/\1/p" /tmp/keys.said); test -e "$path"'
  local keys='modprobe -a uinput evdev
    { printf "N: Layby test keyboard\nI: 0003 1d6b 0104 0001\nP: 00 00 00 00 00 00 00 00\n"
      printf "B: 00 03 00 00 00 00 00 00 00\n"
      for row in 0 1 2 3 4 5 6 7 8 9 10 11; do
        case $row in 1) echo "B: 01 00 00 00 00 00 00 02 00" ;; *) echo "B: 01 00 00 00 00 00 00 00 00" ;; esac
      done; } >/tmp/keys
    setsid evemu-device /tmp/keys >/tmp/keys.said 2>&1 </dev/null &'
  guest "$keys"
  guest_until "$at && echo plugged" plugged 20
  guest_until 'journalctl -u layby | grep "a device is read" | grep -c "Layby test keyboard"' 1 20
  # A key for what time does not do by itself.
  local muted
  for muted in true false; do
    guest "$at && for value in 1 0; do
        evemu-event --sync \$path --type EV_KEY --code KEY_MUTE --value \$value
      done"
    guest_until 'layby status --json' "\"muted\":$muted" 20
  done
  guest 'pkill -x evemu-device'
  guest_until 'journalctl -u layby | grep -c "a device is gone"' 1 20
}

# The knob by the newer libgpiod: the device tree's driver lets go of its lines, and the board's file has them.
arm64_own_knob() {
  local detents=500 turned=0
  [ "${LAYBY_LONG:-}" != 1 ] || detents=10000
  guest 'set -e
    echo knob >/sys/bus/platform/drivers/rotary-encoder/unbind
    { cat /etc/layby/board.conf; printf "[encoder]\nlines = ENC_A, ENC_B\n"; } >/tmp/board.conf
    mount --bind /tmp/board.conf /etc/layby/board.conf
    systemctl restart layby'
  guest_until 'layby status --json' '"state":"playing"' 60
  guest 'gpioinfo | grep -c "ENC_[AB].*layby" | grep -qx 2' || { say "layby has not both lines" && return 1; }
  guest 'layby volume 10'
  guest_until 'layby status --json' '"volume":10' 20
  say "$detents detents at 2 ms an edge, by the newer libgpiod:"
  while [ $turned -lt "$detents" ]; do
    hands_there_and_back 2000 0
    turned=$((turned + 80))
  done
  say "$turned detents were turned, none was lost, none was wrong"
  hands_there_and_back 6000 0213021
  say "80 more by contacts that bounce, at 6 ms an edge: the same"
  # Held it is the menu's: what is turned then leaves the volume alone.
  hands_press ENC_SW 900
  guest_until 'layby screen --json' 'Menu' 20
  hands_turn 3 ENC_A ENC_B
  guest_until 'layby screen --json' 'Playlists' 20
  hands_press ENC_SW 900
  guest_until 'layby status --json' '"volume":10' 5
  hands_turn 3 ENC_A ENC_B
  guest_until 'layby status --json' '"volume":16' 20
}

# The car's key, by the newer libgpiod: off is a pause and a dimmed panel, on again is as if nothing had been.
arm64_ignition() {
  guest_until 'layby status --json' '"ignition":"on"' 5
  printf 'ACC down\n' >&7
  guest_until 'layby status --json' '"state":"paused"' 20
  guest_until 'layby status --json' '"ignition":"resting"' 5
  guest_until 'layby status --json' '"then":"power-off"' 5
  printf 'ACC up\n' >&7
  guest_until 'layby status --json' '"state":"playing"' 20
  guest_until 'layby status --json' '"ignition":"on"' 5
}

# The framebuffer is lit, stands still while nothing happens, and is another picture when something does.
arm64_panel() {
  local sum='sha256sum </dev/fb0 | cut -c1-16' shown
  guest_until 'cat /sys/class/graphics/fb0/bits_per_pixel' 32 5
  hands_press BTN_PLAY
  guest_until 'layby status --json' '"state":"paused"' 20
  # What was told meanwhile has gone.
  guest 'sleep 15'
  shown=$(guest "$sum")
  guest_until "sleep 3; $sum" "$shown" 5
  guest_until 'tr -d "\000" </dev/fb0 | head -c 100000 | wc -c' 100000 5
  hands_turn 3 ENC_A ENC_B
  guest_until "[ \$($sum) != $shown ] && echo 'another picture'" 'another picture' 20
  hands_press BTN_PLAY
  guest_until 'layby status --json' '"state":"playing"' 20
}

# A battery at one per cent: nothing is written any more, the board switches itself off, and the emulator ends.
arm64_battery() {
  local most
  guest 'set -e
    cd /sys/module/test_power/parameters
    echo off >usb_online; echo off >ac_online; echo discharging >battery_status; echo 1 >battery_capacity'
  guest_until 'layby status --json' '"writes":"held"' 60
  most=$((SECONDS + 120))
  while kill -0 "$guest_pid" 2>/dev/null; do
    [ $SECONDS -lt $most ] || { say "the board is still on" && return 1; }
    sleep 1
  done
  wait "$guest_pid" && grep -q "reboot: Power down" "$guest_run/console" ||
    { tail -n 20 "$guest_run/console" && say "the board did not switch itself off" && return 1; }
  say "The board switched itself off."
}

# Where the kernel makes no framebuffer it hangs at the graphics card.
arm64_panel_alone() {
  guest 'set -e
    [ ! -e /dev/fb0 ]
    [ -e /dev/dri/card0 ]
    sed "s,^device = /dev/fb0,device = auto," /etc/layby/board.conf >/tmp/board.conf
    mount --bind /tmp/board.conf /etc/layby/board.conf
    systemctl restart layby'
  guest_until 'layby status --json' '"state":"playing"' 200
  guest_until 'ls -l /proc/$(systemctl show -P MainPID layby)/fd' /dev/dri/card0 20
}

# Boots the image with the tests' agent; its pipes are 5 (answers), 6 (questions) and 7 (hands). WORDS go to the kernel.
guest_start() { # [WORDS [DEVICETREE [WORD OF QEMU...]]]
  local out=$work/$name words run
  guest_end
  [ -z "${guest_run:-}" ] || rm -rf "$guest_run"
  guest_run=$(mktemp -d)
  trap 'guest_end; rm -rf "$guest_run"; [ -z "$unfinished" ] || rm -rf "$unfinished"' EXIT
  mkfifo "$guest_run"/{agent,hands}.{in,out}
  cp --sparse=always "$out/disk.img" "$guest_run/disk"
  mapfile -t words < <(sed "/^#/d; s|{RUN}|$guest_run|" "$board/machine")
  timeout --kill-after=5 3000 qemu-system-aarch64 "${words[@]}" -display none -no-reboot -dtb "${2:-$out/board.dtb}" \
    -kernel "$out/kernel" -initrd "$out/initrd" -append "$(cat "$out/cmdline") layby.tools ${1:-}" \
    -drive "if=none,id=disk,file=$guest_run/disk,format=raw" \
    -drive "if=none,id=tools,file=$out/tools.img,format=raw,readonly=on" "${@:3}" </dev/null >"$guest_run/qemu" 2>&1 &
  guest_pid=$!
  exec 5<>"$guest_run/agent.out" 6<>"$guest_run/agent.in" 7<>"$guest_run/hands.in"
  local word seconds
  read -r -t 200 -u 5 word seconds && [ "$word" = READY ] ||
    { cat "$guest_run/qemu" "$guest_run/console" && say "the board did not answer" && return 1; }
  say "The board answers, $seconds s after its kernel began."
}

guest_end() {
  [ -z "${guest_pid:-}" ] || { kill "$guest_pid" 2>/dev/null || true; wait "$guest_pid" 2>/dev/null || true; }
  guest_pid=
}

# Runs a command in the guest; what it wrote, and its code.
guest() { # COMMAND
  local code length
  printf '%s' "$1" | base64 --wrap=0 >&6
  printf '\n' >&6
  read -r -t 60 -u 5 code length || { say "the board answers no more" && return 1; }
  # Its agent says READY once a start.
  [[ $code =~ ^[0-9]+$ ]] || { say "the board has started anew: $code $length" && return 1; }
  timeout 60 head -c "$length" <&5
  return "$code"
}

guest_until() { # COMMAND PATTERN SECONDS
  local most=$((SECONDS + $3)) found
  until found=$(guest "$1") && [[ $found == *$2* ]]; do
    [ $SECONDS -lt $most ] || { say "waited $3 s for $2, last: $found" && return 1; }
    sleep 1
  done
  say "$2"
}

hands_turn() { # DETENTS FIRST SECOND
  local left=$1
  while [ "$left" -gt 0 ]; do
    printf '%s down\nwait 20\n%s down\nwait 20\n%s up\nwait 20\n%s up\nwait 20\n' "$2" "$3" "$2" "$3" >&7
    left=$((left - 1))
  done
}

# From 10 per cent to 90 and back to 10, two a detent, to the detent.
hands_there_and_back() { # MICROSECONDS SWINGS
  printf 'spin ENC_A ENC_B 40 %s %s\n' "$1" "$2" >&7
  guest_until 'layby status --json' '"volume":90' 60 >/dev/null
  printf 'spin ENC_B ENC_A 40 %s %s\n' "$1" "$2" >&7
  guest_until 'layby status --json' '"volume":10' 60 >/dev/null
}

hands_press() { # LINE [MILLISECONDS]
  printf '%s down\nwait %s\n%s up\n' "$1" "${2:-60}" "$1" >&7
}

# Which tests an emulator of programs cannot run, and why.
arm64_left_out=(
  '^HouseTests\.'         # read the sources, whatever the processor
  '^ProgramTests\.'       # start the programs as built, which is another processor's for this kernel
  '^PowerCutTests\.'      # the same, with a library laid under them
  '^BoardTests\.'         # boot a machine
  '^VirtualBoardTests\.'  # this computer's side of it: no board runs that
  '^BenchTests\.'         # the same
)

# All unit tests, compiled for arm64. It takes minutes: without optimization and emulated, all is 50 times slower.
step_arm64_unit() { arm64_units '^'; }

# Those of them that are done in a minute or two.
step_arm64_sample() { arm64_units '^(Libraries|Store|Library|Playback|Supervisor)Tests\.'; }

arm64_units() { # PATTERN
  local output code=0 tools
  arm64_board
  # Two programs' mains meet in the bundle; the linker takes the first, which is the tests' own.
  cross_swift_build --build-tests --disable-xctest -Xswiftc -warnings-as-errors -Xlinker --allow-multiple-definition
  tools=$cross_store/build/tools
  mkdir -p "$tools"
  printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "%s/usr/bin/mpg123.bin" "$@"\n' "$cross_sysroot" "$cross_sysroot" \
    >"$tools/mpg123"
  chmod 755 "$tools/mpg123"
  output=$(mktemp)
  PATH=$tools:$PATH qemu-aarch64-static -E LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux -L "$cross_sysroot" \
    "$cross_store/build/scratch/$cross_triple/debug/LaybyPackageTests.xctest" --testing-library swift-testing \
    --filter "$1" --skip "$(IFS='|' && printf '%s' "${arm64_left_out[*]}")" >"$output" 2>&1 </dev/null || code=$?
  LC_ALL=C grep -avE '(Test|Suite) .*(started|passed after)|^. (Test case )?[Pp]assing' "$output" || true
  count_tests "$output" "$code"
  rm -f "$output"
  return "$code"
}
