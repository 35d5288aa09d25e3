# What U-Boot runs on a card with two slots. image/README.md has the partitions, and the form of the counters.
#
# It takes the first slot that has tries left, counts a try unless the slot is known to be good, merges what
# layby-board.conf names into the device tree, and starts the slot's kernel. It never saves U-Boot's environment: what
# has to last is in the counters alone, so a power cut at any moment leaves the ones before or the ones after.
#
# U-Boot sets devtype, devnum, fdtfile and kernel_addr_r before it runs this. Numbers are hexadecimal.

setenv card "${devtype} ${devnum}"
# Below the kernel's place: one sector or a text file; the device tree; an overlay. The kernel is behind them.
setexpr text_at ${kernel_addr_r} + 0x6000000
setexpr tree_at ${kernel_addr_r} + 0x7000000
setexpr overlay_at ${kernel_addr_r} + 0x7800000
setexpr kernel_at ${kernel_addr_r} + 0x8000000
# Debian calls the tree of a CM4 after the board that it is put on.
if test ${fdtfile} = broadcom/bcm2711-rpi-cm4.dtb; then setenv fdtfile broadcom/bcm2711-rpi-cm4-io.dtb; fi
echo "Layby: ${card}, ${fdtfile}"

# What is wired to the board. Any other name in that file is left alone, so it cannot change what this script does.
setenv dac auto
setenv panel auto
if load ${card}:1 ${text_at} layby-board.conf 0x10000; then
  env import -t -r ${text_at} ${filesize} dac panel
fi

# The counters: two sectors, each with a checksum; of those that are whole the one with the higher number counts.
# Without any, slot a is taken for good.
setenv lb_number 0
setenv lb_first a
setenv lb_a good
setenv lb_b empty
setenv lb_why none
setenv lb_place 0
part start ${card} layby-slots lb_one
setexpr lb_two ${lb_one} + 0x400
setenv lb_found 0
setenv lb_n
if ${devtype} read ${text_at} ${lb_one} 1 && env import -c ${text_at} 0x200 lb_n lb_first lb_a lb_b lb_why; then
  setenv lb_found ${lb_n}
  setenv lb_number ${lb_n}
  setenv lb_place 1
fi
setenv lb_n
if ${devtype} read ${text_at} ${lb_two} 1 && env import -c ${text_at} 0x200 lb_n; then
  if test 0x${lb_n} -gt 0x${lb_found}; then
    env import -c ${text_at} 0x200 lb_first lb_a lb_b lb_why
    setenv lb_number ${lb_n}
    setenv lb_place 2
  fi
fi

# Writes the counters into the sector that did not count, under the next number.
setenv lb_write 'setexpr lb_n ${lb_number} + 1; setenv lb_number ${lb_n}; env export -c -s 0x200 ${text_at} lb_n lb_first lb_a lb_b lb_why; if test ${lb_place} = 1; then ${devtype} write ${text_at} ${lb_two} 1; setenv lb_place 2; else ${devtype} write ${text_at} ${lb_one} 1; setenv lb_place 1; fi'

# Merges one overlay, if the slot has it. What does not fit costs only itself.
setenv lb_merge 'if test -e ${card}:${lb_part} overlays/${lb_overlay}.dtbo; then if load ${card}:${lb_part} ${overlay_at} overlays/${lb_overlay}.dtbo && fdt apply ${overlay_at}; then echo "Layby: ${lb_overlay} is in the device tree"; else echo "Layby: ${lb_overlay} does not fit"; run lb_tree; fi; fi'

# The slot's own device tree; without it, the one that the board's firmware gave, or that U-Boot itself has.
setenv lb_tree 'if load ${card}:${lb_part} ${tree_at} ${fdtfile}; then fdt addr ${tree_at}; else if fdt addr ${fdt_addr}; then setenv lb_given ${fdt_addr}; else setenv lb_given ${fdtcontroladdr}; fdt addr ${lb_given}; fi; fdt move ${lb_given} ${tree_at} 0x200000; fdt addr ${tree_at}; fi; fdt resize 0x4000'

# Starts a slot. It comes back only when that slot has no kernel that can be loaded.
setenv lb_start 'part number ${card} layby-kernel-${lb_slot} lb_part; run lb_tree; setenv lb_overlay dac-${dac}; run lb_merge; setenv lb_overlay panel-${panel}; run lb_merge; setenv words; if load ${card}:${lb_part} ${text_at} words.txt 0x1000; then env import -t ${text_at} ${filesize} words; fi; setenv bootargs "${words} layby.slot=${lb_slot} layby.state=${lb_state} layby.why=${lb_why}"; if load ${card}:${lb_part} ${kernel_at} kernel.efi; then bootefi ${kernel_at} ${tree_at}; fi'

# Two rounds: the second is for the other slot, when the first has no tries left or cannot be loaded.
for round in 1 2; do
  setenv lb_slot ${lb_first}
  if test ${lb_slot} = b; then
    setenv lb_other a
    setenv lb_state ${lb_b}
    setenv lb_next ${lb_a}
  else
    setenv lb_other b
    setenv lb_state ${lb_a}
    setenv lb_next ${lb_b}
  fi

  # A slot that is not known to be good has one try less from here on.
  setenv lb_left none
  if test ${lb_state} = 3; then setenv lb_left 2; fi
  if test ${lb_state} = 2; then setenv lb_left 1; fi
  if test ${lb_state} = 1; then setenv lb_left 0; fi
  if test ${lb_left} != none; then
    setenv lb_${lb_slot} ${lb_left}
    run lb_write
  fi

  setenv lb_reason tries
  if test ${lb_state} = good || test ${lb_left} != none; then
    echo "Layby: slot ${lb_slot} (${lb_state})"
    run lb_start
    setenv lb_reason load
  fi
  echo "Layby: slot ${lb_slot} is left: ${lb_reason}"

  # The other one from now on, if there is anything in it. A slot that was good stays good: what could not be read now
  # may be readable the next time.
  if test ${lb_next} = good || test ${lb_next} = 3 || test ${lb_next} = 2 || test ${lb_next} = 1; then
    setenv lb_why ${lb_slot}:${lb_reason}
    setenv lb_first ${lb_other}
    if test ${lb_state} != good; then setenv lb_${lb_slot} 0; fi
    run lb_write
  fi
done

# Neither slot is left. What is written in the counters is not believed any more: one that starts is better than none.
for lb_slot in a b; do
  setenv lb_state last
  run lb_start
done
echo "Layby: nothing on this card can be started. Write the image to it anew."
sleep 60
reset
