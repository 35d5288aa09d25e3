import Runtime

/// The GPIO chips and lines that are there, as the kernel tells them: a value, so that looking up a name needs no chip.
package struct LineDirectory: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    /// Empty when the board's description gives none.
    package var name: String
    /// Nil when it is free; else who holds it, in the holder's own word, which may be empty.
    package var holder: String?

    package init(name: String, holder: String? = nil) {
      self.name = name
      self.holder = holder
    }
  }

  package struct Chip: Equatable, Sendable {
    package var path: FilePath
    package var name: String
    /// Names that lead to it too: what it was called by an older kernel.
    package var aliases: [String] = []
    package var label: String
    package var lines: [Line]
    /// It is there and cannot be opened.
    package var fault: Fault?

    package init(path: FilePath, name: String, label: String = "", lines: [Line] = [], fault: Fault? = nil) {
      self.path = path
      self.name = name
      self.label = label
      self.lines = lines
      self.fault = fault
    }

    package var description: String { label.isEmpty ? name : "\(name) (\(label))" }
  }

  /// Where a line is.
  package struct Location: Hashable, Sendable {
    package let chip: FilePath
    package let offset: Int

    package init(chip: FilePath, offset: Int) {
      self.chip = chip
      self.offset = offset
    }
  }

  package var chips: [Chip]

  package init(chips: [Chip] = []) { self.chips = chips }

  package subscript(place: Location) -> Line? {
    guard let chip = chips.first(where: { $0.path == place.chip }), chip.lines.indices.contains(place.offset) else {
      return nil
    }
    return chip.lines[place.offset]
  }

  /// Where the line is, free or not; a fault says what there is instead.
  package func find(_ name: LineName) throws(Fault) -> Location {
    switch name {
    case .named(let name): try find(named: name)
    case .at(let chip, let offset): try find(offset, on: chip)
    }
  }

  private func find(named name: String) throws(Fault) -> Location {
    let found = chips.flatMap { chip in
      chip.lines.indices.filter { chip.lines[$0].name == name }.map { (chip, $0) }
    }
    if let (chip, offset) = found.first {
      guard found.count > 1 else { return Location(chip: chip.path, offset: offset) }
      // The wrong one may switch something else on the board, so none of them is taken.
      let all = found.prefix(4).map { "\($0.0.name):\($0.1)" }.joined(separator: ", ")
      throw Fault(.malformed, "H-216", "\(found.count) lines are called \(name); write the one that is meant: \(all)")
    }
    // The line may be on a chip that cannot be opened. This fault and the next say the same for every line, so that
    // people are told once.
    if let fault = chips.first(where: { $0.fault != nil })?.fault { throw fault }
    guard !chips.isEmpty else {
      throw Fault(.missing, "H-202", "there is no GPIO chip (/dev/gpiochip*) for the board's knob and buttons")
    }
    let names = Set(chips.flatMap { $0.lines.map(\.name) }.filter { !$0.isEmpty })
    let near = nearest(to: name, in: names.sorted())
    let instead =
      near.isEmpty ? "none of theirs has a name; write chip:line" : "the nearest are \(near.joined(separator: ", "))"
    throw Fault(.missing, "H-203", "no GPIO chip has a line \(name); \(instead)")
  }

  private func find(_ offset: Int, on name: String) throws(Fault) -> Location {
    guard
      let chip = chips.first(where: { $0.name == name || $0.aliases.contains(name) })
        ?? chips.first(where: { $0.label == name })
    else {
      let there = chips.map(\.description).joined(separator: ", ")
      throw Fault(.missing, "H-202", "there is no GPIO chip \(name); what is there: \(there.isEmpty ? "none" : there)")
    }
    if let fault = chip.fault { throw fault }
    guard chip.lines.indices.contains(offset) else {
      let last = chip.lines.count - 1
      throw Fault(.missing, "H-204", "the GPIO chip \(chip.description) has no line \(offset); its last is \(last)")
    }
    return Location(chip: chip.path, offset: offset)
  }

  /// The three that take the fewest changes, case aside.
  private func nearest(to name: String, in names: [String]) -> [String] {
    let wanted = Array(name.lowercased().utf8)
    return
      names.map { (Spelling.distance(from: wanted, to: Array($0.lowercased().utf8)), $0) }
      .sorted { $0 < $1 }.prefix(3).map(\.1)
  }
}
