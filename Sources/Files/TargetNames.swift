import Runtime

/// What a file is called on the device: as on its source, where the disk allows that.
package enum TargetNames {
  /// What a kind of file system takes as a name.
  package enum Rule: Sendable {
    /// Any bytes.
    case any
    /// FAT, exFAT and NTFS: text, without the signs that mean something to other systems.
    case careful
  }

  package static let longest = 255
  /// Other bytes under the same name so often are no accident.
  package static let mostAlike = 999

  package static func name(_ name: [UInt8], _ rule: Rule) -> [UInt8] {
    var safe = name
    if rule == .careful {
      safe = Array(String(decoding: name, as: UTF8.self).utf8).map { refused.contains($0) ? UInt8(ascii: "_") : $0 }
      // Windows takes them away, and then two names may be one.
      while let last = safe.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { safe.removeLast() }
      if safe.isEmpty { safe = [UInt8(ascii: "_")] }
    }
    return fitted(safe, adding: [])
  }

  /// `Air (2).flac`: when other bytes have the name already.
  package static func numbered(_ name: [UInt8], _ number: Int) -> [UInt8] {
    number < 2 ? name : fitted(name, adding: Array(" (\(number))".utf8))
  }

  /// The addition goes in front of the ending, and what is too long is cut there, between characters.
  private static func fitted(_ name: [UInt8], adding addition: [UInt8]) -> [UInt8] {
    // An ending has at most seven letters; what is longer belongs to the name, such as "Mr. Somebody".
    let dot = name.count - name.startOfFileEnding <= 8 ? name.startOfFileEnding : name.endIndex
    var stem = name[..<dot]
    let ending = name[dot...]
    let room = longest - addition.count - ending.count
    if stem.count > room {
      stem = stem.prefix(room)
      while let last = stem.last, name[stem.endIndex] & 0xC0 == 0x80, last >= 0x80 { stem.removeLast() }
      if stem.isEmpty { stem = name.prefix(room) }
    }
    return Array(stem) + addition + ending
  }

  private static let refused = Set(Array(0..<0x20) + [0x7F] + Array("\"*:<>?\\|".utf8))
}
