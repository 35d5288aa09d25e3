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
      // One alone, for as long as it is read.
      ("a", "aaaaa......"),
      // A second one waits until then.
      ("ab", "aaaaabbbbb...."), ("a......b", "aaaaa..bbbbb..."),
      // The same is not seen twice, neither shown nor waiting.
      ("aaa", "aaaaa....."), ("abba", "aaaaabbbbb...."),
      // After it is over it may come again.
      ("a..........a", "aaaaa......aaaaa.."),
      // An urgent one is seen at once and for longer, and what it hid begins anew.
      ("a..B", "aaaBBBBBBBBBBaaaaa..."),
      // Of several urgent ones the first goes first, and all of them before the others.
      ("aBcD", "aBBBBBBBBBBDDDDDDDDDDaaaaaccccc..."),
      ("A.b.C", "AAAAAAAAAACCCCCCCCCCbbbbb..."),
      // Four wait at most; the oldest is left out.
      ("abcdefg", "aaaaabbbbbdddddeeeeefffffggggg..."),
      // None that is urgent goes for one that is not.
      ("ABCDEFg", "AAAAAAAAAACCCCCCCCCCDDDDDDDDDDEEEEEEEEEEFFFFFFFFFF..."),
      ("AbCDEFG", "AAAAAAAAAADDDDDDDDDDEEEEEEEEEEFFFFFFFFFFGGGGGGGGGG..."),
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

  @Test("an answer is seen at once, in place of the one before; news that it hides begins anew, an alarm goes first")
  func answers() {
    var queue = NoticeQueue()
    func seen(_ second: Int) -> String { queue.current(at: at(second))?.message ?? "." }
    queue.post(notice("n"), at: at(0))
    queue.answer(notice("a"), inPlaceOf: nil, at: at(1))
    #expect(seen(1) == "a")
    queue.answer(notice("b"), inPlaceOf: notice("a"), at: at(2))
    #expect(seen(2) == "b" && seen(6) == "b" && seen(7) == "n" && seen(11) == "n" && seen(12) == ".")
    // The same once more is seen for as long again.
    queue.answer(notice("b"), inPlaceOf: notice("b"), at: at(20))
    queue.answer(notice("b"), inPlaceOf: notice("b"), at: at(23))
    #expect(seen(27) == "b" && seen(28) == ".")
    queue.post(notice("A"), at: at(30))
    queue.answer(notice("c"), inPlaceOf: notice("b"), at: at(31))
    #expect(seen(31) == "A")
    queue.answer(notice("d"), inPlaceOf: notice("c"), at: at(32))
    #expect(seen(39) == "A" && seen(40) == "d" && seen(45) == ".")
  }

  struct Reading: Sendable {
    let letters: Int
    var isUrgent = false
    let seconds: Double
  }

  @Test(
    "each is seen for as long as it is read: a few seconds, more for more letters, and never for ever",
    arguments: [
      Reading(letters: 1, seconds: 5), Reading(letters: 41, seconds: 5), Reading(letters: 60, seconds: 6.1),
      Reading(letters: 100, seconds: 8.5), Reading(letters: 125, seconds: 10), Reading(letters: 100_000, seconds: 10),
      Reading(letters: 1, isUrgent: true, seconds: 10),
    ])
  func reading(one: Reading) {
    let notice = Notice("T-1", String(repeating: "a", count: one.letters), isUrgent: one.isUrgent)
    #expect(notice.readingTime == .milliseconds(Int64(one.seconds * 1_000)))
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
      #expect(due.map { $0 > now && $0 <= now + Notice.longestReading } ?? true, "seed \(seed)")
      if Int.random(in: 0..<40, using: &random) == 0 {
        #expect(seldom.current(at: now) == seen, "seed \(seed), second \(second)")
        #expect(seldom == often, "seed \(seed)")
      }
    }
  }
}
