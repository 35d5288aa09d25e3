# A small first system: busybox, a handful of modules and one script (image/initrd). Sourced.

initrd_stage() {
  local key
  key=$({ say "${kernel##*/} $(apt_version busybox-static)" && { [ $slots = no ] || apt_version dmsetup; }
    sources_of "$image/initrd" "$image/lib/initrd.sh"; } | hash_of)
  stage "$name-initrd" "$key" make_initrd
  initrd=$made
}

make_initrd() {
  local path tree=tree
  apt_unpack busybox busybox-static
  mkdir -p $tree/{bin,modules,proc,sys,dev,root,tools,upper,new}
  cp "$(find busybox -path '*/bin/busybox')" $tree/bin/busybox
  for path in sh ln mount mkdir insmod readlink switch_root usleep; do ln -s busybox "$tree/bin/$path"; done
  while read -r path; do
    case $path in
      # busybox unpacks nothing here.
      *.xz) xz --decompress --stdout "$kernel/tree/usr/lib/modules/$kernel_version/$path" ;;
      *) cat "$kernel/tree/usr/lib/modules/$kernel_version/$path" ;;
    esac >"$tree/modules/$(basename "$path" .xz)"
    say "insmod /modules/$(basename "$path" .xz)" >>$tree/modules/load
  done <"$kernel/initrd-modules"
  [ $slots = no ] || add_verity
  install -m 755 "$image/initrd" $tree/init
  find $tree -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
  (cd $tree && find . -mindepth 1 | sort | cpio --quiet --create --format newc --reproducible --owner 0:0) |
    zstd -q -19 >initrd
  rm -rf busybox $tree
}

# What has the kernel check a slot's root: dmsetup, with the libraries that it is linked with.
add_verity() {
  local file
  apt_unpack verity dmsetup libdevmapper1.02.1 libc6 libudev1 libselinux1 libpcre2-8-0 libcap2
  install -D -m 755 verity/usr/sbin/dmsetup $tree/bin/dmsetup
  for file in $(needed_libraries verity usr/sbin/dmsetup); do install -D -m 755 "verity$file" "$tree$file"; done
  # Where programs look for what loads them.
  cp -a verity/usr/lib/ld-linux-*.so.* $tree/usr/lib
  ln -s usr/lib $tree/lib
  rm -rf verity
}
