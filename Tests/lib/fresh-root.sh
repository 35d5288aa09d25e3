# A step that shows what a newcomer finds: an empty Debian 13 in a folder, a clean clone, the two commands.
# `Tests/run --all --keep` keeps the empty root for the next time (under $LAYBY_FRESH, else the cache folder).

step_fresh() {
  local root=${LAYBY_FRESH:-${XDG_CACHE_HOME:-$HOME/.cache}/layby/fresh-13} work
  [ "$(id -u)" = 0 ] || not_run "needs root: it makes another root folder and goes into it"
  unshare -m true 2>/dev/null || not_run "this machine does not let root make a mount namespace"
  install_packages fresh
  [ -e "$root/complete" ] || make_fresh_root "$root"
  work=$(mktemp -d "${TMPDIR:-/tmp}/layby-fresh.XXXXXX")
  trap "rm -rf '$work'; [ '${keep_fresh:-no}' = yes ] || rm -rf '$root'" EXIT
  say "Copying it, and a clean clone of HEAD into it ..."
  cp -a "$root" "$work/root"
  rm "$work/root/complete"
  git clone --quiet --no-hardlinks "$top" "$work/root/layby"
  say "HEAD is $(git -C "$work/root/layby" log -1 --format='%h %s')"
  in_root "$work/root" 'cd /layby && time board/desk/run --demo --for 20s' || { say "the demo failed" && return 1; }
  in_root "$work/root" 'cd /layby && time Tests/run --quick' || { say "its tests failed" && return 1; }
}

# Debian's smallest system that has apt; nothing of ours.
make_fresh_root() { # FOLDER
  local new=$1.new
  say "Making an empty Debian 13 in $1 (a minute or two) ..."
  rm -rf "$new" "$1"
  mkdir -p "$(dirname "$1")"
  mmdebstrap --quiet --mode=root --variant=apt --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    trixie "$new" "$(apt_mirror)"
  # The network and the way to the mirror are the machine's own.
  cp -L /etc/resolv.conf "$new/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::(https?|ftp)::Proxy|^Acquire::Check-' >"$new/etc/apt/apt.conf.d/90machine" || true
  touch "$new/complete"
  mv "$new" "$1"
}

# Mounts are made in a namespace of their own, so nothing is left when it ends, however it ends.
in_root() { # FOLDER COMMAND
  unshare --mount --pid --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 CI=true PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -euc "$2"
  ' _ "$1" "$2" </dev/null
}
