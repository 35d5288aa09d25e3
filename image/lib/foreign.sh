# Debian for another processor without running any of it: packages are unpacked, and the little of their scripts'
# work that this system needs is done here. So an image needs no emulator on the machine that makes it. Sourced.

# Left undone, because nothing here uses it: alternatives, the cache of the loader (it looks in Debian's folders
# anyway), udev's compiled list of vendors, package configuration in /etc that dpkg would ask about.
foreign_tree() { # FOLDER PACKAGE...
  local folder=$1 packages one
  shift
  # shellcheck disable=SC2046  # one word a package
  packages=$(apt_closure '?essential' usr-is-merged "$@" | cut -d' ' -f1)
  mkdir -p "$folder/var/lib/dpkg/info" debs
  # shellcheck disable=SC2086  # one word a package
  (cd debs && apt-get "${apt_options[@]}" -qq download $packages)
  # Its links /bin and /lib come first, so that what others put there comes to lie behind them.
  foreign_unpack "$folder" debs/base-files_*.deb
  rm debs/base-files_*.deb
  for one in debs/*.deb; do foreign_unpack "$folder" "$one"; done
  rm -r debs
  foreign_users "$folder/etc" "$folder"
  [ -e "$folder/etc/nsswitch.conf" ] || cp "$folder"/usr/share/*/nsswitch.conf "$folder/etc"
  ln -sfn ../proc/self/mounts "$folder/etc/mtab"
  find "$folder" -type d ! -perm -u+rwx -exec chmod u+rwx {} +
}

# One package, with the list of its files and its description where dpkg would keep them.
foreign_unpack() { # FOLDER DEB
  local name without=("${left_out[@]/#/--exclude=.}")
  name=$(dpkg-deb --field "$2" Package)
  dpkg-deb --fsys-tarfile "$2" | tar --extract --no-same-owner --preserve-permissions --keep-directory-symlink \
    --directory "$1" --wildcards "${without[@]}"
  dpkg-deb --fsys-tarfile "$2" | tar --list | sed 's|^\.||; s|/$||; s|^$|/.|' >"$1/var/lib/dpkg/info/$name.list"
  { dpkg-deb --field "$2" && say; } >>"$1/var/lib/dpkg/status"
}

# Debian's own accounts, then those that packages ask of systemd-sysusers, numbered downwards from 999 as it does.
foreign_users() { # ETC FOLDER
  local etc=$1
  cp "$2/usr/share/base-passwd/passwd.master" "$etc/passwd"
  cp "$2/usr/share/base-passwd/group.master" "$etc/group"
  find "$2/usr/lib/sysusers.d" -name '*.conf' | sort | while read -r one; do cat "$one"; done |
    awk -v passwd="$etc/passwd" -v group="$etc/group" '
      function gid(name) {
        if (!(name in groups)) { groups[name] = 1000 - ++taken; print name ":x:" groups[name] ":" >>group }
        return groups[name]
      }
      BEGIN {
        while ((getline line <group) > 0) { split(line, field, ":"); groups[field[1]] = field[3] }
        while ((getline line <passwd) > 0) { split(line, field, ":"); users[field[1]] = 1 }
        close(group); close(passwd)
      }
      $1 == "g" { gid($2) }
      $1 ~ /^u/ && !($2 in users) {
        users[$2] = 1
        print $2 ":x:" gid($2) ":" groups[$2] ":" $2 ":/:/usr/sbin/nologin" >>passwd
      }'
  awk -F: '{ print $1 ":*::0:99999:7:::" }' "$etc/passwd" >"$etc/shadow"
  awk -F: '{ print $1 ":*::" }' "$etc/group" >"$etc/gshadow"
}
