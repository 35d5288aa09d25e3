# Debian's newest kernel of the release, taken apart instead of installed: vmlinuz and the few modules a board needs.
# Sourced.

# What of the kernel's source is compiled as modules of its own; one built name a line, then its file there.
declare -gA built_from=(
  [irq_sim]=kernel/irq/irq_sim.c
  [gpio_sim]=drivers/gpio/gpio-sim.c
  [test_power]=drivers/power/supply/test_power.c
  [rotary_encoder]=drivers/input/misc/rotary_encoder.c
  [drm_mipi_dbi]=drivers/gpu/drm/drm_mipi_dbi.c
  [panel_mipi_dbi]=drivers/gpu/drm/tiny/panel-mipi-dbi.c
  [ssd130x]=drivers/gpu/drm/solomon/ssd130x.c
  [ssd130x_i2c]=drivers/gpu/drm/solomon/ssd130x-i2c.c
  [raspberrypi_hwmon]=drivers/hwmon/raspberrypi-hwmon.c
)

kernel_stage() {
  local package key
  package=$(apt_stands_for "$kernel_package" '^linux-image-[0-9]')
  kernel_version=${package#linux-image-}
  kernel_version=${kernel_version%-unsigned}
  kernel_key="$package $(apt_version "$package")"
  built_modules=
  if [ -n "$(rows_in "$board/modules" built)" ]; then
    key=$({ say "$kernel_key" && rows_in "$board/modules" built && sources_of "$image/lib/kernel.sh"; } | hash_of)
    stage "$name-built" "$key" make_built_modules
    built_modules=$made
  fi
  key=$({ say "$kernel_key ${built_modules##*/}" && sources_of "$board/modules" "$image/lib/kernel.sh"; } | hash_of)
  stage "$name-kernel" "$key" make_kernel
  kernel=$made
}

make_kernel() {
  local all modules="lib/modules/$kernel_version" wanted
  apt_unpack all "linux-image-$kernel_version"
  # Where Debian keeps modules has moved; both names lead there.
  [ -e all/lib ] || ln -s usr/lib all/lib
  mv "all/boot/vmlinuz-$kernel_version" vmlinuz
  mv "all/boot/config-$kernel_version" config
  if [ -n "$built_modules" ]; then
    mkdir "all/$modules/updates"
    cp "$built_modules"/*.ko "all/$modules/updates"
  fi
  depmod --basedir all "$kernel_version"
  rows_in "$board/modules" initrd | modules_with_needs all >initrd-modules
  rows_in "$board/modules" initrd load more | modules_with_needs all >modules
  mkdir -p "tree/usr/$modules"
  while read -r wanted; do
    install -D -m 644 "all/$modules/$wanted" "tree/usr/$modules/$wanted"
  done <modules
  cp "all/$modules"/modules.{builtin,builtin.modinfo,order} "tree/usr/$modules"
  depmod --basedir tree/usr "$kernel_version"
  rm -rf all
}

# Paths below the modules' folder, in the order in which they can be loaded.
modules_with_needs() { # TREE
  local wanted path
  while read -r wanted; do
    modprobe --dirname "$1" --set-version "$kernel_version" --show-depends "$wanted" ||
      die 70 "The kernel $kernel_version has no module $wanted."
  done | awk -v below="$1/lib/modules/$kernel_version/" \
    '$1 == "insmod" { sub(".*/lib/modules/[^/]*/", "", $2); if (!seen[$2]++) print $2 }'
}

# The source is 137 MB packed; a few files of it are kept. Where it is built it is called $here.
make_built_modules() {
  local one series headers kbuild here
  series=$(printf '%s' "$kernel_version" | cut -d. -f1,2)
  headers=$(apt_stands_for "${kernel_package/image/headers}" '^linux-headers-[0-9]')
  kbuild=$(apt_stands_for "$headers" '^linux-kbuild-')
  here=$(kernel_build_folder)
  if is_foreign; then cross_kit; fi
  local files=(drivers/gpio/gpiolib.h drivers/gpu/drm/solomon/ssd130x.h)
  for one in $(rows_in "$board/modules" built); do files+=("${built_from[$one]}"); done
  apt_unpack source "linux-source-$series" -- "./usr/src/linux-source-$series.tar.xz"
  mkdir sources
  tar --extract --file "source/usr/src/linux-source-$series.tar.xz" --directory sources --strip-components 1 \
    "${files[@]/#/linux-source-$series/}"
  rm -rf source
  apt_unpack headers "$headers" "${headers%-*}-common"
  # Its programs run here, whatever they build for.
  (
    apt_open "$release" "$(own_arch)"
    apt_unpack headers "$kbuild"
  )
  # They name each other by where they would be installed. Without it there is nothing to describe the types from.
  sed -i "s#/usr/src/linux-headers#$here/headers/usr/src/linux-headers#g" "headers/usr/src/$headers/Makefile"
  [ ! -e "headers/usr/src/$headers/.kernelvariables" ] ||
    sed -i "s#/usr/src/#$here/headers/usr/src/#g" "headers/usr/src/$headers/.kernelvariables"
  rm -f "headers/usr/src/$headers/vmlinux"
  mkdir build
  for one in $(rows_in "$board/modules" built); do
    cp "sources/${built_from[$one]}" "build/$one-main.c"
    printf 'obj-m += %s.o\n%s-y := %s-main.o\n' "$one" "$one" "$one" >>build/Kbuild
  done
  cp sources/drivers/gpio/gpiolib.h sources/drivers/gpu/drm/solomon/ssd130x.h build
  # Part of the kernel proper there; as a module it needs a licence, and one call that modules have not.
  if [ -e build/irq_sim-main.c ]; then
    printf '\n#include <linux/module.h>\nMODULE_LICENSE("GPL");\n' >>build/irq_sim-main.c
    sed -i 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq(irqnum);/' build/irq_sim-main.c
  fi
  # Where it was built shall not be readable from what was built.
  kernel_make -s -C "$here/headers/usr/src/$headers" "M=$here/build" "KCFLAGS=-ffile-prefix-map=$here=." modules \
    2>&1 | { grep -v 'Skipping BTF' || true; }
  for one in $(rows_in "$board/modules" built); do
    "$(tool strip)" --strip-debug --remove-section .note.gnu.build-id "build/$one.ko"
    mv "build/$one.ko" .
  done
  rm -rf build headers sources home
}

# Modules for our own processor are built here and now; those for another in the kit (cross.sh), where this is /cross.
kernel_build_folder() { if is_foreign; then printf /cross; else printf '%s' "$PWD"; fi; }

kernel_make() { # WORD...
  if is_foreign; then cross_in "$PWD" make "DEB_BUILD_ARCH=$(own_arch)" "$@"; else make "$@"; fi
}
