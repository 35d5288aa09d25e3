import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("Intents")
struct WantsTests {
  static func item(_ name: String) -> ItemKey { ItemKey(source: "shop", item: name) }

  static func items(_ names: [String], bytes: Int64? = nil) -> [Wants.Item] {
    names.map { Wants.Item(item($0), length: .seconds(240), bytes: bytes) }
  }

  static func list(_ id: String) -> ContainerKey { ContainerKey(source: "shop", kind: .playlist, id: id) }
  static func keys(_ names: [String], _ quality: Quality = .high) -> [MediaKey] { names.map { item($0).at(quality) } }

  /// `a` holds 1, 2 and 3; `b` holds 3 and 4, at a better quality when that is said.
  static func two(_ better: Quality = .high) -> Wants {
    var intents = Wants()
    _ = intents.want(list("a"), at: .high, items(["1", "2", "3"]))
    _ = intents.want(list("b"), at: better, items(["3", "4"]))
    return intents
  }

  @Test("what several want is fetched once, at the best quality that any wants")
  func shared() {
    var intents = Self.two(.lossless)
    #expect(intents.keys == Set(Self.keys(["1", "2"]) + Self.keys(["3", "4"], .lossless)))
    let change = intents.drop(Self.list("b"))
    #expect(change.dropped == Self.keys(["4"], .lossless))
    // The better one serves until the other is here.
    let (old, new) = (Self.item("3").at(.lossless), Self.item("3").at(.high))
    #expect(change.replaced == [.init(old: old, new: new)] && change.queued == [])
  }

  @Test("changes are followed: new ones are queued, and those that left go unless something else wants them")
  func follows() {
    var intents = Self.two()
    let change = intents.follow(Self.list("a"), Self.items(["5", "2"]))
    #expect(change.queued == Self.keys(["5"]) && change.dropped == Self.keys(["1"]))
    #expect(intents.keys == Set(Self.keys(["2", "3", "4", "5"])))
    #expect(intents.follow(Self.list("nobody's"), Self.items(["9"])) == Wants.Change())
  }

  @Test("an item twice in a list is one")
  func twice() {
    var intents = Wants()
    guard case .wanted(let change) = intents.want(Self.list("a"), at: .high, Self.items(["1", "1", "2"])) else {
      Issue.record("refused")
      return
    }
    #expect(change.queued == Self.keys(["1", "2"]))
  }

  @Test("one that is left out is not fetched, whatever contains it, until it is taken in")
  func leavesOut() {
    var intents = Self.two()
    #expect(intents.leaveOut(Self.item("3")).dropped == Self.keys(["3"]))
    #expect(intents.leaveOut(Self.item("3")) == Wants.Change())
    _ = intents.want(Self.list("c"), at: .low, Self.items(["3"]))
    #expect(intents.key(of: Self.item("3")) == nil && intents.containers(of: Self.item("3")).count == 3)
    #expect(intents.takeIn(Self.item("3")).queued == Self.keys(["3"]))
  }

  @Test("beyond the quota it is refused, with how many it is over, and nothing changes")
  func quota() {
    var intents = Wants()
    let most = (0..<10_000).map { "\($0)" }
    _ = intents.want(Self.list("a"), at: .high, Self.items(most))
    #expect(intents.count == 10_000)
    let before = intents
    #expect(intents.want(Self.list("b"), at: .high, Self.items(["0", "x", "y"])) == .refused(over: 2))
    #expect(intents == before)
    #expect(intents.want(Self.list("b"), at: .high, Self.items(["0", "1"])) == .wanted(Wants.Change()))
  }

  @Test("a list that grows beyond the quota gets what goes in, and the rest when there is room")
  func grows() {
    var intents = Wants()
    intents.quota = 3
    _ = intents.want(Self.list("a"), at: .high, Self.items(["1", "2"]))
    _ = intents.want(Self.list("b"), at: .high, Self.items(["3"]))
    let change = intents.follow(Self.list("a"), Self.items(["1", "2", "4", "5"]))
    #expect(change.queued == [] && change.over == 2)
    #expect(intents.follow(Self.list("a"), Self.items(["1", "2", "4", "5"])).over == 0)
    #expect(intents.drop(Self.list("b")) == Wants.Change(queued: Self.keys(["4"]), dropped: Self.keys(["3"])))
    #expect(intents.leaveOut(Self.item("1")).queued == Self.keys(["5"]))
  }

  @Test("the size is told before: of all of it, of what is here, and of what nobody else wants and is not here")
  func size() {
    let intents = Self.two()
    let each = Quality.lossless.estimate(of: .seconds(240))
    let sizeHere: (MediaKey) -> Int64? = { $0 == Self.item("9").at(.lossless) ? 555 : nil }
    let size = intents.size(of: Self.items(["1", "8", "9", "8"]), at: .lossless, room: 2 * each, sizeHere: sizeHere)
    #expect(
      size == .init(items: 2, bytes: 2 * each, whole: 2 * each + 555, here: 555, over: 0, room: 2 * each) && size.fits)
    let shared = intents.size(of: Self.items(["1", "8"], bytes: 7), at: .high, room: 0)
    #expect(shared == .init(items: 1, bytes: 7, whole: 14, here: 0, over: 0, room: 0) && !shared.fits)
    // Wanted in a better quality, it is kept and counted in that.
    let lower = intents.size(of: Self.items(["1"]), at: .low, room: 0) { $0 == Self.item("1").at(.high) ? 99 : nil }
    #expect(lower == .init(items: 0, bytes: 0, whole: 99, here: 99, over: 0, room: 0))
    let many = intents.size(of: Self.items((0..<10_001).map { "n\($0)" }), at: .high, room: .max)
    #expect(many.over == 5)
  }

  @Test("the size that the source tells counts in each quality in which its best file is fetched")
  func told() {
    var song = MediaItem(id: "1")
    (song.length, song.size) = (.seconds(240), 7_654_321)
    func bytes(_ qualities: Set<Quality>, _ wanted: Quality) -> Int64? {
      song.qualities = qualities
      return Wants.Item(Self.item("1"), of: song, at: wanted).bytes
    }
    for wanted in Quality.allCases {
      #expect(bytes([.high], wanted) == 7_654_321, "one file only")
      #expect(bytes([.low, .high], wanted) == (wanted < .high ? nil : 7_654_321))
      #expect(bytes([], wanted) == (wanted == .lossless ? 7_654_321 : nil), "nobody knows what there is")
    }
  }

  @Test(
    "whatever is wanted, followed and dropped, what is fetched is what is wanted", arguments: 0..<60 as Range<UInt64>)
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var intents = Wants()
    intents.quota = Int.random(in: 4...12, using: &random)
    var fetched: Set<MediaKey> = []
    for step in 0..<300 {
      let container = Self.list("\(Int.random(in: 0..<5, using: &random))")
      let some = Self.items(
        (0..<Int.random(in: 0..<7, using: &random)).map { _ in "\(Int.random(in: 0..<14, using: &random))" })
      let item = Self.item("\(Int.random(in: 0..<14, using: &random))")
      var change = Wants.Change()
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let before = intents
        switch intents.want(container, at: Quality.allCases.randomElement(using: &random) ?? .low, some) {
        case .wanted(let what): change = what
        case .refused(let over): #expect(over > 0 && intents == before, "seed \(seed), step \(step)")
        }
      case 2, 3: change = intents.follow(container, some)
      case 4: change = step % 50 == 49 ? intents.drop(intents.wishes.keys.sorted()) : intents.drop(container)
      default: change = step % 2 == 0 ? intents.leaveOut(item) : intents.takeIn(item)
      }
      for key in change.dropped { #expect(fetched.remove(key) != nil, "seed \(seed), step \(step): \(key)") }
      for one in change.replaced { #expect(fetched.remove(one.old) != nil && fetched.insert(one.new).inserted) }
      for key in change.queued { #expect(fetched.insert(key).inserted, "seed \(seed), step \(step): \(key)") }
      #expect(fetched == intents.keys, "seed \(seed), step \(step)")
      // By the wishes alone.
      var wanted: [ItemKey: Quality] = [:]
      for wish in intents.wishes.values {
        for item in wish.items where !intents.leftOut.contains(item.key) {
          wanted[item.key] = max(wanted[item.key] ?? .low, wish.quality)
        }
      }
      #expect(fetched.count == min(wanted.count, intents.quota), "seed \(seed), step \(step)")
      for key in fetched { #expect(wanted[key.item] == key.quality, "seed \(seed), step \(step): \(key)") }
    }
  }
}
