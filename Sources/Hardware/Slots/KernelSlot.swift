import Runtime

/// What U-Boot told the kernel of the slots. Nothing on a machine without any.
package struct KernelSlot: Sendable {
  package let running: BootSlots.Slot?
  package let abandoned: BootSlots.Abandoned?

  package init(words text: String) {
    var values: [Substring: String] = [:]
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) where word.hasPrefix("layby.") {
      let end = word.firstIndex(of: "=") ?? word.endIndex
      values[word[..<end]] = String(word[end...].dropFirst())
    }
    running = values["layby.slot"].flatMap { BootSlots.Slot(rawValue: $0) }
    abandoned = running == nil ? nil : values["layby.why"].flatMap { BootSlots.Abandoned($0) }
  }

  package init(_ file: FilePath = FilePath("/proc/cmdline")) {
    // A machine without /proc has no slots either.
    self.init(words: String(decoding: (try? AtomicFile.read(file, limit: 65_536)) ?? [], as: UTF8.self))
  }
}

extension BootSlots.Abandoned {
  /// What people are told of it. `version`: what the slot holds, where that is known.
  package func notice(version: String?) -> Notice {
    guard let version else {
      let words =
        switch reason {
        case .tries: "The new version did not start three times. The one before it runs."
        case .load: "The other version on this card cannot be read. This one runs."
        }
      return Notice("R-175", words)
    }
    let words =
      switch reason {
      case .tries: "Version \(version) did not start three times. The one before it runs."
      case .load: "Version \(version) cannot be read from this card. The other one runs."
      }
    return Notice("R-176", words, names: [version])
  }
}
