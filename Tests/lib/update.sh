# Updates of a card with two slots, on the virtual arm64 board: from U-Boot and its script to the player, in an emulator.

# All of it: refused files, an update, a start of what it brought, going back, power cuts, versions that do not start.
step_update() {
  arm64_board
  install_packages card
  "$image/build" virtual-arm64 --tools
  update_begin
  update_refused
  update_cut
  update_done
  update_back
  update_broken
  update_hanging
  update_crashing
  say "refused files, power cuts, an update, going back, and three versions that do not start: all passed"
}

# The card as it is built, with the tests' tools in the words of its kernel, and the files for updates on another disk.
update_begin() {
  local out=$work/$name
  update_run=$(mktemp -d)
  trap 'update_off; rm -rf "$update_run"; [ -z "$unfinished" ] || rm -rf "$unfinished"' EXIT
  card_run=$update_run
  cp --sparse=always "$out/card.img" "$update_run/disk"
  truncate -s 1500M "$update_run/disk"
  update_words kernel-a layby.tools
  mkdir "$update_run/bundles"
  update_files
}

update_words() { # PARTITION WORDS...
  local words
  words=$(mtype -i "$update_run/disk@@$(card_part "$update_run/disk" "$1")" ::words.txt)
  card_write "$1" words.txt "$words ${*:2}"
}

# What makes up the version on the card, once more: with other names, keys and words, each a file for updates.
update_files() {
  local blocks
  mkdir "$update_run/files"
  update_part root-a >"$update_run/files/root.img"
  # As long as its file system and the sums behind it; the rest of the slot is zeros.
  blocks=$(mtype -i "$update_run/disk@@$(card_part "$update_run/disk" kernel-a)" ::words.txt | sed -n 's/.*layby.root=[0-9a-f]*:\([0-9]*\).*/\1/p')
  truncate -s $(((blocks + blocks / 126 + 8) * 4096)) "$update_run/files/root.img"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=somebody else" \
    -keyout "$update_run/other-key.pem" -out "$update_run/other.pem" 2>/dev/null
  update_file new layby-virtual-arm64 0.2 layby.new
  update_file board layby-raspberry-pi 0.2
  update_file old layby-virtual-arm64 0.0.1
  update_file other-key layby-virtual-arm64 0.2
  update_file crashing layby-virtual-arm64 0.3 layby.crashing systemd.mask=layby.service
  update_file hanging layby-virtual-arm64 0.4 rdinit=/bin/none panic=0
  head -c 30000000 "$update_run/bundles/new.layby" >"$update_run/bundles/short.layby"
  printf 'no update' >"$update_run/bundles/none.layby"
  cp "$update_run/bundles/new.layby" "$update_run/bundles/flipped.layby"
  printf 'XXXX' | dd of="$update_run/bundles/flipped.layby" bs=1 seek=20000000 conv=notrunc status=none
  mksquashfs "$update_run/bundles" "$update_run/bundles.img" -quiet -no-progress -noI -noD -noF -noX >/dev/null
}

update_part() { # PARTITION
  local line
  line=$(sfdisk --dump "$update_run/disk" 2>/dev/null | grep "name=\"layby-$1\"" | tr -d ' ')
  dd if="$update_run/disk" bs=1M skip=$(($(sed 's/.*start=\([0-9]*\).*/\1/' <<<"$line") / 2048)) \
    count=$(($(sed 's/.*size=\([0-9]*\).*/\1/' <<<"$line") / 2048)) status=none
}

update_file() { # NAME BOARD VERSION WORDS...
  local key=$work/development/key.pem certificate=$work/development/certificate.pem words
  [ "$1" != other-key ] || key=$update_run/other-key.pem certificate=$update_run/other.pem
  update_part kernel-a >"$update_run/files/kernel.img"
  words=$(mtype -i "$update_run/files/kernel.img" ::words.txt)
  printf '%s %s\n' "$words" "${*:4}" >"$update_run/text"
  mcopy -n -o -i "$update_run/files/kernel.img" "$update_run/text" ::words.txt
  printf '[update]\ncompatible=%s\nversion=%s\ndescription=What is new\n\n[bundle]\nformat=verity\n\n[image.root]\nfilename=root.img\n\n[image.kernel]\nfilename=kernel.img\n' \
    "$2" "$3" >"$update_run/files/manifest.raucm"
  rauc --cert="$certificate" --key="$key" --keyring="$certificate" --mksquashfs-args="-noI -noD -noF -noX -quiet -no-progress" \
    bundle "$update_run/files" "$update_run/bundles/$1.layby" >"$update_run/rauc.log" 2>&1 || { cat "$update_run/rauc.log" && return 1; }
}

# From U-Boot on. Its console and the kernel's are $update_run/console.
update_on() {
  local words seconds word
  update_off
  rm -f "$update_run"/{agent,hands}.{in,out}
  mkfifo "$update_run"/{agent,hands}.{in,out}
  mapfile -t words < <(sed "/^#/d; s|{RUN}|$update_run|" "$board/machine")
  timeout --kill-after=5 3000 qemu-system-aarch64 "${words[@]}" -display none \
    -bios /usr/lib/u-boot/qemu_arm64/u-boot.bin \
    -drive "if=none,id=disk,file=$update_run/disk,format=raw,cache=writethrough" \
    -drive "if=none,id=tools,file=$work/$name/tools.img,format=raw,readonly=on" \
    -drive "if=none,id=bundles,file=$update_run/bundles.img,format=raw,readonly=on" \
    -device virtio-blk-pci,drive=bundles,serial=bundles </dev/null >"$update_run/qemu" 2>&1 &
  update_pid=$!
  exec 5<>"$update_run/agent.out" 6<>"$update_run/agent.in" 7<>"$update_run/hands.in"
}

update_off() {
  [ -z "${update_pid:-}" ] || { kill "$update_pid" 2>/dev/null || true; wait "$update_pid" 2>/dev/null || true; }
  update_pid=
}

# Until the tests' agent answers, of the slot that is started in the end.
update_ready() { # SECONDS
  local word seconds
  read -r -t "$1" -u 5 word seconds && [ "$word" = READY ] ||
    { tail -n 40 "$update_run/console" && cat "$update_run/qemu" && say "the card did not start" && return 1; }
  say "  it answers, $seconds s after its kernel began"
  guest 'mkdir -p /run/bundles && mount -t squashfs -o ro /dev/disk/by-id/virtio-bundles /run/bundles 2>/dev/null ||
    for disk in /sys/class/block/vd*; do
      [ "$(cat $disk/serial 2>/dev/null)" != bundles ] || mount -t squashfs -o ro /dev/${disk##*/} /run/bundles
    done'
}

update_slots_are() { # JSON PART
  local found
  found=$(guest 'layby slots --json')
  [[ $found == *"$1"* ]] || { say "slots: $found, and not $1" && return 1; }
  say "  slots: $found"
}

# In the background: it takes longer than an answer may.
update_ask() { # FILE PATTERN SECONDS
  guest "rm -f /tmp/updated; (layby update /run/bundles/$1.layby >/tmp/said 2>&1; echo ended \$? >>/tmp/said; mv /tmp/said /tmp/updated) </dev/null >/dev/null 2>&1 &"
  guest_until 'cat /tmp/updated 2>/dev/null' "$2" "$3"
}

update_refused() {
  local before
  update_on
  say "A card of one version, from U-Boot on:"
  update_ready 300
  guest_until 'layby status --json' '"state":"playing"' 200
  [ "$(guest 'cat /sys/block/dm-0/dm/uuid')" = CRYPT-VERITY-layby-root ] || { say "the root is not checked" && return 1; }
  update_slots_are '"first":"a","running":"a","a":"good","b":"empty"'
  before=$(guest 'sha256sum /dev/vda2 /dev/vda5')
  update_ask board "The file is for another board: layby-raspberry-pi" 100
  update_ask old "is older than" 100
  update_ask other-key "signed with a key that this device does not trust" 100
  update_ask short "damaged, cut short or not signed" 100
  update_ask none "damaged, cut short or not signed" 100
  guest 'echo discharging >/sys/module/test_power/parameters/battery_status; echo off >/sys/module/test_power/parameters/ac_online
    echo off >/sys/module/test_power/parameters/usb_online; echo 20 >/sys/module/test_power/parameters/battery_capacity'
  update_ask new "The battery has 20 % left" 100
  guest 'echo on >/sys/module/test_power/parameters/ac_online; echo 90 >/sys/module/test_power/parameters/battery_capacity'
  [ "$(guest 'sha256sum /dev/vda2 /dev/vda5')" = "$before" ] || { say "a refused file changed something" && return 1; }
}

# Power cuts while the other slot is written; each time the version that ran starts again.
update_cut() {
  local moment
  for moment in 5 25 60; do
    guest "(layby update /run/bundles/new.layby >/tmp/said 2>&1) </dev/null >/dev/null 2>&1 &"
    guest_until 'cat /run/layby-update/state' "state=writing" 100
    sleep "$moment"
    update_on
    say "After a power cut $moment s into it:"
    update_ready 300
    guest_until 'layby status --json' '"state":"playing"' 200
    guest 'layby slots get-current' | grep -qx a || { say "another version runs" && return 1; }
  done
}

update_done() {
  guest 'layby volume 37'
  update_ask new "version 0.2 is on the card; it starts at the next start" 900
  update_slots_are '"first":"b","running":"a","a":"good","b":"3"'
  guest_until 'layby status --json' '"state":"playing"' 20
  guest 'sync'
  update_on
  say "The new version:"
  update_ready 300
  guest 'grep -o "layby.new" /proc/cmdline'
  guest_until 'layby status --json' '"volume":37' 200
  guest_until 'layby slots --json' '"running":"b","a":"good","b":"good"' 200
  # Quick power cycles of a good slot.
  local round before
  before=$(card_counters "$update_run/disk")
  for round in 1 2 3 4; do
    update_on
    until grep -aq "Starting kernel\|slot b (good)" "$update_run/console"; do sleep 1; done
  done
  update_off
  card_is "counters after four quick starts" "$(card_counters "$update_run/disk")" "$before"
}

update_back() {
  update_on
  update_ready 300
  guest 'layby slots set-primary a && sync'
  update_on
  say "The version before:"
  update_ready 300
  guest_until 'layby status --json' '"volume":37' 200
  update_slots_are '"first":"a","running":"a","a":"good","b":"good"'
}

# A root that decayed: the kernel cannot read it, and starts anew by itself until no try is left.
update_broken() {
  say "A new version that is broken:"
  update_off
  card_counts "lb_a=good lb_b=3 lb_first=b lb_n=900 lb_why=none" 0
  dd if=/dev/zero of="$update_run/disk" bs=1M count=8 seek=$(($(card_part "$update_run/disk" root-b) / 1048576)) conv=notrunc status=none
  update_on
  update_ready 900
  update_slots_are '"first":"a","running":"a","a":"good","b":"0","why":"b:tries"'
  guest_until 'layby status --json' '"state":"playing"' 200
}

# Nothing but the plug ends that one.
update_hanging() {
  local round
  say "A new version that hangs:"
  update_ask hanging "it starts at the next start" 900
  guest 'sync'
  for round in 1 2 3; do
    update_on
    until grep -aq "Layby: slot b ($((4 - round)))" "$update_run/console"; do sleep 1; done
    sleep 20
  done
  update_on
  update_ready 300
  update_slots_are '"first":"a","running":"a","a":"good","b":"0","why":"b:tries"'
}

# The player never runs: after five minutes without sound the board starts anew by itself.
update_crashing() {
  say "A new version whose player does not run:"
  update_ask crashing "it starts at the next start" 900
  guest 'sync'
  update_on
  update_ready 300
  guest 'grep -o layby.crashing /proc/cmdline'
  # Once the wait for it has ended, three times.
  local word seconds
  read -r -t 900 -u 5 word seconds && read -r -t 900 -u 5 word seconds && read -r -t 900 -u 5 word seconds
  update_slots_are '"first":"a","running":"a","a":"good","b":"0","why":"b:tries"'
}
