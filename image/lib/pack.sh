# From the stages' folders to a disk. Everything here gives the same bytes for the same input. Sourced.

root_stage() {
  local key
  key=$({ say "${base##*/} ${kernel##*/} ${formats##*/} $slots $version $oldest $(cat "${program%/*}"/layby* | hash_of)" && [ -z "$demo_album" ] || cat "$demo_album/complete"
    [ $slots = no ] || sources_of "$image/slots" "$update_certificate"
    sources_of "$image/root" "$image/layby.service" "$image/layby-keys.service" "$image/layby-keys.socket" "$image/units" "$image/users" "$image/panels" "$image/lib/panels.sh" "$image/lib/pack.sh" "$board/board.conf" "$board/root" "$board/units" ${like:+"$top/board/$like/root"}; } | hash_of)
  stage "$name-root" "$key" make_root
  root=$made
}

# A board that says nothing else has its keys kept by layby-keys, which every image has.
keep_keys_apart() { # BOARD.CONF
  local line='broker = /run/layby-keys/socket'
  if grep -q '^broker *=' "$1"; then return 0; fi
  if grep -q '^\[rights\]' "$1"; then
    sed -i "/^\[rights\]/a $line" "$1"
  else
    printf '\n[rights]\n%s\n' "$line" >>"$1"
  fi
}

make_root() {
  cp -a "$base/tree" tree
  cp -a "$kernel/tree/." tree
  cp -a "$formats/tree/." tree
  panel_files tree
  cp -a "$image/root/." tree
  [ $slots = no ] || add_updates tree
  [ -z "$like" ] || cp -a "$top/board/$like/root/." tree
  [ ! -d "$board/root" ] || cp -a "$board/root/." tree
  install -D -m 755 "$program" tree/usr/bin/layby
  install -D -m 755 "$decode_program" tree/usr/libexec/layby/layby-decode
  install -D -m 755 "$keys_program" tree/usr/libexec/layby/layby-keys
  install -D -m 644 "$board/board.conf" tree/etc/layby/board.conf
  keep_keys_apart tree/etc/layby/board.conf
  install -D -m 644 "$image/layby.service" tree/etc/systemd/system/layby.service
  install -D -m 644 -t tree/etc/systemd/system "$image/layby-keys.service" "$image/layby-keys.socket"
  if [ -n "$demo_album" ]; then
    mkdir -p tree/usr/share/layby/demo
    cp "$demo_album"/flac/*.flac tree/usr/share/layby/demo
  fi
  rows_in "$board/modules" load >tree/etc/modules-load.d/layby.conf
  add_users tree
  choose_units tree
  # Made anew at each start.
  : >tree/etc/machine-id
  mkdir -p tree/data tree/var tree/tmp
  rm -rf tree/boot tree/etc/rc?.d tree/etc/init.d tree/etc/cron.*
  # Who answers to names is known when the network is.
  ln -sfn ../run/systemd/resolve/stub-resolv.conf tree/etc/resolv.conf
  channels_by_country tree
  chmod -R u+rwX,go+rX,go-w tree
  chmod 1777 tree/tmp
  chmod 600 tree/etc/shadow
  find tree -type f -perm /6000 -exec chmod ug-s {} +
  measure_root tree
  pack_squashfs tree root.squashfs
  rm -rf tree
}

# Debian's kernel knows both keys that the table can be signed with; the package leaves the choice to a link of its
# installation.
channels_by_country() { # TREE
  local one folder
  for folder in "$1"/usr/lib/firmware; do
    for one in regulatory.db regulatory.db.p7s; do
      [ ! -e "$folder/$one-debian" ] || { ln -sfn "$one-debian" "$folder/$one" && rm -f "$folder/$one-upstream"; }
    done
  done
}

# Nobody can log in: every account is locked.
add_users() { # TREE
  local kind who id etc=$1/etc
  [ -e "$etc/passwd" ] || { mkdir -p "$etc" && cp "$base/tree/etc/"{passwd,group,shadow,gshadow} "$etc"; }
  rm -f "$etc"/{passwd,group,shadow,gshadow}-
  while read -r kind who id; do
    case $kind in
      user)
        sed -i "\$a $who:x:$id:$id::/data:/usr/sbin/nologin" "$etc/passwd"
        sed -i "\$a $who:x:$id:" "$etc/group"
        sed -i "\$a $who:!::::::" "$etc/shadow"
        ;;
      group) sed -i "\$a $who:x:$id:" "$etc/group" ;;
    esac
  done <"$image/users"
  sed -i 's/^\([^:]*\):[^:]*:[^:]*:/\1:!*::/' "$etc/shadow"
}

choose_units() { # TREE
  local unit units=$1/etc/systemd/system
  mkdir -p "$units/music.target.wants"
  # What packages start by themselves is not asked for.
  find "$units" -maxdepth 1 -type d \( -name 'multi-user.target.wants' -o -name 'timers.target.wants' \
    -o -name 'sysinit.target.wants' -o -name 'getty.target.wants' -o -name 'network-online.target.wants' \) -exec rm -r {} +
  for unit in $(rows_in "$image/units" start; rows_in "$board/units" start); do
    ln -sfn "../$unit" "$units/music.target.wants/$unit"
  done
  for unit in $(rows_in "$image/units" mask; rows_in "$board/units" mask); do ln -sfn /dev/null "$units/$unit"; done
  # They look for disks, consoles and settings that this system has not.
  rm -f "$1"/usr/lib/systemd/system-generators/*
}

pack_squashfs() { # TREE FILE
  env -u SOURCE_DATE_EPOCH mksquashfs "$1" "$2" -quiet -no-progress -noappend -comp zstd -Xcompression-level 9 -all-root -no-xattrs \
    -mkfs-time "$SOURCE_DATE_EPOCH" -all-time "$SOURCE_DATE_EPOCH" >&2
}

disk_stage() {
  local key
  key=$({ say "${root##*/} ${kernel##*/} ${initrd##*/} $words $data_size $boots_from_usb" && sources_of "$image/lib/pack.sh" "$image/lib/disk.sh" "$board/dash.dtsi"; } | hash_of)
  stage "$name-disk" "$key" make_disk
  disk=$made
}
