# The file with a new version, layby-BOARD-VERSION.layby: what RAUC calls a bundle, of the format verity. Sourced.

# Which version this is, the oldest that a device with it takes, and who signs it. The keys of a builder's own are named
# by LAYBY_UPDATE_KEY and LAYBY_UPDATE_CERTIFICATE; without them, keys are made once and called development keys.
updates_open() {
  version=${LAYBY_VERSION:-$(sed -n 's/^let version = "\(.*\)"$/\1/p' "$top/Sources/layby/Verbs/Command.swift")}
  oldest=${LAYBY_OLDEST:-0}
  update_is_own=${LAYBY_UPDATE_KEY:-}
  update_board=layby-${name%-free}
  [ $slots = yes ] || return 0
  [[ $version =~ ^[0-9A-Za-z][0-9A-Za-z.+~_-]{0,63}$ ]] || die 64 "$version is no name of a version."
  update_key=${LAYBY_UPDATE_KEY:-$work/development/key.pem}
  update_certificate=${LAYBY_UPDATE_CERTIFICATE:-$work/development/certificate.pem}
  if [ -z "$update_is_own" ] && [ ! -e "$update_certificate" ]; then make_development_keys; fi
  [ -r "$update_key" ] && [ -r "$update_certificate" ] || die 66 "$update_key and $update_certificate are not both there."
}

make_development_keys() {
  mkdir -p "$work/development"
  chmod 700 "$work/development"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 -days 18250 \
    -subj "/CN=Layby development key, for nobody but who built this" \
    -keyout "$work/development/key.pem" -out "$work/development/new.pem" 2>/dev/null
  mv "$work/development/new.pem" "$update_certificate"
}

# What a device knows of updates: which kind of board it is, and whom it trusts.
add_updates() { # TREE
  cp -a "$image/slots/." "$1"
  install -D -m 644 "$update_certificate" "$1/etc/layby/update.pem"
  printf 'compatible=%s\nversion=%s\noldest=%s\n' "$update_board" "$version" "$oldest" >"$1/etc/layby/update.conf"
}

bundle_stage() {
  local key
  key=$({ say "${slot##*/} $version $name ${LAYBY_NEWS:-}" && sources_of "$image/lib/update.sh" "$update_certificate"; } | hash_of)
  stage "$name-update" "$key" make_bundle
  bundle=$made
}

make_bundle() {
  mkdir files
  cp --sparse=always "$slot"/{kernel,root}.img files
  cat >files/manifest.raucm <<MANIFEST
[update]
compatible=$update_board
version=$version
description=${LAYBY_NEWS:-}

[bundle]
format=verity

[image.root]
filename=root.img

[image.kernel]
filename=kernel.img
MANIFEST
  rauc --cert="$update_certificate" --key="$update_key" --keyring="$update_certificate" \
    --mksquashfs-args="-comp zstd -Xcompression-level 9 -quiet -no-progress" bundle files "$update_board-$version.layby" >rauc.log 2>&1 ||
    { cat rauc.log >&2 && die 70 "RAUC could not make the file for updates."; }
  rm -rf files rauc.log
}
