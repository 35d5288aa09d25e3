# The system under the program: Debian's packages, less what only serves to install packages. Sourced.

# Documentation and translations nobody reads on a box without a keyboard.
left_out=(
  '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/locale/*' '/usr/share/info/*' '/usr/share/lintian/*'
  '/usr/share/bash-completion/*' '/usr/share/zsh/*' '/usr/share/i18n/*' '/usr/share/menu/*' '/usr/share/common-licenses/*'
  # Weights and faces of fonts that no board draws with.
  '/usr/share/fonts/truetype/droid/*' '/usr/share/fonts/truetype/dejavu/DejaVuSerif*'
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono*' '/usr/share/fonts/truetype/tlwg/*Oblique*'
  '/usr/share/fonts/opentype/inter/InterDisplay*' '/usr/share/fonts/opentype/inter/InterVariable*'
  '/usr/share/fonts/opentype/inter/Inter-[BEILMT]*' '/usr/share/fonts/opentype/inter/Inter-SemiBoldItalic*'
  '/usr/lib/*/gconv/*' '/usr/lib/*/perl-base/unicore/*' '/usr/share/gcc*' '/usr/share/gdb/*' '/usr/share/pixmaps/*'
)

base_stage() {
  local packages key
  packages=$(root_packages)
  # shellcheck disable=SC2086  # one word a package
  key=$({ say "$release $arch" && sources_of "$image/lib/base.sh" "$image/lib/foreign.sh" && root_packages && dropped_packages &&
    single_files && apt_closure '?essential' usr-is-merged $packages; } | hash_of)
  stage "$name-base" "$key" make_base
  base=$made
}

# What is not free is left out where that was asked for.
root_packages() {
  rows_in "$board/packages" root
  [ "${free:-no}" = yes ] || rows_in "$board/packages" not-free
}

# Those that are taken without the rest of their package: PACKAGE VERSION PATH.
single_files() {
  local row
  [ "${free:-no}" = no ] || return 0
  for row in $(rows_in "$board/packages" not-free-files); do
    say "${row%%:*} $(apt_version "${row%%:*}") ${row#*:}"
  done
}

dropped_packages() { rows_in "$board/packages" drop; }

make_base() {
  local package path
  # shellcheck disable=SC2046  # one word a package
  debian_tree tree $(root_packages)
  # Which file came with which package, for the report of sizes and for the tools' layer.
  cp -a tree/var/lib/dpkg/info info
  cp tree/var/lib/dpkg/status status
  drop_packages $(dropped_packages)
  single_files | while read -r package _ path; do apt_unpack tree "$package" -- --wildcards "./$path"; done
  rm -rf tree/var/lib tree/var/cache tree/var/log tree/etc/apt tree/etc/dpkg tree/etc/alternatives/README
  # What udev's list of devices was compiled from.
  rm -rf tree/usr/lib/udev/hwdb.d
}

# Debian's own tools put it together, so that users, links and caches are as on any Debian; everything belongs to
# whoever runs this, and to root again in the image.
debian_tree() { # FOLDER PACKAGE...
  local folder=$1 options=() one
  if is_foreign; then
    foreign_tree "$@"
    return
  fi
  shift
  for one in "${left_out[@]}"; do options+=(--dpkgopt="path-exclude=$one"); done
  while read -r one; do options+=(--aptopt="$one"); done < <(machine_apt_settings)
  apt_sources "$release" >sources.list
  mmdebstrap --quiet --mode=auto --variant=essential --architectures="$arch" --format=tar "${options[@]}" \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
    --include="$(printf '%s,' "$@")" "$release" packed.tar sources.list >mmdebstrap.log 2>&1 ||
    { tail -n 30 mmdebstrap.log >&2 && die 70 "mmdebstrap could not put the system together."; }
  mkdir "$folder"
  tar --extract --no-same-owner --preserve-permissions --directory "$folder" --file packed.tar \
    --exclude './dev/*' --exclude './proc/*' --exclude './sys/*'
  # A folder that its owner may not write could not be taken away again without root.
  find "$folder" -type d ! -perm -u+rwx -exec chmod u+rwx {} +
  rm packed.tar sources.list mmdebstrap.log
}

# How this machine reaches its mirrors.
machine_apt_settings() { apt-config dump | grep -E '^Acquire::(https?|ftp)::Proxy|^Acquire::Check-' || true; }

# Takes the files of packages out again: needed to install, not to run.
drop_packages() { # PACKAGE...
  local package list
  for package in "$@"; do
    for list in info/"$package".list info/"$package":*.list; do
      [ -e "$list" ] || continue
      while IFS= read -r path; do
        # Folders stay, links to folders too (/bin, /lib).
        [ -d "tree$path" ] || rm -f "tree$path"
      done <"$list"
    done
  done
  find tree/usr tree/etc -depth -mindepth 2 -type d -empty -delete
}
