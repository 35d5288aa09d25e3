import Runtime

/// What udev knows of a disk or partition: its file in /run/udev/data, with one fact on each line. Label and identity come
/// from the stick itself, so anybody may have chosen them.
package struct DeviceRecord: Equatable, Sendable {
  package static let limit = 1 << 16

  /// The file system's own identity; nil when it has none, or one that is not plain.
  package private(set) var uuid: String?
  package private(set) var label: [UInt8] = []
  /// What its maker calls the stick.
  package private(set) var model: [UInt8] = []
  package private(set) var fileSystem: String?
  /// The partition's own identity, from the table it stands in.
  package private(set) var partition: String?
  package private(set) var partitionNumber = ""
  /// Maker, model and number of the stick, as far as it says them.
  package private(set) var serial = ""

  package init(_ bytes: [UInt8] = []) {
    for line in bytes.prefix(Self.limit).split(separator: 0x0A) {
      guard line.starts(with: "E:".utf8), let sign = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = line[(sign + 1)...]
      switch String(decoding: line[..<sign].dropFirst(2), as: UTF8.self) {
      case "ID_FS_UUID": uuid = StickIdentity.isPlain(value) ? String(decoding: value, as: UTF8.self) : nil
      case "ID_FS_LABEL_ENC": label = Self.plain(value)
      case "ID_MODEL_ENC": model = Self.plain(value)
      case "ID_FS_TYPE": fileSystem = StickIdentity.isPlain(value) ? String(decoding: value, as: UTF8.self) : nil
      case "ID_PART_ENTRY_UUID":
        partition = StickIdentity.isPlain(value) ? String(decoding: value, as: UTF8.self) : nil
      case "ID_PART_ENTRY_NUMBER": partitionNumber = String(decoding: value.prefix(10), as: UTF8.self)
      case "ID_SERIAL": serial = String(decoding: value.prefix(200), as: UTF8.self)
      default: break
      }
    }
  }

  /// By what else a file system without an identity is known again: the partition's, else the stick's number with the
  /// place on it, size and label. Nil when there is nothing that would tell it from any other.
  package func identity(bytes: Int64?) -> String? {
    if let uuid { return uuid }
    if let partition { return "partition \(partition)" }
    guard !serial.isEmpty else { return nil }
    return "stick \(serial) \(partitionNumber) \(bytes ?? 0) \(name)"
  }

  /// `\x20` is a space; anything else behind a backslash stays.
  static func plain(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      let code = rest.prefix(3)
      guard byte == 0x5C, code.count == 3, code.first == UInt8(ascii: "x"),
        case let digits = code.dropFirst(), digits.allSatisfy({ Self.isHexadecimal($0) }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return bytes
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
  }

  /// What people call the stick.
  package var name: String {
    let name = StickLabel.shown(label)
    return name.isEmpty ? StickLabel.shown(model) : name
  }
}
