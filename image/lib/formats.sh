# All other formats: FFmpeg's libraries from the source that Debian has of them, with what decodes sound and nothing else.
# Debian's own bring a hundred packages along. They have the names and versions of Debian's, so that layby-decode is linked
# with those wherever it is built, and runs with these. Sourced.

# Cut the sound of some kinds of file into packets; a file can do without, but then its times are guessed.
format_parsers=(aac aac_latm ac3 amr cook dca flac gsm mlp mpegaudio opus sipr tak vorbis)

# What is not in the player's two lists is not there: no network, no files, no video, no filters, nothing of the GPL.
format_options=(
  --disable-everything --disable-autodetect --disable-network --disable-programs --disable-doc --disable-debug
  --disable-avdevice --disable-avfilter --disable-swscale --disable-postproc --disable-static --enable-shared
  --enable-small --enable-zlib --extra-ldflags=-Wl,--build-id=none
  # It would need an assembler of its own; the board with such a processor is the emulated one.
  --disable-x86asm
)

formats_stage() {
  local key compiler
  source_of_formats=$(apt_open_sources "$release" && apt_source ffmpeg)
  if is_foreign; then
    cross_kit
    compiler=${cross_host##*/}-${cross_sysroot#"$cross_store/"}
  else
    compiler=$("$(formats_compiler)" --version)
  fi
  key=$({ say "$source_of_formats" && say "$compiler" && format_names containers && format_names decoders &&
    sources_of "$image/lib/formats.sh"; } | hash_of)
  stage "$release-$arch-formats" "$key" make_formats
  formats=$made
}

# The names in one list of Sources/ForeignDecoder/Known.swift.
format_names() { # containers|decoders
  sed -n "/static let $1 = \[/,/\]\.joined/p" "$top/Sources/ForeignDecoder/Known.swift" | grep -o '"[a-z0-9_]*"' | tr -d '"'
}

# The same as the options of the build name them: some kinds of file have several names there, and some other ones here.
format_parts() { # containers|decoders
  format_names "$1" | sed "$(
    if [ "$1" = containers ]; then
      say 's/^\(mp4\|m4a\|3gp\)$/mov/; s/^webm$/matroska/; s/^shn$/shorten/'
    else
      say 's/^g72/adpcm_g72/; s/^atrac3plus/atrac3p/'
    fi
  )" | sort -u
}

formats_compiler() {
  local one
  for one in gcc-12 gcc-14 gcc; do ! have "$one" || { say "$one" && return; }; done
  die 69 "There is no C compiler; image/build installs gcc."
}

make_formats() {
  local options=("${format_options[@]}") compiler folder part library version=${source_of_formats%%$'\n'*}
  say "    FFmpeg $version from Debian's source (11 MB to fetch, a minute or two to compile) ..."
  # apt compares its sums with those in Debian's signed list; Debian's patches are applied.
  (apt_open_sources "$release" && apt-get "${apt_options[@]}" -qq source "ffmpeg=$version") >source.log 2>&1 ||
    { tail -n 20 source.log >&2 && die 69 "Debian's source of FFmpeg could not be fetched and unpacked."; }
  mv ffmpeg-*/ source
  compiler=$(if is_foreign; then say aarch64-linux-gnu-gcc-14; else formats_compiler; fi)
  options+=(
    "--cc=$compiler" "--enable-demuxer=$(format_parts containers | paste -sd,)"
    "--enable-decoder=$(format_parts decoders | paste -sd,)"
    "--enable-parser=$(printf '%s\n' "${format_parsers[@]}" | paste -sd,)"
  )
  ! is_foreign || options+=(
    --enable-cross-compile --arch=aarch64 --target-os=linux --cross-prefix=aarch64-linux-gnu- --sysroot=/sysroot
    --host-cc=clang
  )
  formats_run ./configure "${options[@]}" >configure.log 2>&1 ||
    { tail -n 20 configure.log source/ffbuild/config.log >&2 && die 70 "FFmpeg's libraries cannot be built."; }
  for part in $(format_parts containers | sed 's/$/_demuxer/') $(format_parts decoders | sed 's/$/_decoder/'); do
    grep -qx "#define CONFIG_${part^^} 1" source/config_components.h ||
      die 70 "FFmpeg has no $part, which Sources/ForeignDecoder/Known.swift names."
  done
  formats_run make "-j$(nproc)" >make.log 2>&1 || { tail -n 20 make.log >&2 && die 70 "FFmpeg's libraries did not compile."; }
  if is_foreign; then folder=$cross_libraries; else folder=usr/lib/$("$compiler" -print-multiarch); fi
  mkdir -p "tree/$folder" tree/usr/share/licences/ffmpeg
  for library in source/lib*/lib*.so.[0-9]*; do
    "$(tool strip)" --strip-unneeded --remove-section .comment -o "tree/$folder/${library##*/}" "$library"
  done
  cp source/COPYING.LGPLv2.1 tree/usr/share/licences/ffmpeg/LGPL-2.1
  {
    say "libavformat, libavcodec, libavutil and libswresample are FFmpeg's, copyright by its developers, under the GNU"
    say "Lesser General Public License 2.1 or later (the file LGPL-2.1). They are built from Debian's source package"
    say "ffmpeg $version, unchanged, which apt-get source fetches:"
    say "${source_of_formats#*$'\n'}"
    say "with these words:"
    printf './configure'
    printf ' \\\n  %s' "${options[@]}"
    say
  } >tree/usr/share/licences/ffmpeg/about
  (cd tree && find . -type f -printf '/%P\n') >"FFmpeg's decoders of sound, LGPL 2.1 or later.list"
  rm -rf source home ./*.log ffmpeg_*
}

# There is no repository around it whose version it could take for its own.
formats_run() { # COMMAND...
  if is_foreign; then
    cross_in "$PWD" bash -c 'cd /cross/source && GIT_DIR=/nowhere exec "$@"' _ "$@"
  else
    (cd source && GIT_DIR=/nowhere exec "$@")
  fi
}
