import Runtime

/// Where the music is, as it survives a power cut: everything that changes while a queue is played through.
package struct SavedPlace: Equatable, Sendable {
  package var entry: EntryID?
  package var frame: Int64 = 0
  /// Frames a second of that entry; what `frame` is worth in time.
  package var rate: Int32 = 44_100
  package var wish = Player.PlaybackState.stopped
  package var volume = 0
  package var isMuted = false
  package var repeats = PlayQueue.Repeat.off
  /// The first of those that were played in a row up to the entry.
  package var playedSince: EntryID?
  /// What the normaliser was told of that entry when it began.
  package var loudness: StartedLoudness?

  package init() {}
}

/// One of the two 512-byte slots of the position file. They are written in turn, so that a cut in the middle of a
/// write costs that one and never the one before; the checksum tells a whole slot from a torn one.
package struct PlaceSlot: Equatable, Sendable {
  package static let size = 512
  private static let magic = Array("LAYBYPOS".utf8)
  private static let version: UInt64 = 1

  package var sequence: UInt64
  package var place: SavedPlace

  package init(sequence: UInt64, place: SavedPlace) {
    self.sequence = sequence
    self.place = place
  }

  /// Always such that they can be read again: what makes no sense is brought to what is next to it and does.
  package var bytes: [UInt8] {
    var fields: [UInt64] = [Self.version, sequence]
    fields.append(place.entry?.number ?? 0)
    fields.append(UInt64(max(place.frame, 0)))
    fields.append(UInt64(max(place.rate, 1)))
    fields.append(UInt64(Player.PlaybackState.order.firstIndex(of: place.wish) ?? 0))
    fields.append(UInt64(min(max(place.volume, 0), 100)))
    fields.append(UInt64(PlayQueue.Repeat.allCases.firstIndex(of: place.repeats) ?? 0))
    // Zero in what was written before there were any.
    fields.append(place.isMuted ? 1 : 0)
    fields.append(place.playedSince?.number ?? 0)
    fields += StartedLoudness.fields(of: place.loudness)
    var bytes = Self.magic
    for field in fields { bytes += (0..<8).map { UInt8(truncatingIfNeeded: field >> ($0 * 8)) } }
    bytes += [UInt8](repeating: 0, count: Self.size - 4 - bytes.count)
    let sum = Checksum.crc32(bytes)
    return bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
  }

  /// Nil when it is torn, empty, from a later version, or says what cannot be.
  package init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.size, bytes.starts(with: Self.magic) else { return nil }
    func number(at offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << ($1 * 8) }
    }
    let sum = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[Self.size - 4 + $1]) << ($1 * 8) }
    guard sum == Checksum.crc32(bytes.dropLast(4)), number(at: 8) == Self.version else { return nil }
    let wishes = Player.PlaybackState.order
    let modes = PlayQueue.Repeat.allCases
    guard let frame = Int64(exactly: number(at: 32)), let rate = Int32(exactly: number(at: 40)), rate > 0,
      let wish = Int(exactly: number(at: 48)), wishes.indices.contains(wish),
      let volume = Int(exactly: number(at: 56)), (0...100).contains(volume),
      let mode = Int(exactly: number(at: 64)), modes.indices.contains(mode), number(at: 72) <= 1
    else { return nil }
    sequence = number(at: 16)
    place = SavedPlace()
    place.entry = number(at: 24) == 0 ? nil : EntryID(number: number(at: 24))
    place.frame = frame
    place.rate = rate
    place.wish = wishes[wish]
    place.volume = volume
    place.repeats = modes[mode]
    place.isMuted = number(at: 72) == 1
    place.playedSince = number(at: 80) == 0 ? nil : EntryID(number: number(at: 80))
    place.loudness = StartedLoudness(fields: (0..<StartedLoudness.fieldCount).map { number(at: 88 + 8 * $0) })
  }
}

extension Player.PlaybackState {
  /// As numbered on disk; never reorder.
  fileprivate static let order: [Player.PlaybackState] = [.stopped, .paused, .playing]
}
