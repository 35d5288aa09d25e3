# The disk itself: a boot partition with one signed-to-be file, the read-only root, the data partition. Sourced.

# The same every time: what is in them tells disks apart, not these.
disk_id=6c617962-7900-4000-8000-000000000000
partition_id() { printf '6c617962-7900-4000-8000-00000000000%s' "$1"; }

make_disk() {
  local own="quiet loglevel=4 panic=10"
  # No key of a keyboard that somebody plugs in reaches into the kernel.
  own+=" sysctl.kernel.sysrq=0"
  [ "$boots_from_usb" = no ] || own+=" layby.usb"
  printf '%s\n' "$words $own" >cmdline
  cp "$kernel/vmlinuz" kernel
  cp "$initrd/initrd" initrd
  make_uki
  make_boot boot.img
  make_data data.img
  # Whole megabytes, one at the beginning and one at the end for the tables.
  local boot root_size data at=2048
  boot=$(sectors boot.img) root_size=$(sectors "$root/root.squashfs") data=$(sectors data.img)
  truncate -s $(((at + boot + root_size + data + 2048) * 512)) disk.img
  sfdisk --quiet disk.img <<TABLE
label: gpt
label-id: $disk_id
first-lba: 2048
start=$at, size=$boot, type=uefi, name=layby-boot, uuid=$(partition_id 1)
start=$((at + boot)), size=$root_size, type=linux, name=layby-root, uuid=$(partition_id 2)
start=$((at + boot + root_size)), size=$data, type=linux, name=layby-data, uuid=$(partition_id 3)
TABLE
  put boot.img "$at"
  put "$root/root.squashfs" $((at + boot))
  put data.img $((at + boot + root_size))
  rm -rf boot.img data.img uki.efi osrel stub
  if [ -e "$board/dash.dtsi" ]; then board_tree board.dtb; fi
}

sectors() { # FILE: rounded up to a megabyte
  local bytes
  bytes=$(stat --format %s "$1")
  printf '%s' $(((bytes + 1048575) / 1048576 * 2048))
}

put() { dd if="$1" of=disk.img bs=512 seek="$2" conv=notrunc,sparse status=none; }

# Kernel, first system and words in one file that firmware starts: one thing to sign and to swap.
make_uki() {
  local stub=usr/lib/systemd/boot/efi/linux$(efi_short).efi.stub end
  if is_foreign; then apt_unpack stub systemd-boot-efi; else ln -s / stub; fi
  stub=stub/$stub
  printf 'ID=layby\nPRETTY_NAME="Layby"\n' >osrel
  # Sections lie behind those of the stub, each at an address of its own.
  end=$("$(tool objdump)" -h "$stub" | awk 'NF == 7 && $1 ~ /^[0-9]+$/ { print "0x" $3, "0x" $4 }' |
    while read -r size at; do printf '%d\n' $((size + at)); done | sort -n | tail -n 1)
  local step=1048576 at options=() part
  at=$(((end + step - 1) / step * step))
  for part in osrel cmdline initrd kernel; do
    local section=.$part
    [ $part != kernel ] || section=.linux
    options+=(--add-section "$section=$part" --change-section-vma "$section=$(printf '%#x' $at)")
    at=$(((at + $(stat --format %s "$part") + step - 1) / step * step))
  done
  "$(tool objcopy)" --preserve-dates "${options[@]}" "$stub" uki.efi
}

# What EFI calls this processor.
efi_short() { case $arch in amd64) printf x64 ;; arm64) printf aa64 ;; esac; }

make_boot() { # FILE
  local bytes file=BOOT$(efi_short | tr a-z A-Z).EFI
  bytes=$(($(stat --format %s uki.efi) / 1048576 + 8))
  truncate -s "${bytes}M" "$1"
  touch --date "@$SOURCE_DATE_EPOCH" uki.efi
  mformat -i "$1" -N 4c617962 -v LAYBY-BOOT ::
  mmd -i "$1" ::/EFI ::/EFI/BOOT
  mcopy -m -i "$1" uki.efi "::/EFI/BOOT/$file"
}

make_data() { # FILE
  truncate -s "$data_size" "$1"
  mke2fs -q -F -t ext4 -L layby-data -U "$(partition_id 3)" -m 0 \
    -E "hash_seed=$(partition_id 4),lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0" "$1"
}
