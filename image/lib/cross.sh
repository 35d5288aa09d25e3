# Compiles for the boards' processor, arm64, on this computer: Debian's own Swift in a folder, beside it the headers and
# libraries of Debian for arm64. Nothing is installed and nothing that is arm64 is run. Sourced.

cross_release=trixie
cross_store=${LAYBY_CROSS:-${LAYBY_BUILD:-$top/.build}/cross}
cross_triple=aarch64-unknown-linux-gnu
cross_libraries=usr/lib/aarch64-linux-gnu

# What lies in the compiler's folder: Swift, what SwiftPM asks for, and the compiler of the kernel's modules.
cross_host_packages=(
  bash coreutils sed grep findutils gawk make pkgconf swiftlang libc6-dev libstdc++-14-dev libgcc-14-dev
  gcc-14-aarch64-linux-gnu binutils-aarch64-linux-gnu
)

# Of Swift's 2 GB only these are left out; the rest of the 800 MB is what compiling takes.
cross_host_without=(
  '*/libexec/swift/bin/lldb*' '*/libexec/swift/bin/clangd' '*/libexec/swift/bin/sourcekit-lsp' '*/libexec/swift/bin/docc'
  '*/libexec/swift/bin/swift-format' '*/libexec/swift/lib/liblldb*' '*/libexec/swift/lib/libsourcekitd*'
  '*/libexec/swift/lib/libLTO*' '*/libexec/swift/lib/swift/embedded' '*/libexec/swift/lib/swift/FrameworkABIBaseline'
  '*/libexec/swift/lib/swift_static/linux' '*/usr/share/doc' '*/usr/share/man' '*/usr/share/locale' '*/usr/share/info'
)

own_arch() { dpkg --print-architecture; }

# Is the image for another processor than this machine's?
is_foreign() { [ "$arch" != "$(own_arch)" ]; }

# The one of binutils that knows the image's processor.
tool() { if is_foreign; then printf 'aarch64-linux-gnu-%s' "$1"; else printf '%s' "$1"; fi; }

# Says why not, when this machine cannot.
cross_cannot() {
  [ "$(uname -m)" = x86_64 ] || { say "the kit is made for a computer with an x86-64 processor" && return; }
  cross_alone true 2>/dev/null || say "this machine gives no name spaces of its own (root, or a kernel that lets anyone)"
}

# Mounts are made where nobody else sees them, and are gone with the last process, however it ends. No process stands
# in between, so a signal for this one's group reaches the compiler too.
cross_alone() { # COMMAND...
  local as=()
  [ "$(id -u)" = 0 ] || as=(--map-root-user)
  unshare "${as[@]}" --mount "$@"
}

# Sets cross_host and cross_sysroot.
cross_kit() {
  local apt_options components=main
  apt_open "$cross_release" amd64
  cross_stage host "$({ say "${cross_host_without[@]}" && apt_closure "${cross_host_packages[@]}" &&
    declare -f make_cross_host; } | hash_of)" make_cross_host
  cross_host=$made
  apt_open "$cross_release" arm64
  local packages
  packages=$(cross_sysroot_packages)
  # shellcheck disable=SC2086  # one word a package
  cross_stage sysroot "$({ say $packages && apt_closure $packages swiftlang && declare -f make_cross_sysroot; } | hash_of)" \
    make_cross_sysroot
  cross_sysroot=$made/root
}

# A stage in a folder of its own; only the newest is kept, being large.
cross_stage() { # NAME HASH MAKER
  local cache=$cross_store other
  stage "$@"
  for other in "$cache/$1"-*; do [ "$other" = "$made" ] || rm -rf "$other"; done
}

make_cross_host() {
  local without=("${cross_host_without[@]/#/--exclude=}")
  say "    Debian $cross_release's Swift, unpacked (500 MB to fetch, 1.2 GB here) ..."
  apt_unpack . $(apt_closure "${cross_host_packages[@]}" | cut -d' ' -f1) -- "${without[@]}"
  # What the packages' scripts would have made.
  ln -sfn bash usr/bin/sh
  ln -sfn gawk usr/bin/awk
  mkdir -p proc dev tmp sysroot sdks cross
}

# What Package.swift says it needs, what Swift itself is linked with, and the MP3 decoder that the tests compare with:
# another processor's rounds otherwise.
cross_sysroot_packages() {
  sed -n 's/.*[lL]ibrary(.*apt: "\([^"]*\)".*/\1/p' "$top/Package.swift" | sort -u
  printf '%s\n' libc6-dev libstdc++-14-dev libgcc-14-dev linux-libc-dev libswiftlang mpg123
}

make_cross_sysroot() {
  local resources=usr/libexec/swift/lib one packages
  packages=$(cross_sysroot_packages)
  say "    headers and libraries for arm64, unpacked (490 MB to fetch, 700 MB here) ..."
  # shellcheck disable=SC2046,SC2086  # one word a package
  apt_unpack root $(apt_closure $packages | cut -d' ' -f1) -- --exclude='*/usr/share/doc' --exclude='*/usr/share/man' \
    --exclude='*/usr/share/locale' --exclude='*/usr/lib/python3*'
  # The compiler's own package for its modules alone.
  apt_unpack root swiftlang -- --exclude='*/swift/embedded' --exclude='*/FrameworkABIBaseline' \
    "./$resources/swift" "./$resources/swift_static" "./$resources/clang"
  [ -e root/lib ] || ln -s usr/lib root/lib
  for one in swift swift_static; do ln -sfn "../libexec/swift/lib/$one" "root/usr/lib/$one"; done
  mkdir -p "sdks/arm64.artifactbundle/$cross_triple"
  cat >sdks/arm64.artifactbundle/info.json <<JSON
{"schemaVersion": "1.0", "artifacts": {"arm64": {"type": "swiftSDK", "version": "1.0.0", "variants": [
  {"path": "$cross_triple", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"]}]}}}
JSON
  cat >"sdks/arm64.artifactbundle/$cross_triple/swift-sdk.json" <<JSON
{"schemaVersion": "4.0", "targetTriples": {"$cross_triple": {
  "sdkRootPath": "/sysroot", "toolsetPaths": ["toolset.json"],
  "swiftResourcesPath": "/sysroot/$resources/swift", "swiftStaticResourcesPath": "/sysroot/$resources/swift_static"}}}
JSON
  cat >"sdks/arm64.artifactbundle/$cross_triple/toolset.json" <<JSON
{"schemaVersion": "1.0", "rootPath": "/usr/libexec/swift/bin", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
JSON
}

# Runs a command in the compiler's folder: the sources are there under the name that they have here, since tests look
# for them by it; WORK is /cross.
cross_in() { # WORK COMMAND...
  local here=$1
  shift
  mkdir -p "$here/home"
  cross_alone bash -euc '
    root=$1 sysroot=$2 sdks=$3 src=$4 here=$5
    shift 5
    mount --make-rprivate /
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind "$sysroot" "$root/sysroot"
    mount --bind "$sdks" "$root/sdks"
    mount --bind "$here" "$root/cross"
    # The last, so that nothing covers it wherever it lies.
    mkdir -p "$root$src"
    mount --bind "$src" "$root$src"
    exec chroot "$root" /usr/bin/env -i HOME=/cross/home LANG=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/bin \
      SWIFT_BACKTRACE=enable=no PKG_CONFIG_SYSROOT_DIR=/sysroot "$@"
  ' _ "$cross_host" "$cross_sysroot" "$cross_sysroot/../sdks" "$top" "$here" "$@" </dev/null
}

# `swift build` for arm64, in a scratch folder of its own.
cross_swift_build() { # ARGUMENT...
  mkdir -p "$cross_store/build"
  cross_in "$cross_store/build" bash -euc 'cd "$1" && shift && exec swift build "$@"' _ "$top" --swift-sdks-path /sdks --swift-sdk arm64 \
    --scratch-path /cross/scratch --pkg-config-path "/sysroot/$cross_libraries/pkgconfig" \
    --pkg-config-path /sysroot/usr/share/pkgconfig "$@"
}

# Builds programs for use, with Swift's runtime linked in; cross_program tells where each is.
cross_build() { # PRODUCT...
  local product
  for product in "$@"; do
    cross_swift_build -c release --static-swift-stdlib --product "$product" -Xswiftc -warnings-as-errors -Xswiftc -gnone
    aarch64-linux-gnu-strip --strip-all --remove-section .note.gnu.build-id --remove-section .comment \
      -o "$(cross_program "$product")" "$cross_store/build/scratch/$cross_triple/release/$product"
  done
}

cross_program() { printf '%s/build/%s' "$cross_store" "$1"; }
