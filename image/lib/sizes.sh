# How large everything is, and the last step: the results where people look for them. Sourced.

measure_root() { du -s --apparent-size -B1 "$1" | cut -f1 >root-size; }

hand_over() {
  local out=$work/$name file
  mkdir -p "$out"
  for file in disk.img kernel initrd cmdline; do
    # Beside it and then in its place, so that a test never boots a half.
    cp --sparse=always --reflink=auto "$disk/$file" "$out/$file.new"
    mv "$out/$file.new" "$out/$file"
  done
  if [ $with_tools = yes ]; then
    cp --reflink=auto "$tools/tools.img" "$out/tools.img.new"
    mv "$out/tools.img.new" "$out/tools.img"
  fi
  say "In $out:"
  (cd "$out" && ls -l)
}
