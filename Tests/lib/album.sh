# The demo album is what newcomers hear and what gapless playing is proven with: flac's own decoder must give the
# unsplit original again, sample for sample.

step_album() {
  local folder part
  folder=$(mktemp -d)
  trap "rm -rf '$folder'" EXIT
  "$top/board/desk/demo" "$folder"
  [ "$(find "$folder/mp3" -name '*.mp3' | wc -l)" = 3 ] || { say "there are not three MP3 files" && return 1; }
  # A canonical WAV file is 44 bytes of header and then samples.
  for part in "$folder"/flac/*.flac; do
    flac --silent --decode --stdout --force-raw-format --endian=little --sign=signed "$part"
  done | cmp - <(tail -c +45 "$folder/original/whole.wav") || { say "the parts are not the whole" && return 1; }
  say "three parts are the whole, sample for sample"
}
