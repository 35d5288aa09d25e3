import Audio
import Runtime
import TestSupport
import Testing

@testable import Panel

extension Scene {
  static func row(_ focus: String, _ value: String = "", in place: String = "Menu") -> Scene {
    Scene { ($0.place, $0.focus, $0.value) = (place, focus, value) }
  }
}

/// An announcer on a clock, and what it said.
private struct Listener {
  var announcer = Announcer()
  var now = Moment(nanoseconds: 1_000_000_000)
  var said: [String] = []
  var hushes = 0
  var number: Int?

  mutating func take(_ actions: [Announcer.Action]) {
    for action in actions {
      switch action {
      case .say(let text, let number):
        said.append(text.text)
        self.number = number
      case .hush:
        hushes += 1
        number = nil
      }
    }
  }

  /// A hand moved, and the panel shows this.
  mutating func move(_ scene: Scene) {
    announcer.touch(at: now)
    take(announcer.see(scene, at: now))
  }
  mutating func see(_ scene: Scene) { take(announcer.see(scene, at: now)) }
  mutating func notice(_ text: String) { take(announcer.notice(text)) }
  mutating func pass(_ milliseconds: Int) {
    now = now + .milliseconds(milliseconds)
    take(announcer.settle(by: now))
  }
  mutating func end() { if let number { take(announcer.ended(number)) } }
}

@Suite("Announcer")
struct AnnouncerTests {
  @Test("what hands can do on a page is said last on arrival, and not with each number that is turned to")
  func advice() {
    var listener = Listener()
    for value in ["5 s", "6 s"] {
      listener.move(
        Scene { ($0.place, $0.value, $0.advice) = ("Crossfade", value, "Press: keep. Hold: as before") })
      listener.pass(250)
      listener.end()
    }
    #expect(listener.said == ["Crossfade. 5 s. Press: keep. Hold: as before", "6 s"])
  }

  @Test("where one is is said on arrival, then what is looked at; what stays is not said again")
  func arrival() {
    var listener = Listener()
    listener.move(.row("Queue"))
    #expect(listener.said.isEmpty && listener.announcer.due != nil)
    listener.pass(250)
    #expect(listener.said == ["Menu. Queue"])
    listener.end()
    listener.see(.row("Queue"))
    listener.pass(1_000)
    listener.move(.row("Library"))
    listener.pass(250)
    listener.end()
    listener.move(.row("Artists", in: "Library"))
    listener.pass(250)
    #expect(listener.said == ["Menu. Queue", "Library", "Library. Artists"])
  }

  @Test("quick turning says only the last, after it rests")
  func quick() {
    var listener = Listener()
    for index in 0..<30 {
      listener.move(.row("row \(index)"))
      listener.pass(100)
    }
    #expect(listener.said.isEmpty)
    listener.pass(149)
    #expect(listener.said.isEmpty)
    listener.pass(1)
    #expect(listener.said == ["Menu. row 29"])
  }

  @Test("a new focus breaks off what is being said at once")
  func interrupts() {
    var listener = Listener()
    listener.move(.row("A"))
    listener.pass(300)
    listener.move(.row("B"))
    #expect(listener.hushes == 1 && !listener.announcer.isSpeaking)
    listener.move(.row("C"))
    #expect(listener.hushes == 1, "there is nothing to break off any more")
    listener.pass(250)
    #expect(listener.said == ["Menu. A", "C"])
  }

  @Test("what changes by itself is told by nobody: a download's progress, the next track, an old menu that closes")
  func byItself() {
    var listener = Listener()
    listener.see(.row("Song", "Artist", in: ""))
    listener.pass(5_000)
    listener.see(.row("Next song", "Artist", in: ""))
    listener.pass(5_000)
    #expect(listener.said.isEmpty)
    var moving = Scene.row("Album", "1 %", in: "Downloads")
    moving.isMoving = true
    listener.move(moving)
    listener.pass(250)
    for percent in 2..<9 {
      moving.value = "\(percent) %"
      listener.see(moving)
      listener.pass(300)
    }
    #expect(listener.said == ["Downloads. Album, 1 %"] && listener.hushes == 0)
  }

  @Test("while it waits for a hand to rest, what is said is as it is by then")
  func latest() {
    var listener = Listener()
    var moving = Scene.row("Album", "1 %", in: "Downloads")
    moving.isMoving = true
    listener.move(moving)
    listener.pass(100)
    moving.value = "2 %"
    listener.see(moving)
    listener.pass(150)
    #expect(listener.said == ["Downloads. Album, 2 %"])
  }

  @Test("of a row that stays only its new value is said")
  func value() {
    var listener = Listener()
    listener.move(.row("Shuffle", "Off"))
    listener.pass(250)
    listener.end()
    listener.pass(5_000)
    listener.move(.row("Shuffle", "On"))
    listener.pass(250)
    #expect(listener.said == ["Menu. Shuffle, Off", "On"])
  }

  @Test("what a hand waits for is told when it comes, however late; what comes after that, or elsewhere, is not")
  func late() {
    var looking = Scene.row("Looking…", in: "Artists")
    looking.isComing = true
    var listener = Listener()
    listener.move(.row("Artists"))
    listener.pass(1_000)
    listener.end()
    listener.move(looking)
    listener.pass(5_000)
    listener.end()
    listener.see(.row("Abba", in: "Artists"))
    listener.pass(250)
    listener.end()
    #expect(listener.said == ["Menu. Artists", "Artists. Looking…", "Abba"])
    listener.see(.row("Zappa", in: "Artists"))
    listener.pass(5_000)
    #expect(listener.said.count == 3, "nobody waits any more")
    // It closes by itself before anything has come; and one that nobody led to comes and goes.
    looking.place = "Albums"
    listener.move(looking)
    listener.pass(5_000)
    listener.end()
    listener.see(.row("Song", in: ""))
    listener.pass(5_000)
    listener.see(looking)
    listener.pass(5_000)
    listener.see(.row("Abbey Road", in: "Albums"))
    listener.pass(5_000)
    #expect(listener.said.dropFirst(3) == ["Albums. Looking…"])
  }

  @Test("a question speaks up by itself, with all that it asks")
  func question() {
    var listener = Listener()
    listener.see(.row("Song", in: ""))
    listener.pass(5_000)
    listener.see(
      Scene { ($0.place, $0.focus, $0.asks) = ("Copy the music? 12 songs", "No", true) })
    listener.pass(250)
    listener.move(Scene { ($0.place, $0.focus, $0.asks) = ("Copy the music? 12 songs", "Yes", true) })
    listener.pass(250)
    #expect(listener.said == ["Copy the music? 12 songs. No", "Yes"])
  }

  @Test("a notice waits for what is being said, and is not said over it; the same is not said twice in a row")
  func notices() {
    var listener = Listener()
    listener.move(.row("Queue"))
    listener.notice("The stick is full")
    listener.pass(250)
    listener.notice("The stick is full")
    #expect(listener.said == ["Menu. Queue"])
    listener.end()
    #expect(listener.said == ["Menu. Queue", "The stick is full"])
    listener.notice("The stick is full")
    listener.end()
    #expect(listener.said.count == 2)
    listener.notice("The stick is out")
    #expect(listener.said.last == "The stick is out")
    listener.move(.row("Library"))
    #expect(listener.hushes == 1, "a hand comes before a notice too")
  }

  @Test("of many notices the oldest that wait are left out")
  func many() {
    var listener = Listener()
    listener.notice("first")
    for index in 0..<10 { listener.notice("number \(index)") }
    for _ in 0..<10 { listener.end() }
    #expect(listener.said == ["first", "number 6", "number 7", "number 8", "number 9"])
  }

  @Test("what has nothing that can be said is passed over, and does not keep a notice waiting")
  func nothing() {
    var listener = Listener()
    listener.move(.row("…", in: ""))
    listener.notice("hm")
    #expect(listener.said.isEmpty)
    listener.pass(250)
    #expect(listener.said == ["hm"])
  }

  @Test(
    "whatever happens: one voice at a time, bounded words, and after a rest the last that was shown",
    arguments: 1...60 as ClosedRange<UInt64>)
  func walk(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var listener = Listener()
    var last = Scene()
    var before: (said: Int, seen: Int) = (0, 0)
    var seen = 0
    for step in 0..<400 {
      let wasSpeaking = listener.announcer.isSpeaking
      let (said, hushes) = (listener.said.count, listener.hushes)
      let choice = Int.random(in: 0..<10, using: &generator)
      switch choice {
      case 0..<4:
        let scene = Scene.row(
          "row \(Int.random(in: 0..<6, using: &generator))", in: "place \(Int.random(in: 0..<3, using: &generator))")
        if scene != last { seen += 1 }
        last = scene
        listener.move(scene)
      case 4: listener.notice("notice \(Int.random(in: 0..<3, using: &generator))")
      case 5: listener.end()
      default: listener.pass(Int.random(in: 1...400, using: &generator))
      }
      // A voice that speaks is broken off or over before another begins.
      if listener.said.count > said, wasSpeaking, choice != 5 { #expect(listener.hushes > hushes, "seed \(seed)") }
      #expect(listener.said.allSatisfy { !$0.isEmpty && $0.count <= SpokenText.longest }, "seed \(seed) step \(step)")
      if listener.said.count > said, let text = listener.said.last, text.contains("row") {
        #expect(text.hasSuffix(last.focus), "seed \(seed) step \(step): \(text) for \(last.focus)")
        #expect(seen > before.seen, "seed \(seed) step \(step): said twice")
        before = (said, seen)
      }
    }
    listener.pass(1_000)
    #expect(listener.announcer.due == nil)
  }
}
