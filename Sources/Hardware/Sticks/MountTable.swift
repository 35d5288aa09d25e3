import Runtime

/// One line of the kernel's table of mounts (/proc/self/mountinfo), as far as it matters for sticks.
package struct Mount: Hashable, Sendable {
  /// The kernel's own, as long as it lasts: the same place mounted anew has another one.
  package let id: Int
  package let device: DeviceNumber
  package let place: FilePath
  package let options: Set<String>
  package let fileSystem: String

  package init(id: Int, device: DeviceNumber, place: FilePath, options: Set<String>, fileSystem: String) {
    self.id = id
    self.device = device
    self.place = place
    self.options = options
    self.fileSystem = fileSystem
  }

  /// As a stick is to be mounted: nothing on it can be changed, run, or gain rights.
  package var isHarmless: Bool { options.isSuperset(of: ["ro", "nosuid", "nodev", "noexec"]) }
}

/// Reads the kernel's table of mounts. Its paths are bytes, with spaces and the like as octal numbers. Whoever mounts
/// chooses them, so a line with an unexpected form is ignored.
package enum MountTable {
  /// Far more than a board has.
  package static let limit = 1 << 20
  private static let longestLine = 3 * FilePath.limit

  /// Those right below `folder` with a plain name, in the table's order. Of several at one place the last counts: it lies
  /// on top of the others.
  package static func mounts(in table: [UInt8], below folder: FilePath) -> [Mount] {
    var found: [Mount] = []
    for line in table.split(separator: 0x0A) where line.count <= longestLine {
      guard let mount = mount(line), isBelow(mount.place, folder) else { continue }
      found.removeAll { $0.place == mount.place }
      found.append(mount)
    }
    return found
  }

  /// `36 35 8:1 / /run/layby-sticks/1234-ABCD ro,nosuid shared:7 - vfat /dev/sda1 ro`, with any number of words, also
  /// none, in front of the dash. Nil for what is mounted of a part of a file system only.
  static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count >= 10, let dash = words[6...].firstIndex(where: { $0.elementsEqual([0x2D]) }),
      dash + 1 < words.count
    else { return nil }
    guard let id = DeviceNumber.number(words[0]), let device = DeviceNumber(words[2]),
      words[3].elementsEqual([0x2F]), let place = FilePath(bytes: plain(words[4])), place.isAbsolute
    else { return nil }
    let options = words[5].split(separator: 0x2C).map { String(decoding: $0, as: UTF8.self) }
    return Mount(
      id: id, device: device, place: place, options: Set(options),
      fileSystem: String(decoding: words[dash + 1], as: UTF8.self))
  }

  /// `\040` is a space; a backslash without three octal digits behind it stays.
  static func plain(_ word: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = word
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == 0x5C, digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 }),
        case let value = digits.reduce(0, { $0 << 3 | Int($1 - 0x30) }), value <= 0xFF
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(value))
      rest = rest.dropFirst(3)
    }
    return bytes
  }

  private static func isBelow(_ place: FilePath, _ folder: FilePath) -> Bool {
    let beginning = folder.bytes + [0x2F]
    return place.bytes.starts(with: beginning) && StickIdentity.isPlain(place.bytes.dropFirst(beginning.count))
  }
}

/// Which identities of file systems and names of mount points are accepted.
enum StickIdentity {
  /// Letters, digits and dashes: nothing that means anything to a shell, a path or a terminal.
  static func isPlain(_ name: some Collection<UInt8>) -> Bool {
    (1...80).contains(name.count)
      && name.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D }
  }
}
