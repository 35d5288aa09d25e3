import Audio
import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Playback

private func anyPlace(_ random: inout SeededGenerator) -> SavedPlace {
  var place = SavedPlace()
  place.entry = Bool.random(using: &random) ? EntryID(number: .random(in: 1 ... .max, using: &random)) : nil
  place.frame = .random(in: 0 ... .max, using: &random)
  place.rate = .random(in: 1 ... .max, using: &random)
  place.wish = [.stopped, .paused, .playing].randomElement(using: &random) ?? .stopped
  place.volume = .random(in: 0...100, using: &random)
  place.repeats = PlayQueue.Repeat.allCases.randomElement(using: &random) ?? .off
  if Bool.random(using: &random) { place.loudness = anyLoudness(&random) }
  return place
}

private func anyLoudness(_ random: inout SeededGenerator) -> StartedLoudness {
  func number() -> Double? { Bool.random(using: &random) ? .random(in: -60...60, using: &random) : nil }
  func facts() -> LoudnessFacts {
    LoudnessFacts(trackGain: number(), trackPeak: number(), albumGain: number(), albumPeak: number())
  }
  return StartedLoudness(
    hint: LoudnessHint(tagged: facts(), measured: facts(), isInAlbum: .random(using: &random)),
    normaliser: NormaliserMode.allCases.randomElement(using: &random) ?? .off)
}

@Suite("Place slot")
struct PlaceSlotTests {
  @Test("what is written is read again, whatever it is")
  func roundTrip() {
    for seed in UInt64(1)...500 {
      var random = SeededGenerator(seed: seed)
      let slot = PlaceSlot(sequence: random.next(), place: anyPlace(&random))
      #expect(slot.bytes.count == PlaceSlot.size)
      #expect(PlaceSlot(bytes: slot.bytes) == slot, "seed \(seed)")
    }
  }

  @Test("a loudness that cannot be costs the loudness and not the place")
  func senselessLoudness() throws {
    var place = SavedPlace()
    place.volume = 40
    place.loudness = StartedLoudness(
      hint: LoudnessHint(tagged: LoudnessFacts(trackGain: .nan)), normaliser: .track)
    let read = try #require(PlaceSlot(bytes: PlaceSlot(sequence: 1, place: place).bytes)?.place)
    #expect(read.volume == 40 && read.loudness == nil)
    #expect(StartedLoudness(fields: [9] + [UInt64](repeating: 0, count: StartedLoudness.fieldCount - 1)) == nil)
    #expect(StartedLoudness(fields: []) == nil)
  }

  @Test("what makes no sense is written so that it does")
  func senseless() {
    var place = SavedPlace()
    (place.frame, place.rate, place.volume) = (-5, 0, 1_000)
    let read = PlaceSlot(bytes: PlaceSlot(sequence: 1, place: place).bytes)?.place
    #expect(read?.frame == 0 && read?.rate == 1 && read?.volume == 100)
  }

  @Test("a flipped bit anywhere is noticed")
  func flipped() {
    var random = SeededGenerator(seed: 3)
    let bytes = PlaceSlot(sequence: 7, place: anyPlace(&random)).bytes
    for index in bytes.indices {
      for bit in 0..<8 {
        var broken = bytes
        broken[index] ^= 1 << bit
        #expect(PlaceSlot(bytes: broken) == nil, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test("part of a new slot over an old one is never taken for a place, unless it is all of the new or the old")
  func torn() {
    var random = SeededGenerator(seed: 4)
    let old = PlaceSlot(sequence: 2, place: anyPlace(&random)).bytes
    let new = PlaceSlot(sequence: 4, place: anyPlace(&random)).bytes
    for cut in 0...PlaceSlot.size {
      for torn in [new[..<cut] + old[cut...], old[..<cut] + new[cut...]] where Array(torn) != old && Array(torn) != new
      {
        #expect(PlaceSlot(bytes: torn) == nil, "cut at \(cut)")
      }
    }
  }

  @Test("no other size is a slot", arguments: [0, 1, 511, 513, 1_024])
  func sizes(count: Int) {
    let bytes = PlaceSlot(sequence: 1, place: SavedPlace()).bytes
    #expect(PlaceSlot(bytes: Array((bytes + bytes + bytes).prefix(count))) == nil)
  }
}

@Suite("Place file")
struct PlaceFileTests {
  private let folder = TempFolder()

  private func write(_ bytes: [UInt8]) throws { try AtomicFile.replace(folder.path / "position", with: bytes) }
  private func bytes() throws -> [UInt8] { try AtomicFile.read(folder.path / "position", limit: 4_096) }

  private func place(_ frame: Int64) -> SavedPlace {
    var place = SavedPlace()
    place.frame = frame
    return place
  }

  @Test("a new one holds nothing; then it holds what was saved last, again and again")
  func last() throws {
    for turn in Int64(0)..<20 {
      var file = try PlaceFile(in: folder.path)
      #expect(file.saved?.frame == (turn == 0 ? nil : turn * 10 + turn % 3))
      let next = turn + 1
      for frame in next * 10...next * 10 + next % 3 { try file.save(place(frame)) }
    }
  }

  @Test("when the last slot is torn at any byte, the one before counts; the next save then mends it")
  func torn() throws {
    var file = try PlaceFile(in: folder.path)
    for frame in Int64(1)...3 { try file.save(place(frame)) }
    let whole = try bytes()
    // The third save went where the first had been.
    for cut in stride(from: 0, to: PlaceSlot.size, by: 7) {
      var broken = whole
      for index in cut..<PlaceSlot.size { broken[PlaceSlot.size + index] = 0xA5 }
      try write(broken)
      var file = try PlaceFile(in: folder.path)
      #expect(file.saved?.frame == 2, "cut at \(cut)")
      try file.save(place(9))
      let again = try PlaceFile(in: folder.path)
      #expect(again.saved?.frame == 9, "cut at \(cut)")
    }
  }

  @Test("after the largest sequence comes 0, and counts as later")
  func wrap() throws {
    try write(
      PlaceSlot(sequence: .max - 1, place: place(1)).bytes + PlaceSlot(sequence: .max, place: place(2)).bytes)
    var file = try PlaceFile(in: folder.path)
    #expect(file.saved?.frame == 2)
    for frame in Int64(3)...5 {
      try file.save(place(frame))
      let again = try PlaceFile(in: folder.path)
      #expect(again.saved?.frame == frame)
    }
  }

  @Test(
    "a file of another size, or full of anything, holds nothing and can be used",
    arguments: [0, 1, 512, 1_023, 1_024, 1_025, 100_000])
  func foreign(size: Int) throws {
    var random = SeededGenerator(seed: UInt64(size))
    try write((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    var file = try PlaceFile(in: folder.path)
    #expect(file.saved == nil)
    try file.save(place(6))
    let again = try PlaceFile(in: folder.path)
    #expect(again.saved?.frame == 6)
  }
}
