import Runtime

extension Survey {
  var terminal: Finding {
    guard let screen = machine.screen else {
      return Finding(
        "terminal", .missing, "standard output is not a terminal",
        advice: "to see the panel and use keys as knobs, start it in a terminal")
    }
    let size = "\(screen.columns) x \(screen.rows) characters"
    guard screen.hasAllColours else {
      return Finding(
        "terminal", .limited, "\(size), 256 colours",
        advice: "if it can show 24-bit colour, say so: export COLORTERM=truecolor")
    }
    return Finding("terminal", .works, "\(size), 24-bit colour")
  }

  var framebuffer: Finding {
    guard let screen = machine.framebuffer else {
      return Finding(
        "framebuffer", .missing, "no /dev/fb0",
        advice: "a panel of its own needs a display and its driver (overlay); the terminal shows the panel too")
    }
    let seen = "\(screen.device.path): \(screen.width) x \(screen.height), \(screen.bitsPerPixel) bits a pixel"
    guard screen.device.isUsable else {
      return Finding("framebuffer", .forbidden, seen, advice: permission(for: screen.device))
    }
    guard screen.width > 0, screen.height > 0, [1, 16, 24, 32].contains(screen.bitsPerPixel) else {
      return Finding(
        "framebuffer", .limited, seen,
        advice: "set the display to 1, 16, 24 or 32 bits a pixel, for instance with fbset; 8 bits are greys at most")
    }
    return Finding("framebuffer", .works, seen)
  }

  var graphics: Finding {
    kind("graphics card", machine.graphicsCards, none: "no /dev/dri/card*", missing: nil)
  }

  var gpio: Finding {
    kind(
      "GPIO lines", machine.gpioChips, none: "no /dev/gpiochip*",
      missing: "knobs and buttons on wires need a board that has GPIO lines; elsewhere a USB knob or the keys of the "
        + "terminal do")
  }

  var inputs: Finding {
    kind(
      "input devices", machine.inputs, none: "no /dev/input/event*",
      missing: "plug in a USB knob, a remote control's receiver or a keyboard, if there shall be one")
  }

  /// Devices of one kind: all usable, some, none, or none there.
  private func kind(_ name: String, _ devices: [Machine.Device], none: String, missing: String?) -> Finding {
    guard let first = devices.first else { return Finding(name, .missing, none, advice: missing) }
    func seen(_ devices: [Machine.Device]) -> String {
      Self.list(devices.map { $0.label.isEmpty ? $0.path : "\($0.path) (\($0.label))" })
    }
    let closed = devices.filter { !$0.isUsable }
    guard let example = closed.first else { return Finding(name, .works, seen(devices)) }
    if closed.count == devices.count {
      return Finding(name, .forbidden, "this user may not use \(seen(devices))", advice: permission(for: first))
    }
    let open = devices.filter(\.isUsable)
    return Finding(
      name, .limited, "\(seen(open)); this user may not use \(seen(closed))", advice: permission(for: example))
  }
}
