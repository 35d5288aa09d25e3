# Updates of a card with two slots, on the virtual arm64 board: from U-Boot and its script to the player, in an emulator.

# In this order; each begins with a card that runs slot a. `back` and `broken` need the slot b that `done` wrote.
update_parts=(refused exchanged low stick cut done back broken hanging crashing)

# All of it, or with --only the parts whose names match (each takes 5 to 20 minutes of an emulator): refused files, one
# that is exchanged, a battery that runs low, a stick, power cuts, an update and a start of what it brought, going back,
# versions that do not start.
step_update() {
  local part parts=()
  for part in "${update_parts[@]}"; do [[ ! $part =~ ${only:-.} ]] || parts+=("$part"); done
  [ ${#parts[@]} -gt 0 ] || { say "no part matches; there are: ${update_parts[*]}" && return 64; }
  arm64_board
  install_packages card
  LAYBY_OLDEST=0.1 "$image/build" virtual-arm64 --tools
  [[ " ${parts[*]} " != *" cut "* ]] || update_tool
  update_begin
  for part in "${parts[@]}"; do
    update_awake
    "update_$part"
    say "== $part passed, $SECONDS s since the step began"
  done
  say "passed: ${parts[*]}"
}

# Sets crash_disk, the program that makes disks of a log.
update_tool() {
  choose_tree check
  swift build --product CrashDisk --scratch-path "$top/.build/check" "${tree_flags[@]}"
  crash_disk=$tree_products/CrashDisk
}

# The card is started, unless it runs, and plays.
update_awake() {
  [ -z "${update_pid:-}" ] || return 0
  update_on
  update_ready 300
  guest_until 'layby status --json' '"state":"playing"' 200
}

# The card as it is built, with the tests' tools in the words of its kernel, and the files for updates on another disk.
update_begin() {
  local out=$work/$name
  update_run=$(mktemp -d)
  trap 'kill ${update_lanes[@]+"${update_lanes[@]}"} 2>/dev/null || true; update_off; rm -rf "$update_run"; [ -z "$unfinished" ] || rm -rf "$unfinished"' EXIT
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
  update_file crashing layby-virtual-arm64 0.3 layby.crashing
  update_file hanging layby-virtual-arm64 0.4 rdinit=/bin/none panic=0
  head -c 30000000 "$update_run/bundles/new.layby" >"$update_run/bundles/short.layby"
  printf 'no update' >"$update_run/bundles/none.layby"
  cp "$update_run/bundles/new.layby" "$update_run/bundles/flipped.layby"
  printf 'XXXX' | dd of="$update_run/bundles/flipped.layby" bs=1 seek=20000000 conv=notrunc status=none
  mksquashfs "$update_run/bundles" "$update_run/bundles.img" -quiet -no-progress -noI -noD -noF -noX >/dev/null
}

update_part() { # PARTITION
  dd if="$update_run/disk" bs=1M skip=$(($(card_part "$update_run/disk" "$1") / 1048576)) \
    count=$(($(card_part "$update_run/disk" "$1" size) / 1048576)) status=none
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
update_on() { # [WORD OF QEMU...]
  local words seconds word disk=(-drive "if=none,id=disk,file=$update_run/disk,format=raw,cache=writethrough")
  update_off
  # The card then hears that its drive has a cache, and flushes it.
  [ -z "${update_log:-}" ] || disk=(
    -blockdev "driver=file,node-name=raw,filename=$update_run/disk" -blockdev "driver=file,node-name=log,filename=$update_log"
    -blockdev driver=blklogwrites,node-name=disk,file=raw,log=log,log-sector-size=512,log-super-update-interval=1)
  # What the start before has said is no answer to this one.
  rm -f "$update_run"/{agent,hands}.{in,out} "$update_run/console"
  mkfifo "$update_run"/{agent,hands}.{in,out}
  mapfile -t words < <(sed "/^#/d; s|{RUN}|$update_run|" "$board/machine")
  timeout --kill-after=5 3000 qemu-system-aarch64 "${words[@]}" -display none \
    -bios /usr/lib/u-boot/qemu_arm64/u-boot.bin "${disk[@]}" \
    -drive "if=none,id=tools,file=$work/$name/tools.img,format=raw,readonly=on" \
    -drive "if=none,id=bundles,file=$update_run/bundles.img,format=raw,readonly=on" \
    -device virtio-blk-pci,drive=bundles,serial=bundles "$@" </dev/null >"$update_run/qemu" 2>&1 &
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
  say "A card of one version, from U-Boot on:"
  [ "$(guest 'cat /sys/block/dm-0/dm/uuid')" = CRYPT-VERITY-layby-root ] || { say "the root is not checked" && return 1; }
  update_slots_are '"first":"a","running":"a","a":"good","b":"empty"'
  before=$(guest 'sha256sum /dev/vda2 /dev/vda5')
  update_ask board "The file is for another board: layby-raspberry-pi" 200
  update_ask old "is older than" 200
  update_ask other-key "signed with a key that this device does not trust" 200
  update_ask short "damaged, cut short or not signed" 200
  update_ask none "damaged, cut short or not signed" 200
  update_charge discharging 20
  update_ask new "The battery has 20 % left" 200
  update_charge charging 90
  [ "$(guest 'sha256sum /dev/vda2 /dev/vda5')" = "$before" ] || { say "a refused file changed something" && return 1; }
}

# An older file, as well signed, in the place of the one that was checked: between check and writing RAUC's service starts,
# which takes an emulator seconds.
update_exchanged() {
  local before
  say "A file that is exchanged once it was checked:"
  before=$(guest 'sha256sum /dev/vda2 /dev/vda5')
  guest 'ln -sfn bundles/new.layby /run/exchanged.layby; rm -f /tmp/updated
    (layby update /run/exchanged.layby >/tmp/said 2>&1; mv /tmp/said /tmp/updated) </dev/null >/dev/null 2>&1 &'
  guest_until 'cat /run/layby-update/state' "state=writing" 200
  guest 'ln -sfn bundles/old.layby /run/exchanged.layby'
  guest_until 'cat /tmp/updated 2>/dev/null' "exchanged for another one after it was checked" 300
  say "A file that is not the version that somebody said yes to:"
  guest 'printf "wish=12\ndo=write\nversion=7.0\nfile=/run/bundles/new.layby\n" >/run/layby/.update && mv /run/layby/.update /run/layby/update'
  guest_until 'cat /run/layby-update/state' "and version 7.0 was agreed to" 100
  [ "$(guest 'sha256sum /dev/vda2 /dev/vda5')" = "$before" ] || { say "an exchanged file changed something" && return 1; }
}

update_charge() { # charging|discharging PERCENT
  local online=on
  [ "$1" = charging ] || online=off
  guest "cd /sys/module/test_power/parameters; echo $1 >battery_status; echo $2 >battery_capacity
    echo $online >ac_online; echo $online >usb_online"
}

# A battery that runs low while the other slot is written: the update ends, and that slot is not started.
update_low() {
  say "A battery that runs low while a new version is written:"
  update_charge discharging 60
  guest "rm -f /tmp/updated; (layby update /run/bundles/new.layby >/tmp/said 2>&1; mv /tmp/said /tmp/updated) </dev/null >/dev/null 2>&1 &"
  # RAUC has begun with the other slot.
  guest_until 'layby slots --json' '"b":"0"' 200
  update_charge discharging 7
  guest_until 'cat /tmp/updated 2>/dev/null' "The battery has only 7 % left" 200
  guest 'cat /tmp/updated' | grep -q "The version that runs stays"
  update_slots_are '"first":"a","running":"a","a":"good","b":"0"'
  update_charge charging 90
}

# A stick with a new version in its first folder: the panel asks, and tells how it goes and what came of it. The screens
# are $work/update-*.png, for people.
update_stick() {
  say "A stick with a new version:"
  truncate -s 120M "$update_run/stick"
  mformat -i "$update_run/stick" -v BLUE ::
  mcopy -i "$update_run/stick" "$update_run/bundles/new.layby" ::layby-virtual-arm64-0.2.layby
  update_on -drive "if=none,id=stick,file=$update_run/stick,format=raw" -device qemu-xhci -device usb-storage,drive=stick
  update_ready 300
  guest 'layby repeat all'
  guest_until 'layby questions' "Put version 0.2 on this board?" 300
  guest 'layby questions' | grep -q "What is new"
  update_screen asked "Put version 0.2"
  guest 'layby answer $(layby questions --json | grep -o "\"number\":[0-9]*" | head -n 1 | cut -d: -f2) 2'
  guest_until 'cat /run/layby-update/state' "state=writing" 200
  guest_until 'layby log' "Version 0.2 is being written" 200
  update_screen writing ""
  guest_until 'layby log' "Version 0.2 is ready. It starts at the next start." 900
  update_screen ready ""
  update_slots_are '"first":"b","running":"a","a":"good","b":"3"'
  # It has a file system from its first block on, and a table in it.
  guest '! layby log | grep "cannot be read"'
  guest 'layby slots set-primary a && sync'
  update_off
}

update_screen() { # NAME WORDS
  guest_until "layby screen --json | grep -o '\"words\":.*'" "$2" 60
  guest 'layby screen /tmp/screen.png >/dev/null && base64 /tmp/screen.png' | base64 --decode >"$work/update-$1.png"
}

# A drive's own cache may keep what it says it has written, and ending an emulator loses none of it. So everything that
# the card writes is logged, from an update's beginning until the new version is good, and disks are made of the log on
# which what was not flushed is missing, torn or there: for a power cut before and after each write of the counters, the
# first and the last of the other slot, and others by chance, LAYBY_CUTS in all. Each must start by itself and play.
update_cut() {
  local log=$update_run/writes begun ended lane failed=0
  say "An update, write by write:"
  rm -f "$work"/update-cut-*.disk
  update_off
  cp --sparse=always "$update_run/disk" "$update_run/before"
  : >"$log"
  update_log=$log
  update_awake
  guest 'layby repeat all && layby volume 37 && sync'
  begun=$("$crash_disk" "$log")
  update_ask new "it starts at the next start" 900
  guest '(sleep 1; systemctl reboot) >/dev/null 2>&1 &'
  update_ready 400
  guest_until 'layby slots --json' '"running":"b","a":"good","b":"good"' 300
  guest 'sync'
  update_off
  update_log=
  ended=$("$crash_disk" "$log")
  update_moments "$log" "$begun" "$ended" >"$update_run/moments"
  say "$((ended - begun)) writes and flushes, $(wc -l <"$update_run/moments") power cuts among them:"
  update_lanes=()
  for ((lane = 0; lane < ${LAYBY_LANES:-$(nproc)}; lane++)); do
    : >"$update_run/lane.$lane"
    # Not in a condition, which would go on after what fails inside.
    (update_cut_lane "$lane" "${LAYBY_LANES:-$(nproc)}" "$log") >"$update_run/lane.$lane" 2>&1 &
    update_lanes+=($!)
  done
  for lane in "${!update_lanes[@]}"; do
    tail --lines=+1 --follow --pid="${update_lanes[lane]}" "$update_run/lane.$lane"
    wait "${update_lanes[lane]}" || failed=1
  done
  update_lanes=()
  mv "$update_run/before" "$update_run/disk"
  say "$(cat "$update_run"/lane.* | grep -c 'plays, slots:') power cuts were survived"
  [ $failed = 0 ]
}

# NUMBER of the write before which the power goes, one a line.
update_moments() { # LOG BEGUN ENDED
  local part start length touched
  {
    for part in slots kernel-b root-b; do
      start=$(card_part "$update_run/disk" "$part")
      length=$(card_part "$update_run/disk" "$part" size)
      touched=$("$crash_disk" "$1" touching "$start" "$length")
      [ "$part" = slots ] || touched=$(sed -n '1p;$p' <<<"$touched")
      awk -v begun="$2" '$1 >= begun { print $1; print $1 + 1 }' <<<"$touched"
    done | sort -nu
    awk -v begun="$2" -v ended="$3" 'BEGIN { srand(7); for (i = 0; i < 1000; i++) print int(begun + rand() * (ended - begun)) }'
  } | awk -v most="${LAYBY_CUTS:-100}" '!seen[$1]++ && ++found <= most'
}

# Says what is known of a card that did not come back as it must, and keeps its disk as the power left it. Always fails.
update_cut_failed() { # NUMBER MOMENT LOG WORDS
  local disk=$work/update-cut-$1.disk
  cat "$update_run/said"
  say "$1, before write $2: $4"
  guest 'cat /run/layby-data/notice; findmnt /data; layby log' || true
  grep -aE "^Layby|Linux version|Kernel panic|watchdog|reboot" "$update_run/console" || true
  cp --sparse=always "${update_run%/*}/before" "$disk"
  "$crash_disk" "$3" cut "$2" "$1" "$disk"
  say "the disk is $disk"
  return 1
}

# Every LANES-th of the moments, on a card of its own.
update_cut_lane() { # LANE LANES LOG
  local run=$update_run lost moment number=0 found
  mkdir "$run/$1"
  ln -s ../bundles.img "$run/$1/bundles.img"
  update_run=$run/$1 card_run=$run/$1 update_pid=
  trap update_off EXIT
  while read -r moment; do
    number=$((number + 1))
    [ $((number % $2)) = "$1" ] || continue
    update_off
    cp --sparse=always "$run/before" "$update_run/disk"
    lost=$("$crash_disk" "$3" cut "$moment" "$number" "$update_run/disk")
    update_on
    # What is said of it is told when it does not start or play.
    { update_ready 600 && guest_until 'layby status --json' '"state":"playing"' 300 &&
      guest_until 'layby status --json' '"volume":37' 20; } >"$update_run/said" ||
      update_cut_failed "$number" "$moment" "$3" "it does not play"
    found=$(guest 'layby slots --json') || found="no answer, $found"
    case $found in
      # The version before, and nothing that was written in part may be started.
      *'"first":"a","running":"a","a":"good","b":"empty","why":null'* | *'"first":"a","running":"a","a":"good","b":"0","why":null'*) ;;
      # The new one, which still has to be found good.
      *'"first":"b","running":"b","a":"good"'*'"why":null'*)
        { guest 'grep -q layby.new /proc/cmdline' && guest_until 'layby slots --json' '"b":"good","why":null' 300; } \
          >"$update_run/said" || update_cut_failed "$number" "$moment" "$3" "not found good"
        ;;
      *) : >"$update_run/said" && update_cut_failed "$number" "$moment" "$3" "slots: $found" ;;
    esac
    say "  $number, before write $moment, $lost: plays, slots: $found"
  done <"$run/moments"
}

update_done() {
  local before after
  # The demo album is shorter than an update.
  guest 'layby repeat all && layby play && layby volume 37'
  before=$(update_breaks)
  update_ask new "version 0.2 is on the card; it starts at the next start" 900
  guest 'cat /tmp/updated' | grep -q "what is new: What is new"
  after=$(update_breaks)
  say "  breaks in the sound before and after: $before, $after"
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
    until grep -aqs "Starting kernel\|slot b (good)" "$update_run/console"; do sleep 1; done
  done
  update_off
  card_is "counters after four quick starts" "$(card_counters "$update_run/disk")" "$before"
}

# Of the device's and the decoder's making. An emulator may have some of its own.
update_breaks() { guest 'layby health --json' | grep -o '"underruns":[0-9]*,"starvations":[0-9]*'; }

# The volume that the new version wrote is read by the one before.
update_back() {
  guest 'layby volume 41 && layby slots set-primary a && sync'
  update_on
  say "The version before:"
  update_ready 300
  guest_until 'layby status --json' '"volume":41' 200
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
    until grep -aqs "Layby: slot b ($((4 - round)))" "$update_run/console"; do sleep 1; done
    sleep 20
  done
  update_on
  update_ready 300
  update_slots_are '"first":"a","running":"a","a":"good","b":"0","why":"b:tries"'
  guest_until 'layby log' "Version 0.4 did not start three times" 60
}

# The player never runs: after five minutes without sound the board starts anew by itself.
update_crashing() {
  say "A new version whose player crashes again and again:"
  update_ask crashing "it starts at the next start" 900
  guest 'sync'
  update_on
  update_ready 300
  guest_until 'systemctl show --property NRestarts,Result layby' 'Result=signal' 60
  guest 'systemctl show --property NRestarts layby'
  # Once the wait for it has ended, three times.
  local word seconds
  read -r -t 900 -u 5 word seconds && read -r -t 900 -u 5 word seconds && read -r -t 900 -u 5 word seconds
  update_slots_are '"first":"a","running":"a","a":"good","b":"0","why":"b:tries"'
}
