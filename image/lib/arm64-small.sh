# A small arm64 system in memory: Debian's kernel, busybox, the program with its libraries, and one script that tries
# the device tree's knob and keys. It starts in seconds where the whole image takes a minute. Sourced.

# Sets small: kernel, initrd, board.dtb.
small_stage() {
  local key
  key=$({ say "$kernel $program $cross_sysroot $(apt_version busybox-static) $(apt_version fonts-dejavu-core)" &&
    cat "$demo_album/complete" && sources_of "$board/small" "$board/modules" "$top/board/$like/root/etc/modprobe.d" "$board/dash.dtsi" "$board/machine" \
    "$image"/lib/arm64-*.sh; } | hash_of)
  stage "$name-small" "$key" make_small
  small=$made
}

make_small() {
  local tree=tree path
  apt_unpack busybox busybox-static
  apt_unpack fonts fonts-dejavu-core
  mkdir -p $tree/{bin,modules,proc,sys,dev,etc/layby,usr/share/layby/demo}
  cp "$(find busybox -path '*/bin/busybox')" $tree/bin/busybox
  for path in sh mount mkdir insmod usleep sed cat grep poweroff; do ln -s busybox "$tree/bin/$path"; done
  install -m 755 "$board/small/init" $tree/init
  cp "$board/small/board.conf" "$board/small/layby.conf" $tree/etc/layby
  cp "$demo_album"/flac/*.flac $tree/usr/share/layby/demo
  cp -a fonts/usr/share/fonts $tree/usr/share
  small_program $tree
  # The lines come first: nothing may hang on them before they rest at their level.
  say gpio_sim | small_modules >load-lines
  rows_in "$board/modules" small | small_modules | grep -vxFf load-lines >load-rest
  for path in load-lines load-rest; do small_loads $path >$tree/modules/$path; done
  (cd $tree && find . -mindepth 1 | sort | cpio --quiet --create --format newc --reproducible --owner 0:0) |
    zstd -q -9 >initrd
  cp "$kernel/vmlinuz" kernel
  board_tree board.dtb
  rm -rf busybox fonts $tree load-*
}

# The program, its loader and libraries, and what alsa-lib reads.
small_program() { # TREE
  local library inside
  install -m 755 "$program" "$1/bin/layby"
  inside=$(realpath --relative-to "$cross_sysroot" "$program")
  ln -s usr/lib "$1/lib"
  mkdir -p "$1/$cross_libraries"
  cp -L "$cross_sysroot/$cross_libraries/ld-linux-aarch64.so.1" "$1/usr/lib"
  for library in $(needed_libraries "$cross_sysroot" "$inside"); do
    cp -L "$cross_sysroot$library" "$1/$cross_libraries"
  done
  cp -a "$cross_sysroot/usr/share/alsa" "$1/usr/share"
}

# "file words", in the order in which they can be loaded; the words are those of the board's modprobe.d.
small_modules() {
  while read -r one; do
    modprobe --dirname "$kernel/tree/usr" --config "$top/board/$like/root/etc/modprobe.d" --set-version "$kernel_version" \
      --show-depends "$one" || die 70 "The kernel $kernel_version has no module $one."
  done | sed -n 's/^insmod //p' | awk '!seen[$1]++'
}

small_loads() { # LIST
  local path words
  while read -r path words; do
    case $path in
      # busybox unpacks nothing here.
      *.xz) xz --decompress --stdout "$path" ;;
      *) cat "$path" ;;
    esac >"tree/modules/$(basename "$path" .xz)"
    say "insmod /modules/$(basename "$path" .xz) $words"
  done <"$1"
}
