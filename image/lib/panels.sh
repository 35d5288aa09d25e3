# What a small panel is told before its first picture, as firmware for the kernel's panel-mipi-dbi. Sourced.

# One file of each panel, for boards that have the driver.
panel_files() { # TREE
  local one
  [[ " $(rows_in "$board/modules" built | paste -sd' ') " == *" panel_mipi_dbi "* ]] || return 0
  mkdir -p "$1/usr/lib/firmware"
  for one in "$image"/panels/*; do
    case $one in *.md) ;; *) panel_file "$one" >"$1/usr/lib/firmware/${one##*/}.bin" ;; esac
  done
}

# Its mark and version; then each command, how many bytes follow, and these. A wait is the command that does nothing.
panel_file() { # COMMANDS
  local line words bytes
  printf 'MIPI DBI\0\0\0\0\0\0\0\1'
  while IFS= read -r line; do
    read -r -a words <<<"${line%%#*}" || true
    [ ${#words[@]} -gt 0 ] || continue
    if [[ "${words[*]}" =~ ^wait\ ([0-9]{1,3})$ ]] && [ "${BASH_REMATCH[1]}" -le 255 ]; then
      bytes=(00 "$(printf '%02x' "${BASH_REMATCH[1]}")")
    elif [[ "${words[*]}" =~ ^[0-9a-f]{2}(\ [0-9a-f]{2})*$ ]]; then
      bytes=("${words[@]}")
    else
      die 65 "${1##*/}: \"$line\" is neither a command in hexadecimal nor a wait."
    fi
    printf '%b' "\\x${bytes[0]}\\x$(printf '%02x' $((${#bytes[@]} - 1)))"
    [ ${#bytes[@]} = 1 ] || printf '%b' "$(printf '\\x%s' "${bytes[@]:1}")"
  done <"$1"
}
