# How large everything is, and the last step: the results where people look for them. Sourced.

# Runs where the tree of the root is still there; the limits are the project's own.
measure_root() { # TREE
  local tree=$1 program_bytes all_bytes decoder_bytes font_bytes
  all_bytes=$(bytes_of "$tree")
  font_bytes=$(find "$tree"/usr/share/fonts* -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }')
  program_bytes=$({ say /usr/bin/layby && needed_libraries "$tree" usr/bin/layby; } | sum_of "$tree")
  # Ends this if one is missing.
  needed_libraries "$tree" usr/libexec/layby/layby-decode >/dev/null
  decoder_bytes=$(bytes_of "$formats/tree")
  {
    row "root, unpacked (less than 250 MB)" "$all_bytes"
    row "the program and its libraries (less than 40 MB)" "$program_bytes"
    row "  the program itself" "$(say /usr/bin/layby | sum_of "$tree")"
    row "  its libraries" "$(needed_libraries "$tree" usr/bin/layby | sum_of "$tree")"
    row "the keeper of keys" "$(say /usr/libexec/layby/layby-keys | sum_of "$tree")"
    row "FFmpeg's decoders of sound, LGPL 2.1 or later (less than 6 MB)" "$decoder_bytes"
    row "  layby-decode, which shuts them in" "$(bytes_of "$tree/usr/libexec/layby")"
    row "fonts (less than 12 MB)" "$font_bytes"
    row "kernel modules" "$(bytes_of "$tree/usr/lib/modules")"
    [ ! -d "$tree/usr/share/layby/demo" ] || row "demo album" "$(bytes_of "$tree/usr/share/layby/demo")"
    say "by package (what is shared with the program counts above too):"
    by_package "$tree"
  } >sizes
  [ "$all_bytes" -lt 250000000 ] || die 70 "The root is $all_bytes bytes; it must be less than 250 MB."
  [ "$font_bytes" -lt 12000000 ] || die 70 "The fonts are $font_bytes bytes; they must be less than 12 MB."
  [ "$program_bytes" -lt 40000000 ] || die 70 "The program and its libraries are $program_bytes bytes; at most 40 MB."
  [ "$decoder_bytes" -lt 6000000 ] || die 70 "FFmpeg's libraries are $decoder_bytes bytes; at most 6 MB."
}

row() { awk -v what="$1" -v bytes="$2" 'BEGIN { printf "%8.2f MB  %s\n", bytes / 1e6, what }'; }

bytes_of() { find "$1" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }'; }

sum_of() { # TREE; paths on standard input
  while IFS= read -r path; do stat --dereference --format %s "$1$path"; done | awk '{ sum += $1 } END { print sum + 0 }'
}

# What the program's own words say it is linked with, and so on: works for any processor.
needed_libraries() { # TREE FILE
  local tree=$1 todo=("$2") file library path
  declare -A seen=()
  while [ ${#todo[@]} -gt 0 ]; do
    file=${todo[0]} && todo=("${todo[@]:1}")
    for library in $(readelf --dynamic --wide "$tree/$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'); do
      [ -z "${seen[$library]:-}" ] || continue
      path=$(cd "$tree" && find usr/lib -name "$library" -not -path '*/systemd/*' | awk 'NR == 1')
      [ -n "$path" ] || die 70 "The root lacks $library, which /$file needs."
      seen[$library]=$path
      todo+=("$path")
      printf '/%s\n' "$path"
    done
  done
}

by_package() { # TREE
  local list
  {
    for list in "$base"/info/*.list "$formats"/*.list; do sed "s|^/\(usr/\)\{0,1\}|$(basename "$list" .list)\t|" "$list"; done
    printf '\n'
    (cd "$1" && find . -type f -printf '%P\t%s\n' | sed 's,^usr/,,')
  } | awk -F '\t' '
    $0 == "" { files = 1; next }
    !files { owner[$2] = $1; next }
    $1 ~ "^lib/modules/" { next }
    { sum[$1 in owner ? owner[$1] : "(ours, and made while installing)"] += $2 }
    END { for (package in sum) printf "%8.2f MB  %s\n", sum[package] / 1e6, package }' | sort -rn
}

hand_over() {
  local out=$work/$name file
  mkdir -p "$out"
  {
    row "disk.img" "$(stat --format %s "$disk/disk.img")"
    row "  of it taken" "$(($(stat --format %b "$disk/disk.img") * 512))"
    row "root, packed" "$(stat --format %s "$root/root.squashfs")"
    row "kernel" "$(stat --format %s "$disk/kernel")"
    row "first system (initrd)" "$(stat --format %s "$disk/initrd")"
    [ $slots = no ] || row "file for updates" "$(stat --format %s "$bundle"/*.layby)"
    [ -z "$packed" ] || row "packed for a card (less than 400 MB)" "$(stat --format %s "$packed"/*.img.xz)"
    [ $with_tools = no ] || row "tests' tools, packed" "$(stat --format %s "$tools/tools.img")"
    cat "$root/sizes"
  } >"$out/sizes.txt"
  if [ $slots = yes ]; then
    [ "$starts_by" = u-boot ] || put_there "$card/disk.img" card.img
    for file in "$bundle"/*.layby; do put_there "$file"; done
    if [ -n "$update_is_own" ]; then put_there "$update_certificate" update.pem; else put_there "$update_certificate" development.pem; fi
  fi
  for file in disk.img kernel initrd cmdline; do put_there "$disk/$file"; done
  if [ -e "$disk/board.dtb" ]; then put_there "$disk/board.dtb"; fi
  if [ -n "$packed" ]; then
    for file in "$packed"/layby-*; do put_there "$file"; done
  fi
  [ $with_tools = no ] || put_there "$tools/tools.img"
  cat "$out/sizes.txt"
  say "sha256 of disk.img: $(sha256sum <"$out/disk.img" | cut -d' ' -f1)"
  say "It is all in $out"
}

# Beside it and then in its place, so that nobody starts a half; what has not changed stays as it is.
put_there() { # FILE [NAME]
  local to=$out/${2:-${1##*/}}
  ! cmp -s "$1" "$to" || return 0
  cp --sparse=always --reflink=auto "$1" "$to.new"
  mv "$to.new" "$to"
}
