import Runtime

/// What a program did to its folder, in order, as LossyDisk wrote it down (see LossyDisk.h).
struct DiskLog: Equatable, Sendable {
  enum Operation: Equatable, Sendable {
    case opened(name: String, file: UInt64, made: Bool)
    case written(file: UInt64, at: Int, [UInt8])
    case resized(file: UInt64, to: Int)
    case synced(file: UInt64)
    case folderMade(String)
    case folderSynced(String)
    case renamed(from: String, to: String)
    case removed(String)
    case unknown(String)
  }

  var operations: [Operation]
  /// Where each ends in the log's file.
  var ends: [Int] = []

  init(_ operations: [Operation]) { self.operations = operations }

  func prefix(_ count: Int) -> DiskLog { DiskLog(Array(operations.prefix(count))) }

  /// A program that was killed in the middle of a record leaves a part of it; the operation then counts as not done.
  init(bytes: [UInt8]) throws(Fault) {
    operations = []
    var place = 0
    while bytes.count - place >= Self.headerSize {
      func number<Whole: FixedWidthInteger>(_ offset: Int, as: Whole.Type) -> Whole {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place + offset, as: Whole.self) }
      }
      guard number(0, as: UInt32.self) == Self.magic else {
        throw Fault(.malformed, "T-10", "the disk log has no record at byte \(place)")
      }
      let kind = number(4, as: UInt32.self)
      let file = number(8, as: UInt64.self)
      let offset = Int(number(16, as: Int64.self))
      let lengths = [
        Int(number(24, as: UInt32.self)), Int(number(28, as: UInt32.self)), Int(number(32, as: Int64.self)),
      ]
      guard bytes.count - place - Self.headerSize >= lengths.reduce(0, +) else { return }
      place += Self.headerSize
      let parts = lengths.map { length in
        defer { place += length }
        return bytes[place..<place + length]
      }
      let names = parts.prefix(2).map { String(decoding: $0, as: UTF8.self) }
      operations.append(try Self.operation(kind, file, offset, names[0], names[1], Array(parts[2])))
      ends.append(place)
    }
  }

  private static let magic: UInt32 = 0x4C4F_5353
  private static let headerSize = 40

  private static func operation(
    _ kind: UInt32, _ file: UInt64, _ offset: Int, _ name: String, _ second: String, _ data: [UInt8]
  ) throws(Fault) -> Operation {
    switch kind {
    case 1: .opened(name: name, file: file, made: offset == 1)
    case 2: .written(file: file, at: offset, data)
    case 3: .resized(file: file, to: offset)
    case 4: .synced(file: file)
    case 5: .folderMade(name)
    case 6: .folderSynced(name)
    case 7: .renamed(from: name, to: second)
    case 8: .removed(name)
    case 9: .unknown(name)
    default: throw Fault(.malformed, "T-11", "the disk log has a record of kind \(kind)")
    }
  }
}
