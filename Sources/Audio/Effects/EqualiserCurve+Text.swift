import Runtime

/// A curve as people write it: a preset's name, or up to ten bands with blanks between them. `60:+3` lifts a bell at
/// 60 Hz by 3 dB, `250:-2/1.4` has a width of its own, `low80:+4` and `high8000:-2` are shelves, `pre:-4` makes all
/// softer first.
extension EqualiserCurve: CustomStringConvertible {
  package init(parsing text: String) throws(Fault) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" })
    if words.count == 1, let curve = Self.preset(words[0].lowercased()) {
      self = curve
      return
    }
    guard !words.isEmpty else { throw Self.refusal("nothing is there") }
    var curve = EqualiserCurve()
    var hasPreamp = false
    for word in words {
      if word.lowercased().hasPrefix("pre:") {
        guard !hasPreamp else { throw Self.refusal("there is more than one pre:") }
        hasPreamp = true
        curve.preamp = try Self.number(word.dropFirst(4), Self.preamps, "\(word): decibels", "dB")
      } else {
        guard curve.bands.count < Self.most else { throw Self.refusal("there are more than \(Self.most) bands") }
        curve.bands.append(try EqualiserBand(parsing: word))
      }
    }
    self = curve
  }

  package var description: String {
    if let preset = Self.presets.first(where: { $0.curve == self }) { return preset.name }
    let words = (preamp == 0 && !bands.isEmpty ? [] : ["pre:\(signed(preamp))"]) + bands.map(\.description)
    return words.joined(separator: " ")
  }

  package static func preset(_ name: String) -> EqualiserCurve? {
    name == "flat" ? .flat : presets.first { $0.name == name }?.curve
  }

  fileprivate static func refusal(_ why: String) -> Fault {
    Fault(
      .malformed, "A-203",
      "no equaliser: \(why); expected \(presets.map(\.name).joined(separator: ", ")), or up to \(most) bands such as "
        + "60:+3 250:-2/1.4 low80:+4 high8000:-2, and pre:-3")
  }

  fileprivate static func number(
    _ text: Substring, _ range: ClosedRange<Double>, _ what: String, _ unit: String
  ) throws(Fault) -> Double {
    // Digits only: Swift would take "nan" and "0x1p3" for numbers too.
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2B || $0 == 0x2D }
    guard isPlain, text.utf8.count <= 20, let number = Double(text), range.contains(number) else {
      throw refusal(
        "\"\(what)\" is to be \(plain(range.lowerBound)) to \(plain(range.upperBound))\(unit.isEmpty ? "" : " " + unit)"
      )
    }
    return number
  }
}

extension EqualiserBand: CustomStringConvertible {
  fileprivate init(parsing word: Substring) throws(Fault) {
    let halves = word.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw EqualiserCurve.refusal("\"\(word)\" is neither a preset nor a band") }
    var place = halves[0]
    var kind = Kind.peak
    for (name, shelf) in [("low", Kind.lowShelf), ("high", .highShelf)] where place.lowercased().hasPrefix(name) {
      kind = shelf
      place = place.dropFirst(name.count)
    }
    let value = halves[1].split(separator: "/", omittingEmptySubsequences: false)
    guard value.count <= 2, let gain = value.first else {
      throw EqualiserCurve.refusal("\"\(word)\" has more than one width")
    }
    self.init(
      kind, try EqualiserCurve.number(place, Self.frequencies, "\(word): the frequency", "Hz"),
      try EqualiserCurve.number(gain, Self.gains, "\(word): the gain", "dB"),
      q: value.count == 2 ? try EqualiserCurve.number(value[1], Self.widths, "\(word): the width", "") : nil)
  }

  package var description: String {
    let name =
      switch kind {
      case .peak: ""
      case .lowShelf: "low"
      case .highShelf: "high"
      }
    return "\(name)\(plain(hertz)):\(signed(decibels))\(q == Self.usualQ(kind) ? "" : "/" + plain(q))"
  }
}

/// "60", not "60.0"; never an exponent within what bands may be.
private func plain(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func signed(_ number: Double) -> String { number > 0 ? "+" + plain(number) : plain(number) }
