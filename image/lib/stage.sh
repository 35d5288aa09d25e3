# Stages of the image: each makes one folder of the cache, named for the hash of everything it is made from. Sourced.

# Files in an image carry this time, not that of the build: what is the same inside has the same hash.
export SOURCE_DATE_EPOCH=1767225600 E2FSPROGS_FAKE_TIME=1767225600 TZ=UTC LC_ALL=C.UTF-8

work=${LAYBY_BUILD:-$top/.build}/image
cache=$work/cache

hash_of() { sha256sum | cut -c1-20; }

# The name and the bytes of each file, and where a link leads: what a stage read from the sources.
sources_of() { # PATH...
  local path
  for path in "$@"; do
    [ -e "$path" ] || continue
    (cd "$(dirname "$path")" && find "$(basename "$path")" \( -type f -o -type l \) -printf '%y %m %p %l\n' \
      -type f -exec sha256sum {} + | sort)
  done
}

# Runs a function while nobody else holds the lock. Not in a condition: the shell would then overlook what fails inside.
locked() { # FILE FUNCTION ARGUMENT...
  local held
  exec {held}>"$1"
  flock "$held"
  "${@:2}"
  exec {held}>&-
}

# Makes a stage unless the cache has it, and sets $made to its folder; MAKER is run there as a shell function. Who wants
# the same stage meanwhile waits for it.
stage() { # NAME HASH MAKER
  mkdir -p "$cache"
  locked "$cache/$1.lock" stage_alone "$@"
}

stage_alone() { # NAME HASH MAKER
  local name=$1 maker=$3 began=$SECONDS new
  made=$cache/$1-$2
  if [ -e "$made/complete" ]; then
    touch "$made/complete"
    printf '  %-16s as it was\n' "$name"
    return
  fi
  printf '  %-16s ...\n' "$name"
  new=$(mktemp -d "$made.XXXXXX")
  unfinished=$new
  # Not in a condition: the shell would then overlook what fails inside.
  (cd "$new" && "$maker" </dev/null)
  chmod 755 "$new"
  touch "$new/complete"
  rm -rf "$made"
  mv "$new" "$made"
  unfinished=
  printf '  %-16s made in %s s\n' "$name" $((SECONDS - began))
  forget_old "$name"
}

# The newest three of a stage are kept, so that going back and forth costs nothing.
forget_old() { # NAME
  local old
  { ls -t -d "$cache/$1"-*/complete 2>/dev/null || true; } | tail -n +4 | while read -r old; do
    rm -rf "$(dirname "$old")"
  done
}

# Rows of a section of a list: "name<TAB>why".
rows_in() { # FILE SECTION...
  local file=$1
  shift
  [ -e "$file" ] || return 0
  awk -v wanted=" $* " '
    /^#/ || /^[[:space:]]*$/ { next }
    /^\[/ { gsub(/[][]/, ""); inside = index(wanted, " " $0 " "); next }
    inside { print $1 }' "$file"
}
