import Runtime

/// All writes to a disk, in order. It reads the format of dm-log-writes version 1, which QEMU's blklogwrites writes.
package struct WriteLog: Sendable {
  package struct Entry: Equatable, Sendable {
    /// In bytes.
    package let offset: Int
    package let count: Int
    /// It is a flush: all writes that were acknowledged before it are durable.
    package let flushes: Bool
    /// A write that is durable when it is acknowledged (FUA).
    package let isForced: Bool
    package let discards: Bool
    package let data: [UInt8]

    package init(
      offset: Int, count: Int, flushes: Bool = false, isForced: Bool = false, discards: Bool = false,
      data: [UInt8] = []
    ) {
      self.offset = offset
      self.count = count
      self.flushes = flushes
      self.isForced = isForced
      self.discards = discards
      self.data = data
    }
  }

  package let entries: [Entry]

  private enum Flag {
    static let flush: UInt64 = 1
    static let force: UInt64 = 2
    static let discard: UInt64 = 4
    static let mark: UInt64 = 8
  }

  package init(_ entries: [Entry]) { self.entries = entries }

  package init(parsing bytes: [UInt8]) throws(Fault) {
    let (count, sector) = try Self.head(bytes)
    var entries: [Entry] = []
    var place = sector
    for _ in 0..<count {
      guard bytes.count >= place + 32 else { throw Self.wrong("it ends before entry \(entries.count)") }
      let (first, sectors) = (bytes.word(place), bytes.word(place + 8))
      let (flags, length) = (bytes.word(place + 16), bytes.word(place + 24))
      place += sector
      guard first < 1 << 40, sectors < 1 << 40, length < 1 << 32 else {
        throw Self.wrong("entry \(entries.count) lies beyond every disk")
      }
      let discards = flags & Flag.discard != 0
      let size = flags & Flag.mark != 0 ? Int(length) : discards ? 0 : Int(sectors) * sector
      guard bytes.count >= place + size else { throw Self.wrong("it ends inside entry \(entries.count)") }
      if flags & Flag.mark == 0 {
        entries.append(
          Entry(
            offset: Int(first) * sector, count: Int(sectors) * sector, flushes: flags & Flag.flush != 0,
            isForced: flags & Flag.force != 0, discards: discards, data: Array(bytes[place..<place + size])))
      }
      place += (size + sector - 1) / sector * sector
    }
    self.entries = entries
  }

  /// The number of entries that a growing log has now, from its first 28 bytes. All zeros mean that nothing was written
  /// yet.
  package static func count(inHead bytes: [UInt8]) throws(Fault) -> Int {
    bytes.allSatisfy { $0 == 0 } ? 0 : try head(bytes).count
  }

  private static func head(_ bytes: [UInt8]) throws(Fault) -> (count: Int, sector: Int) {
    guard bytes.count >= 28, bytes.word(0) == 0x6A_7366_7773_6872, bytes.word(8) == 1 else {
      throw wrong("it has not the head of version 1")
    }
    let sector = Int(bytes.word(24, count: 4))
    guard sector == 512 || sector == 4_096, bytes.word(16) < 1 << 32 else { throw wrong("sectors of \(sector) bytes") }
    return (Int(bytes.word(16)), sector)
  }

  private static func wrong(_ what: String) -> Fault { Fault(.malformed, "V-170", "this is no log of writes: \(what)") }
}

extension [UInt8] {
  /// Little endian.
  fileprivate func word(_ place: Int, count: Int = 8) -> UInt64 {
    self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
