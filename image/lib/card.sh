# The disk of a board that U-Boot starts: a card with the firmware's partition, the counters, two slots of kernel and
# root, and the data. image/README.md draws it. Sourced.

# What a slot is made of, on the card and in a file for updates: its root with the sums of its blocks behind it, and its
# kernel with the sum of those sums.
slot_stage() {
  local key
  device_trees=
  [ -z "$trees" ] || trees_stage
  key=$({ say "${root##*/} ${kernel##*/} ${initrd##*/} ${device_trees##*/} $words"
    sources_of "$image/lib/pack.sh" "$image/lib/disk.sh" "$image/lib/card.sh"; } | hash_of)
  stage "$name-slot" "$key" make_slot
  slot=$made
}

make_slot() {
  local bytes blocks sum
  cp "$root/root.squashfs" root.img
  bytes=$(stat --format %s root.img)
  blocks=$((bytes / 4096))
  [ $((blocks * 4096)) = "$bytes" ] || die 70 "The root is no whole number of blocks."
  sum=$("$(tool_of_system veritysetup)" format root.img root.img --no-superblock --hash=sha256 --salt=- --data-blocks=$blocks \
    --hash-offset="$bytes" | sed -n 's/^Root hash:[[:space:]]*//p')
  [ ${#sum} = 64 ] || die 70 "veritysetup gave no sum of the root."
  [ "$(stat --format %s root.img)" -le $((card_root * 1048576)) ] || die 70 "The root is larger than its slot."
  printf '%s\n' "$words quiet loglevel=4 panic=10 sysctl.kernel.sysrq=0 layby.root=$sum:$blocks" >cmdline
  cp "$kernel/vmlinuz" kernel
  cp "$initrd/initrd" initrd
  make_uki
  make_card_kernel kernel.img
  rm -rf uki.efi osrel stub
}

# Administrators' programs are not where everybody finds them.
tool_of_system() { PATH=$PATH:/usr/sbin:/sbin command -v "$1"; }

# What lies where, in megabytes; a slot has to hold what later versions bring.
card_boot=96 card_slots=1 card_kernel=64 card_root=192

# One device tree, each overlay of ours, and each sound card together with each panel: what does not fit together fails
# here, and not on somebody's board.
trees_stage() {
  local key
  key=$({ say "${kernel_key} $trees" && sources_of "$image/lib/card.sh" "$board/overlays"; } | hash_of)
  stage "$name-trees" "$key" make_trees
  device_trees=$made
}

make_trees() {
  local tree sound panel one
  apt_unpack all "linux-image-$kernel_version" -- --wildcards './usr/lib/linux-image-*/broadcom/*.dtb'
  mkdir trees overlays
  for tree in $trees; do
    one=$(find all -name "$tree.dtb")
    [ -n "$one" ] || die 70 "Debian's kernel $kernel_version has no device tree $tree."
    install -m 644 "$one" "trees/$tree.dtb"
  done
  for one in "$board"/overlays/*.dtso; do
    dtc -q -@ -I dts -O dtb -o "overlays/$(basename "$one" .dtso).dtbo" "$one" || die 70 "$one is no overlay."
  done
  for tree in $trees; do
    for sound in overlays/dac-*.dtbo; do
      merge_tree "$tree" "$sound"
      for panel in overlays/panel-*.dtbo; do merge_tree "$tree" "$sound" "$panel"; done
    done
    for panel in overlays/panel-*.dtbo; do merge_tree "$tree" "$panel"; done
  done
  rm -rf all merged.dtb
}

merge_tree() { # TREE OVERLAY...
  local tree=$1
  shift
  fdtoverlay -i "trees/$tree.dtb" -o merged.dtb "$@" || die 70 "$* does not fit into $tree."
}

# The firmware of the Raspberry Pi, and U-Boot with its script.
firmware_stage() {
  local key
  # In an emulator U-Boot is the firmware, and lies on no card.
  if [ "$starts_by" != u-boot ]; then
    stage "$name-firmware" "$(sources_of "$image/lib/card.sh" "$image/boot.cmd" | hash_of)" make_script_alone
    firmware=$made
    return
  fi
  key=$({ say "$free $(apt_version u-boot-rpi)" && [ "$free" = yes ] || apt_version raspi-firmware
    sources_of "$image/lib/card.sh" "$image/boot.cmd" "$board/config.txt" "$board"/layby-*.conf; } | hash_of)
  stage "$name-firmware" "$key" make_firmware
  firmware=$made
}

make_script_alone() {
  mkdir boot
  make_boot_script
}

make_boot_script() {
  mkimage -q -A arm64 -T script -C none -n layby -d "$image/boot.cmd" boot/boot.scr >/dev/null
}

make_firmware() {
  local one
  mkdir boot
  apt_unpack all u-boot-rpi
  cp all/usr/lib/u-boot/rpi_arm64/u-boot.bin boot
  if [ "$free" = no ]; then
    apt_unpack all raspi-firmware
    for one in bootcode.bin start.elf fixup.dat start4.elf fixup4.dat; do cp "all/usr/lib/raspi-firmware/$one" boot; done
    cp all/usr/share/doc/raspi-firmware/copyright boot/firmware-licence.txt
  fi
  rm -rf all
  make_boot_script
  cp "$board/config.txt" boot
  # Read on any computer: with the line ends of all of them.
  for one in layby-board.conf layby-wifi.conf; do sed 's/$/\r/' "$board/$one" >"boot/$one"; done
}

card_stage() {
  local key card_name=$name
  slot_stage
  firmware_stage
  key=$({ say "${slot##*/} ${firmware##*/}" && sources_of "$image/lib/pack.sh" "$image/lib/disk.sh" "$image/lib/card.sh"; } | hash_of)
  stage "$name-disk" "$key" make_card
  card=$made
  # For an emulator it is not packed.
  [ "$starts_by" = u-boot ] || return 0
  disk=$card
  stage "$name-packed" "$({ say "${disk##*/} $card_name" && declare -f make_packed; } | hash_of)" make_packed
  packed=$made
}

make_card() {
  local size at=2048 number=0 rows=() part
  cp "$slot"/{kernel,initrd,cmdline} .
  make_card_boot boot.img
  make_slots slots.img
  cp --sparse=always "$slot/kernel.img" kernel-a.img
  truncate -s "${card_kernel}M" kernel-b.img
  cp "$slot/root.img" root-a.img
  truncate -s "${card_root}M" root-a.img root-b.img
  make_unused data.img
  for part in boot slots kernel-a root-a kernel-b root-b data; do
    number=$((number + 1)) size=$(sectors $part.img)
    case $part in
      # Firmware that reads GPT finds it by this type; U-Boot looks for its script where a partition can be started.
      boot) rows+=("start=$at, size=$size, type=EBD0A0A2-B9E5-4433-87C0-68B6B72699C7, name=layby-boot, uuid=$(partition_id 1), attrs=LegacyBIOSBootable") ;;
      *) rows+=("start=$at, size=$size, type=linux, name=layby-$part, uuid=$(partition_id $number)") ;;
    esac
    at=$((at + size))
  done
  truncate -s $(((at + 2048) * 512)) disk.img
  printf '%s\n' "label: gpt" "label-id: $disk_id" "first-lba: 2048" "${rows[@]}" | sfdisk --quiet disk.img
  hybrid_mbr disk.img "$(sectors boot.img)"
  at=2048
  for part in boot slots kernel-a root-a kernel-b root-b data; do
    put $part.img $at
    at=$((at + $(sectors $part.img)))
    rm $part.img
  done
}

# A Pi 3 and a Zero 2 W start by a ROM that knows the old table only, and takes the first partition of a type with FAT.
# The second entry says that there is a GPT, and covers it.
hybrid_mbr() { # FILE SECTORS
  {
    mbr_entry 0c 2048 "$2"
    mbr_entry ee 1 2047
    mbr_entry 00 0 0
    mbr_entry 00 0 0
  } | dd of="$1" bs=1 seek=446 conv=notrunc status=none
}

# Places in cylinders and heads are those that mean "too far for this".
mbr_entry() { # TYPE START SECTORS
  local chs='\xfe\xff\xff'
  [ "$1" != 00 ] || chs='\x00\x00\x00'
  printf "\\x00$chs\\x$1$chs$(little_endian "$2")$(little_endian "$3")"
}

little_endian() { # NUMBER: four bytes
  printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255))
}

# FAT32 with clusters of 1 KB: the ROM reads it, and there are enough of them to be FAT32.
make_card_boot() { # FILE
  local tree
  cp -r "$firmware/boot" .
  mkdir trees
  [ -z "$device_trees" ] || cp "$device_trees"/trees/* trees
  for tree in trees/*.dtb; do [ ! -e "$tree" ] || shut_u_boot "$tree"; done
  find boot trees -exec touch --date "@$SOURCE_DATE_EPOCH" {} +
  truncate -s "${card_boot}M" "$1"
  mformat -i "$1" -F -c 2 -N 4c617962 -v LAYBY ::
  mcopy -m -i "$1" boot/* ::/
  [ -z "$device_trees" ] || mcopy -m -i "$1" trees/*.dtb ::/
  rm -rf boot trees
}

# U-Boot takes its own settings from the tree that the board's firmware gives it. So it takes no keys, neither while it waits
# nor by Ctrl-C while its script runs: a keyboard that somebody plugs in would open all that is on the card. Its command has
# one word there; this one runs what U-Boot would run anyway.
shut_u_boot() { # TREE
  fdtput -p -t s "$1" /config bootcmd boot
  fdtput -t i "$1" /config bootsecure 1
}

make_card_kernel() { # FILE
  mkdir slot slot/broadcom
  cp uki.efi slot/kernel.efi
  if [ -n "$device_trees" ]; then
    cp "$device_trees"/trees/*.dtb slot/broadcom
    cp -r "$device_trees/overlays" slot
  fi
  printf 'words=%s\n' "$(cat cmdline)" >slot/words.txt
  find slot -exec touch --date "@$SOURCE_DATE_EPOCH" {} +
  truncate -s "${card_kernel}M" "$1"
  mformat -i "$1" -N 4c617963 -v LAYBY ::
  mcopy -m -s -i "$1" slot/* ::/
  rm -rf slot
}

# The counters as they are on a new card: slot a is good, slot b is empty.
make_slots() { # FILE
  printf 'lb_a=good\0lb_b=empty\0lb_first=a\0lb_n=1\0lb_why=none\0' >counters
  truncate -s 508 counters
  { printf "$(little_endian "$(crc32_of counters)")" && cat counters; } >"$1"
  truncate -s "${card_slots}M" "$1"
  rm counters
}

# gzip ends with the sum that U-Boot uses, then the length.
crc32_of() { # FILE
  printf '%s' $((0x$(gzip -c "$1" | tail -c 8 | head -c 4 | od -An -tx4 --endian=little | tr -d ' ')))
}

# The mark by which the first start knows that nothing is lost when it makes the data anew.
make_unused() { # FILE
  printf 'layby: this partition was never used\n' >"$1"
  truncate -s "$data_size" "$1"
}

# As Raspberry Pi Imager and others take it.
make_packed() {
  local image_file=layby-$card_name.img.xz
  xz --threads=2 -3 --stdout "$disk/disk.img" >"$image_file"
  sha256sum "$image_file" >"$image_file.sha256"
}
