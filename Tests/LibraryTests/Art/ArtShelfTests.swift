import Canvas
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Library

@Suite("The shelf of pictures")
struct ArtShelfTests {
  @Test("an album's tracks have one picture: decoded once a size, and not again in the next run")
  func once() async throws {
    let music = ArtMusic()
    let state = TempFolder()
    let cover = try ArtMusic.cover(0x204060)
    for number in 1...6 { try music.put(ArtMusic.song([(kind: 3, bytes: cover)]), "\(number).mp3") }
    try music.put(cover, "cover.png")
    let shelf = ArtShelf(storing: state.path / "art", decoding: .here)
    for round in 1...2 {
      for number in 1...6 {
        let path = music.path / "\(number).mp3"
        let picture = await shelf.picture(of: path, at: 10)
        #expect(picture?.size == Size(width: 10, height: 10))
        #expect(picture?.pixels.allSatisfy { $0 == 0x204060 } == true)
        #expect(shelf.picture(of: path, as: .square(10)) == picture)
        #expect(round == 2 || shelf.picture(of: path, as: .square(11)) == nil)
      }
      #expect(shelf.decoded == 1)
    }
    _ = await shelf.picture(of: music.path / "1.mp3", at: 11)
    #expect(shelf.decoded == 2)
    let next = ArtShelf(storing: state.path / "art", decoding: .here)
    #expect(next.picture(of: music.path / "2.mp3", as: .square(10)) == nil)
    #expect(await next.picture(of: music.path / "2.mp3", at: 10)?.pixels.first == 0x204060)
    #expect(next.decoded == 0)
  }

  @Test("a picture that cannot be decoded is tried once, and the next best is shown")
  func broken() async throws {
    let music = ArtMusic()
    let shelf = ArtShelf(storing: nil, decoding: .here)
    let broken = Array(try ArtMusic.cover(1, side: 40).prefix(30))
    let lonely = try music.put(ArtMusic.song([(kind: 3, bytes: broken)]), "lonely/a.mp3")
    for _ in 0..<5 { #expect(await shelf.picture(of: lonely, at: 10) == nil) }
    #expect(shelf.decoded == 1)
    let other = try music.put(ArtMusic.song([(kind: 3, bytes: broken)]), "other/a.mp3")
    try music.put(try ArtMusic.cover(0x00FF00), "other/Front.png")
    for _ in 0..<5 { #expect(await shelf.picture(of: other, at: 10)?.pixels.first == 0x00FF00) }
    #expect(shelf.decoded == 2)
  }

  @Test("a wish that comes just as the worker leaves is answered")
  func leaving() async throws {
    let music = ArtMusic()
    let song = try music.put([1], "a.mp3")
    try music.put(try ArtMusic.cover(0x111111), "cover.png")
    let shelf = ArtShelf(storing: nil, decoding: .here)
    // Whoever is answered asks again at once, while the worker looks whether there is more to do.
    let answered = Atomic<Int>(0)
    for number in 1...1_000 {
      let end = Moment.now + .seconds(60)
      // A little later each time, so that it meets the worker everywhere on its way out.
      for _ in 0..<number % 512 { _ = answered.load(ordering: .relaxed) }
      _ = shelf.ask(song, as: .square(10)) { _ in answered.store(number, ordering: .releasing) }
      // Awake, since whoever is woken comes too late.
      while answered.load(ordering: .acquiring) < number { try #require(Moment.now < end, "wish \(number) was lost") }
    }
  }

  @Test("a cover that was changed is shown as it is now")
  func changed() async throws {
    let music = ArtMusic()
    let shelf = ArtShelf(storing: nil, decoding: .here)
    let song = try music.put([1], "a.mp3")
    #expect(await shelf.picture(of: song, at: 10) == nil)
    try music.put(try ArtMusic.cover(0x111111), "cover.png")
    #expect(await shelf.picture(of: song, at: 10)?.pixels.first == 0x111111)
    try music.put(try ArtMusic.cover(0x222222, side: 21), "cover.png")
    #expect(await shelf.picture(of: song, at: 10)?.pixels.first == 0x222222)
  }

  @Test("who cancelled hears nothing, all others are answered once", arguments: 1...3)
  func walk(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let music = ArtMusic()
    for number in 0..<8 {
      try music.put(try ArtMusic.cover(UInt32(number), side: 30 + number), "\(number)/cover.png")
    }
    let shelf = ArtShelf(storing: nil, decoding: .here)
    let answers = Mutex<[Int: Int]>([:])
    var kept: Set<Int> = []
    for number in 0..<200 {
      let folder = Int.random(in: 0..<9, using: &random)
      let ticket = shelf.ask(music.path / "\(folder)" / "a.mp3", as: .square(8)) { picture in
        answers.withLock { $0[number, default: 0] += 1 }
        #expect(picture?.pixels.first == (folder < 8 ? UInt32(folder) : nil), "seed \(seed)")
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else {
        kept.insert(number)
        continue
      }
      let before = answers.withLock { $0[number] ?? 0 }
      shelf.cancel(ticket)
      shelf.cancel(ticket)
      // It may have been answered already, or be answered at this very moment.
      #expect(before <= 1)
    }
    // Made last, so done at once; and the line before it is empty when the oldest is done.
    var left = kept
    while !left.isEmpty {
      _ = await shelf.picture(of: music.path / "0" / "last.mp3", at: 8)
      left = kept.subtracting(answers.withLock { $0.keys })
    }
    #expect(answers.withLock { $0.values.allSatisfy { $0 == 1 } }, "seed \(seed)")
    #expect(shelf.decoded <= 200)
  }
}
