# Debian's packages for another release or processor than this machine's own: apt with lists of its own, that reads
# nothing of what is installed here and needs no root. Sourced.

# One line a suite, as apt wants them; from the mirrors this machine uses itself. A board says when it takes more than
# what Debian calls free (`components`).
apt_sources() { # RELEASE
  local main security signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  main=$(apt_mirror)
  security=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 2>/dev/null |
    awk '$2 == "Debian" && $1 ~ /security/ && !seen++ { print $1 }')
  printf "deb %s %s %s ${components:-main}\n" "$signed" "$main" "$1" "$signed" "$main" "$1-updates"
  [ -z "$security" ] || printf "deb %s %s %s ${components:-main}\n" "$signed" "$security" "$1-security"
}

# One for each set of components.
apt_folder() { # RELEASE PROCESSOR
  local more=${components:-main}
  more=${more#main}
  printf 'apt-%s-%s%s' "$1" "$2" "${more// /-}"
}

# Sets apt_options; the lists are read anew once a day, or when LAYBY_FRESH_LISTS is set.
apt_open() { # RELEASE PROCESSOR
  local own
  own=$cache/$(apt_folder "$1" "$2")
  mkdir -p "$own/lists/partial" "$own/cache/archives/partial" "$own/state"
  apt_sources "$1" >"$own/sources.list"
  apt_options=(
    -o "Dir::State=$own/state" -o "Dir::State::Lists=$own/lists" -o Dir::State::Status=/dev/null
    -o "Dir::Cache=$own/cache" -o "Dir::Etc::SourceList=$own/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "APT::Architecture=$2" -o "APT::Architectures=$2" -o APT::Sandbox::User= -o APT::Install-Recommends=no
    -o APT::Get::List-Cleanup=no
  )
  locked "$own/lock" apt_read_lists "$own" "what Debian $1 has for $2"
}

# Reads apt's lists, unless they were read within a day.
apt_read_lists() { # FOLDER WORDS
  [ -z "${LAYBY_FRESH_LISTS:-}" ] || rm -f "$1/read"
  [ -z "$(find "$1/read" -mmin -1440 2>/dev/null)" ] || return 0
  say "  lists      reading $2 ..." >&2
  if apt-get "${apt_options[@]}" -qq update; then
    touch "$1/read"
  else
    [ -e "$1/read" ] || die 69 "apt could not read Debian's package lists; is the network there?"
    say "  lists      cannot be read now; those of $(date -r "$1/read" +%F) will do" >&2
  fi
}

# "name version" of all that would be installed.
apt_closure() { # PACKAGE...
  apt-get "${apt_options[@]}" -qq -s install "$@" | awk '/^Inst / { gsub(/[()]/, "", $3); print $2, $3 }' | sort
}

apt_version() { # PACKAGE
  apt-cache "${apt_options[@]}" policy "$1" | awk '/Candidate:/ { print $2 }'
}

# The one package with a version in its name that another stands for.
apt_stands_for() { # PACKAGE PATTERN
  apt-cache "${apt_options[@]}" depends "$1" | awk -v pattern="$2" '/Depends:/ && $2 ~ pattern { print $2; exit }'
}

# Unpacks packages without installing them; only PATHS of them when given after "--".
apt_unpack() { # FOLDER PACKAGE... [-- PATH...]
  local folder=$1 download package
  shift
  local packages=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do packages+=("$1") && shift; done
  [ $# = 0 ] || shift
  download=$(mktemp -d "$cache/download.XXXXXX")
  (cd "$download" && apt-get "${apt_options[@]}" -qq download "${packages[@]}")
  mkdir -p "$folder"
  for package in "$download"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar --extract --no-same-owner --directory "$folder" "$@"
  done
  rm -rf "$download"
}

# The same for the sources of a release's packages, with lists of their own. For a subshell: apt_options are others then.
apt_open_sources() { # RELEASE
  local own=$cache/apt-$1-source
  mkdir -p "$own/lists/partial" "$own/cache/archives/partial" "$own/state"
  apt_sources "$1" | sed 's/^deb /deb-src /' >"$own/sources.list"
  apt_options=(
    -o "Dir::State=$own/state" -o "Dir::State::Lists=$own/lists" -o Dir::State::Status=/dev/null
    -o "Dir::Cache=$own/cache" -o "Dir::Etc::SourceList=$own/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o APT::Sandbox::User= -o APT::Get::List-Cleanup=no
  )
  locked "$own/lock" apt_read_lists "$own" "what sources Debian $1 has"
}

# The newest version of a package's source; then "sum size name" of each of its files, as Debian's own list has them.
apt_source() { # PACKAGE
  local shown version newest=
  shown=$(apt-cache "${apt_options[@]}" showsrc --only-source "$1")
  for version in $(awk '$1 == "Version:" { print $2 }' <<<"$shown"); do
    [ -n "$newest" ] && dpkg --compare-versions "$version" lt "$newest" || newest=$version
  done
  [ -n "$newest" ] || die 69 "Debian's lists have no source of $1."
  say "$newest"
  awk -v wanted="$newest" '
    $1 == "Version:" { here = $2 == wanted }
    /^[^ ]/ { sums = here && $1 == "Checksums-Sha256:" }
    sums && NF == 3 { print $1, $2, $3 }' <<<"$shown" | sort -u
}
