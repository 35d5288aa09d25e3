import Runtime
import TestSupport
import Testing

@Suite("Notice queue")
struct NoticeQueueTests {
  private func at(_ seconds: Int) -> Moment { Moment(nanoseconds: 1_000_000_000 * Int64(seconds)) }

  /// A capital letter is urgent.
  private func notice(_ letter: Character) -> Notice {
    Notice("T-1", String(letter), isUrgent: letter.isUppercase)
  }

  @Test(
    "who comes when, and who is seen in each second",
    arguments: [
      // One alone, for ten seconds.
      ("a", "aaaaaaaaaa......"),
      // A second one waits for five, and then has ten for itself.
      ("ab", "aaaaabbbbbbbbbb...."),
      // What has been seen for long enough gives way at once.
      ("a......b", "aaaaaaabbbbbbbbbb..."),
      // The same is not seen twice, neither shown nor waiting.
      ("aaa", "aaaaaaaaaa....."), ("abba", "aaaaabbbbbbbbbb...."),
      // After it is over it may come again.
      ("a..........a", "aaaaaaaaaa.aaaaaaaaaa.."),
      // An urgent one is seen at once, and what it hid begins anew.
      ("a..B", "aaaBBBBBaaaaaaaaaa..."),
      // Of several urgent ones the first goes first, and all of them before the others.
      ("aBcD", "aBBBBBDDDDDaaaaacccccccccc..."),
      ("A.b.C", "AAAAACCCCCbbbbbbbbbb..."),
      // Four wait at most; the oldest is left out.
      ("abcdefg", "aaaaabbbbbdddddeeeeefffffgggggggggg..."),
      // None that is urgent goes for one that is not.
      ("ABCDEFg", "AAAAABBBBBCCCCCDDDDDEEEEEFFFFFFFFFF..."),
      ("AbCDEFG", "AAAAACCCCCDDDDDEEEEEFFFFFGGGGGGGGGG..."),
    ])
  func seen(posts: String, seen: String) {
    let coming = Array(posts)
    var queue = NoticeQueue()
    var told = ""
    for second in 0..<seen.count {
      if second < coming.count, coming[second] != "." { queue.post(notice(coming[second]), at: at(second)) }
      told += queue.current(at: at(second))?.message ?? "."
    }
    #expect(told == seen)
  }

  @Test("who looks seldom sees what who looks often does; each change comes when it was said", arguments: 1...20)
  func looks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (often, seldom) = (NoticeQueue(), NoticeQueue())
    var seen: Notice?
    var due: Moment?
    for second in 0..<400 {
      let now = at(second)
      if Int.random(in: 0..<5, using: &random) == 0 {
        let new = notice("abcdeFGH".randomElement(using: &random) ?? "a")
        often.post(new, at: now)
        seldom.post(new, at: now)
      } else if let due, now < due {
        #expect(often.current(at: now) == seen, "seed \(seed), second \(second)")
      }
      seen = often.current(at: now)
      due = often.nextChange
      #expect((seen == nil) == (due == nil), "seed \(seed)")
      #expect(due.map { $0 > now && $0 <= now + NoticeQueue.shownFor } ?? true, "seed \(seed)")
      if Int.random(in: 0..<40, using: &random) == 0 {
        #expect(seldom.current(at: now) == seen, "seed \(seed), second \(second)")
        #expect(seldom == often, "seed \(seed)")
      }
    }
  }
}
