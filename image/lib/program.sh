# What is put into the system: the program, the demo album, the tools of the tests. Sourced.

# The player, what decodes foreign files for it, and what keeps its keys. LAYBY_PROGRAM, LAYBY_DECODE_PROGRAM and
# LAYBY_KEYS_PROGRAM name some that are built already; a board for another processor has a way of its own (cross.sh).
program_stage() {
  local key
  build_program layby "${LAYBY_PROGRAM:-}"
  program_source=$built_program
  build_program layby-decode "${LAYBY_DECODE_PROGRAM:-}"
  decode_source=$built_program
  build_program layby-keys "${LAYBY_KEYS_PROGRAM:-}"
  keys_source=$built_program
  key=$(cat "$program_source" "$decode_source" "$keys_source" | hash_of)
  stage "$name-program" "$key" strip_program
  program=$made/layby decode_program=$made/layby-decode keys_program=$made/layby-keys
}

# Sets built_program.
build_program() { # PRODUCT BUILT
  built_program=$2
  [ -z "$2" ] || return 0
  if is_foreign; then
    cross_kit
    cross_build "$1"
    built_program=$(cross_program "$1")
    return
  fi
  need_swift
  build_release "$1"
  built_program=$(program "$1")
}

strip_program() {
  local one
  cp "$program_source" layby
  cp "$decode_source" layby-decode
  cp "$keys_source" layby-keys
  for one in layby layby-decode layby-keys; do
    "$(tool strip)" --strip-all --remove-section .note.gnu.build-id --remove-section .comment "$one"
  done
}

demo_stage() {
  demo_album=
  [ "${demo:-no}" = yes ] || return 0
  demo_album=$work/demo
  locked "$cache/demo.lock" "$top/board/desk/demo" "$demo_album"
}

# The difference between the root and the same root with the tools installed.
tools_stage() {
  local key packages
  packages=$(root_packages; rows_in "$board/packages" tools)
  # shellcheck disable=SC2086  # one word a package
  key=$({ say "${base##*/}" && sources_of "$image/lib/base.sh" "$image/lib/foreign.sh" "$image/lib/program.sh" "$image/tools" "$image/users" &&
    say "$packages" && apt_closure '?essential' usr-is-merged $packages; } | hash_of)
  stage "$name-tools" "$key" make_tools
  tools=$made
}

make_tools() {
  local package
  # shellcheck disable=SC2046  # one word a package
  debian_tree tree $(root_packages; rows_in "$board/packages" tools)
  rm -rf tree/var tree/etc/apt tree/etc/dpkg
  contents_of "$base/tree" >below
  contents_of tree >here
  comm -13 below here >new-ones
  # Only what is other or new goes into the layer; what was dropped from the root comes back with it.
  mkdir layer
  cut -c67- new-ones | tar --create --no-recursion --directory tree --files-from=- | tar --extract --directory layer
  # Tools are called; they start nothing by themselves and know of no device: the system under test is the shipped one.
  rm -rf layer/etc/systemd/system layer/usr/lib/udev layer/etc/init.d layer/etc/rc?.d layer/etc/cron.* layer/etc/xdg
  rm -rf layer/usr/lib/systemd/system/*.wants layer/usr/lib/tmpfiles.d layer/usr/lib/sysctl.d
  cp -a "$image/tools/." layer
  add_users layer
  pack_squashfs layer tools.img
  rm -rf tree layer below here new-ones
}

# "hash  path" of each file and link.
contents_of() { # TREE
  (cd "$1" && {
    find . -type f -exec sha256sum {} +
    find . -type l -printf '%l %p\n' | while read -r target path; do
      printf '%s  %s\n' "$(printf '%s' "$target" | sha256sum | cut -c1-64)" "$path"
    done
  }) | sort
}
