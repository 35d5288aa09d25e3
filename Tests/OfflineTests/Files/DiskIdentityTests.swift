import Testing

@testable import Offline

@Suite("Whether a folder is the disk that music is kept on")
struct DiskIdentityTests {
  @Test(
    "its mark says so; without one, that nothing can be lost, or what lies there",
    arguments: [
      ("a", "a", true, true, .isHome), ("a", "a", true, false, .isHome), ("a", "a", false, false, .isHome),
      // The empty folder below a disk that is late, and another disk in its place.
      ("a", nil, true, false, .isAway), ("a", "b", true, false, .isAway),
      // Even where something of an earlier time lies there.
      ("a", nil, true, true, .isAway), ("a", "b", true, true, .isAway),
      // As an older program has left it, and in the middle of being given its mark.
      (nil, nil, true, true, .isKnown(byMark: nil)), (nil, "a", true, true, .isKnown(byMark: "a")),
      (nil, nil, true, false, .isAway), (nil, "b", true, false, .isAway),
      // The first start, one that was broken off, and a disk that was another device's.
      (nil, nil, false, false, .isNew), ("a", nil, false, false, .isNew),
      (nil, "b", false, false, .isAnothers), ("a", "b", false, false, .isAnothers),
    ] as [(String?, String?, Bool, Bool, DiskIdentity)])
  func table(known: String?, found: String?, hasKept: Bool, holdsSome: Bool, identity: DiskIdentity) {
    #expect(DiskIdentity(known: known, found: found, hasKept: hasKept, holdsSome: holdsSome) == identity)
  }

  @Test("a row tells of bytes when some are here, or an older version is, and not when it was cancelled")
  func kept() {
    var record = DownloadRecord(MediaKey(source: "shop", item: "1", quality: .high))
    #expect(!record.hasKept)
    record.path = "/media/aa/x.flac"
    #expect(record.hasKept)
    (record.path, record.durable) = (nil, 1)
    #expect(record.hasKept)
    record.state = .cancelled
    #expect(!record.hasKept)
  }
}
