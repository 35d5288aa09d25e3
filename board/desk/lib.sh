# Shell functions that board/desk/run, board/desk/demo and Tests/run share. Sourced by bash, not run.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# The crash handler's child can hang for ever and hold the caller's pipe.
export SWIFT_BACKTRACE=enable=no
# Where the swift.org toolchain is unpacked by those who follow the advice below.
[ ! -d /opt/swift/usr/bin ] || PATH="$PATH:/opt/swift/usr/bin"

say() { printf '%s\n' "$*"; }

die() { # EXITCODE LINE...
  local code=$1 line
  shift
  for line in "$@"; do printf '%s\n' "$line" >&2; done
  exit "$code"
}

have() { command -v "$1" >/dev/null 2>&1; }

# What stands in the sections of board/desk/packages: "name|other name<TAB>why", one a line.
packages_in() { # SECTION...
  awk -v wanted=" $* " '
    /^#/ || /^[[:space:]]*$/ { next }
    /^\[/ { gsub(/[][]/, ""); inside = index(wanted, " " $0 " "); next }
    inside { name = $1; sub(/^[^[:space:]]+[[:space:]]+/, ""); print name "\t" $0 }' "$top/board/desk/packages"
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Read to its end: a reader that leaves early would make apt-cache fail.
is_known() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]; }

# The first of "this|that" that is installed; then the first that apt knows; fails when there is neither.
choose() { # NAMES
  local name
  for name in ${1//|/ }; do ! is_installed "$name" || { printf '%s' "$name" && return; }; done
  for name in ${1//|/ }; do ! is_known "$name" || { printf '%s' "$name" && return; }; done
  return 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo "$@"; else return 1; fi; }

# A person sees how far it is; a log is spared.
apt_get() {
  local quiet=()
  [ -t 1 ] || quiet=(-qq -o Dpkg::Use-Pty=0)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${quiet[@]}" "$@" | { if [ -t 1 ]; then cat; else cat >/dev/null; fi; }
}

# Installs what is missing of some sections. Says what and why; asks only a person who can answer.
install_packages() { # SECTION...
  local names why name missing=() chosen=() fresh_lists=no
  have apt-get || { say "There is no apt here; install what board/desk/packages names yourself." && return; }
  while IFS=$'\t' read -r names why; do
    name=$(choose "$names") || name=${names%%|*}
    ! is_installed "$name" || continue
    [ ${#missing[@]} -gt 0 ] || say "Missing, to be installed with apt:"
    printf '  %-24s %s\n' "$name" "$why"
    missing+=("$names")
  done < <(packages_in "$@" && { have swift || swift_package; })
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || have sudo || die 69 "This needs root: run it again as root, or install these yourself."
  agree "Install them?" || die 69 "Nothing was installed, so nothing can be built."
  for names in "${missing[@]}"; do
    if ! choose "$names" >/dev/null && [ $fresh_lists = no ]; then
      say "Reading apt's package lists ..."
      apt_get update || die 69 "apt could not read its package lists; is the network there?"
      fresh_lists=yes
    fi
    chosen+=("$(choose "$names")") || die 69 "apt knows no package ${names%%|*}; this needs Debian 12 or 13."
  done
  say "Installing ${#chosen[@]} packages ..."
  apt_get install -y --no-install-recommends "${chosen[@]}" && return
  # Old lists name files that are gone from the mirror.
  [ $fresh_lists = no ] && apt_get update && apt_get install -y --no-install-recommends "${chosen[@]}" ||
    die 69 "apt could not install them; its own words stand above."
}

# Yes without asking, unless there is a person at the terminal who was not told to be left alone.
agree() { # QUESTION
  local answer
  [ "${assume_yes:-no}" = no ] && [ -t 0 ] && [ -t 1 ] && [ -z "${CI:-}" ] || return 0
  read -r -p "$1 [Y/n] " answer
  case $answer in '' | y* | Y*) return 0 ;; *) return 1 ;; esac
}

# Where this machine's apt gets Debian from.
apt_mirror() {
  local found
  found=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 2>/dev/null | awk '$2 == "Debian" && $1 !~ /security/ && !seen++ { print $1 }')
  [ -n "$found" ] || found=$(sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | awk 'NR == 1')
  [ -n "$found" ] || found=$(awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) if (!seen++) print $i }' /etc/apt/sources.list 2>/dev/null)
  printf '%s' "${found:?apt names no mirror}"
}

# Debian 13 has a compiler; older ones do not, and then nobody but the owner can say where one is to come from.
swift_package() {
  local release=0
  [ ! -r /etc/os-release ] || release=$(. /etc/os-release && printf '%s' "${VERSION_ID:-0}")
  if [ "${release%%.*}" -ge 13 ] 2>/dev/null || is_known swiftlang; then
    printf 'swiftlang\tthe compiler (2 GB)\n'
  fi
}

need_swift() {
  have swift || die 69 \
    "There is no Swift compiler, and this system's apt has none (Debian 13 has: swiftlang)." \
    "Get a toolchain, 6.0 or newer, for this system from swift.org, unpack it to /opt/swift so that" \
    "/opt/swift/usr/bin/swift is there, add /opt/swift/usr/bin to your PATH, and run this again."
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\..*/\1/p')
  [ "${version:-0}" -ge 6 ] || die 69 "This Swift is version ${version:-unknown}; Layby needs 6.0 or newer."
}

# The runtime linked in starts faster and is smaller; some toolchains come without it.
runtime_flags() {
  local folder
  folder=$(swiftc -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath"[^"]*"\(.*\)".*/\1/p')
  [ ! -e "${folder}_static/linux/libswiftCore.a" ] || printf '%s' --static-swift-stdlib
}

release_folder="$top/.build/desk"

# What the player does not decode itself has a program of its own; a build without its libraries does without it.
wants_foreign() { [ -z "${LAYBY_SMALL:-}" ] && pkg-config --exists libavformat 2>/dev/null; }

# Builds programs of the package for use, showing how far it is. LAYBY_PROGRAMS names a folder with all of them, if they
# are built already.
build_release() { # PRODUCT...
  local product flags
  if [ -n "${LAYBY_PROGRAMS:-}" ]; then
    for product in "$@"; do
      [ -x "$LAYBY_PROGRAMS/$product" ] || die 70 "LAYBY_PROGRAMS names $LAYBY_PROGRAMS, where there is no $product."
    done
    return
  fi
  flags=$(runtime_flags)
  [ -n "$flags" ] || say "(this toolchain has no static runtime; linking the shared one)"
  wants_foreign || export LAYBY_SMALL=1
  for product in "$@"; do
    say "Building $product ..."
    # Nobody debugs what is built for use.
    # shellcheck disable=SC2086  # no flag or one
    (cd "$top" && swift build -c release --scratch-path "$release_folder" $flags --product "$product" \
      -Xswiftc -warnings-as-errors -Xswiftc -gnone) ||
      die 70 "$product could not be built; the compiler's words stand above."
  done
}

program() { printf '%s/%s' "${LAYBY_PROGRAMS:-$release_folder/release}" "$1"; }
