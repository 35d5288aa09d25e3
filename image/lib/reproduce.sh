# The proof that the same input gives the same disk: everything is made twice, in folders of their own. Sourced.

# Shared by both are apt's lists (what Debian has is an input) and the compiled program and album.
check_reproducible() {
  local both run one other differs=no part
  program_stage
  demo_stage
  (apt_open_sources "$release")
  both=$(mktemp -d "$work/twice.XXXXXX")
  unfinished=$both
  for run in first second; do
    mkdir -p "$both/$run/image/cache"
    cp -a "$cache/$(apt_folder "$release" "$arch")" "$cache/apt-$release-source" "$both/$run/image/cache"
    # Whoever signs is an input too.
    [ ! -e "$work/development" ] || cp -a "$work/development" "$both/$run/image"
    [ -z "$demo_album" ] || cp -a "$demo_album" "$both/$run/image/demo"
    say "The $run time, from nothing:"
    LAYBY_BUILD=$both/$run LAYBY_PROGRAM=$program LAYBY_DECODE_PROGRAM=$decode_program LAYBY_KEYS_PROGRAM=$keys_program LAYBY_CROSS=$cross_store "$image/build" "${asked[@]}" >"$both/$run.log" || {
      tail -n 30 "$both/$run.log"
      die 70 "It could not be made the $run time."
    }
    sed -n '/^  .*made in/p' "$both/$run.log"
  done
  for part in disk.img kernel initrd cmdline; do
    one=$(sha256sum <"$both/first/image/$name/$part" | cut -d' ' -f1)
    other=$(sha256sum <"$both/second/image/$name/$part" | cut -d' ' -f1)
    if [ "$one" = "$other" ]; then say "the same twice: $part $one"; else differs=yes && say "DIFFERS: $part $one $other"; fi
  done
  if [ $differs = yes ]; then
    unfinished=
    where_it_differs "$both" | head -n 50
    die 1 "Two runs gave two disks; both lie in $both."
  fi
}

# The stages' files, so that one sees which stage brought it in.
where_it_differs() { # FOLDER
  local run
  for run in first second; do
    (cd "$1/$run/image/cache" && find . -type f -not -path './apt-*' -exec sha256sum {} + |
      sed 's|  \./\([^/]*\)-[0-9a-f]\{20\}/|  \1/|' | sort -k 2) >"$1/$run.sums"
  done
  diff "$1/first.sums" "$1/second.sums" || true
}
