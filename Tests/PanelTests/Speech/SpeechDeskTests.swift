import Audio
import Runtime
import TestSupport
import Testing

@testable import Panel

/// A voice that takes its time, and remembers what it was asked for.
@MainLoop
private final class SlowVoice {
  var asked: [String] = []
  var played: [SoundOverlay] = []
  var hushes = 0
  var faults: [String] = []
  /// As the house has it: what is posted is read aloud, a fault of the reader's too.
  var readsNotices = false
  var result: Result<[Int16]?, Fault> = .success([Int16](repeating: 1, count: 44_100))
  var interruptions = 0
  private(set) lazy var desk: SpeechDesk = SpeechDesk(
    .init(
      rate: { 44_100 }, play: { self.played.append($0) }, hush: { self.hushes += 1 },
      read: { text, _, _, _ in
        self.asked.append(text.text)
        let result = self.result
        await MainLoop.loop.sleep(for: .milliseconds(100))
        return result
      }),
    softness: 0.1, tell: { self.hear($0) })

  nonisolated init() {}

  private func hear(_ fault: Fault) {
    faults.append(fault.code)
    if readsNotices { desk.notice(fault.message) }
  }

  func turnOn() { desk.take(SpeechDesk.Options { ($0.speaks, $0.cues) = (true, true) }) }

  func move(_ focus: String) {
    desk.touch()
    desk.see(.row(focus))
  }

  func pass(_ milliseconds: Int) async {
    for _ in 0..<(milliseconds / 10) { await MainLoop.loop.advance(by: .milliseconds(10)) }
  }
}

@Suite("Reading aloud at work", .serialized)
struct SpeechDeskTests {
  @Test("what is looked at is made by the program and laid over the music, and a notice waits until it was heard")
  func reads() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.turnOn()
      voice.move("Queue")
      await voice.pass(360)
      #expect(voice.asked == ["Menu. Queue"] && voice.played.count == 1)
      #expect(voice.played.first?.lane == .words && voice.played.first?.softness == 0.1)
      voice.desk.notice("The stick is full")
      await voice.pass(1_000)
      #expect(voice.asked.count == 1, "a second of words, and what the device holds")
      await voice.pass(300)
      #expect(voice.asked == ["Menu. Queue", "The stick is full"])
    }
  }

  @Test("what is not wanted any more by the time it is made is not heard; one program runs at a time")
  func late() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.turnOn()
      voice.move("A")
      await voice.pass(280)
      #expect(voice.asked.count == 1)
      voice.move("B")
      #expect(voice.hushes == 1)
      await voice.pass(240)
      #expect(voice.played.isEmpty)
      await voice.pass(200)
      #expect(voice.asked == ["Menu. A", "B"] && voice.played.count == 1)
    }
  }

  @Test("words that were broken off do not end those that come instead")
  func ends() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.turnOn()
      voice.move("A")
      await voice.pass(1_000)
      voice.move("B")
      await voice.pass(400)
      voice.desk.notice("hm")
      // A's end would be now.
      await voice.pass(600)
      #expect(voice.asked == ["Menu. A", "B"])
      await voice.pass(700)
      #expect(voice.asked.last == "hm")
    }
  }

  @Test("a missing program is told once, and there is silence from then on; what is chosen anew is tried anew")
  func missing() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.result = .failure(SpeechProgram.missing)
      voice.turnOn()
      for focus in ["A", "B", "C"] {
        voice.move(focus)
        await voice.pass(500)
      }
      #expect(voice.faults == ["A-220"] && voice.asked.count == 1 && voice.played.isEmpty)
      voice.desk.take(SpeechDesk.Options())
      voice.turnOn()
      voice.move("D")
      await voice.pass(500)
      #expect(voice.faults == ["A-220", "A-220"])
    }
  }

  @Test("one that fails is told once and not read out, tried three times in a row, and then let be")
  func failing() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.readsNotices = true
      voice.result = .failure(Fault(.damaged, "A-223", "it broke"))
      voice.turnOn()
      for focus in ["A", "B", "C", "D", "E"] {
        voice.move(focus)
        await voice.pass(500)
      }
      #expect(voice.faults == ["A-223"] && voice.asked == ["Menu. A", "B", "C"])
    }
  }

  @Test("switched off it is silent at once, and says nothing of what comes")
  func off() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.turnOn()
      voice.move("A")
      await voice.pass(400)
      voice.desk.take(SpeechDesk.Options())
      #expect(voice.hushes == 1)
      voice.move("B")
      voice.desk.notice("hm")
      voice.desk.cue(.detent)
      await voice.pass(1_000)
      #expect(voice.asked.count == 1 && voice.played.count == 1)
    }
  }

  @Test("ticks are made at once, and no faster than a hand can hear them apart")
  func ticks() async {
    await aloneOnMainLoop {
      let voice = SlowVoice()
      voice.turnOn()
      for _ in 0..<10 {
        voice.desk.cue(.detent)
        await voice.pass(10)
      }
      #expect(voice.played.count == 4 && voice.played.allSatisfy { $0 == CueSound.detent.aside(rate: 44_100) })
    }
  }
}

@Suite("What a hand hears of its move")
struct CueOfMoveTests {
  private static func menu(_ rows: [MenuRow], _ focus: Int) -> ShownMenu {
    ShownMenu { $0.content = .rows(rows, focus: focus, goesOn: false, goesBack: false) }
  }

  private static let rows = [MenuRow("A", .open(.queue)), MenuRow("B"), MenuRow("C", .perform(.clearQueue))]

  @Test("a detent, a press, the way back, and the end of a list are told apart")
  func table() {
    let (first, second, third) = (Self.menu(Self.rows, 0), Self.menu(Self.rows, 1), Self.menu(Self.rows, 2))
    #expect(CueSound.of(.turn(1), before: first, after: second) == .detent)
    #expect(CueSound.of(.turn(1), before: third, after: third) == .edge)
    #expect(CueSound.of(.turn(-1), before: first, after: first) == .edge)
    #expect(CueSound.of(.leap(1), before: first, after: first) == .detent)
    #expect(CueSound.of(.press, before: first, after: third) == .press)
    #expect(CueSound.of(.press, before: second, after: second) == .edge, "it only says something")
    #expect(CueSound.of(.press, before: third, after: third) == .press, "what was wished comes later")
    #expect(CueSound.of(.open, before: nil, after: first) == .press)
    #expect(CueSound.of(.back, before: first, after: nil) == .back)
    #expect(CueSound.of(.close, before: first, after: nil) == .back)
    #expect(CueSound.ofChoosing(before: 0, after: 1) == .detent)
    #expect(CueSound.ofChoosing(before: 1, after: 1) == .edge)
  }

  @Test("of each screen it is told where one is, what is looked at, and how it stands")
  func scenes() {
    var menu = Self.menu([MenuRow("Shuffle") { ($0.value, $0.detail) = ("On", "all of it") }], 0)
    menu.title = "Queue"
    let scene = menu.scene(.german)
    #expect(scene == Scene { ($0.place, $0.focus, $0.value) = ("Queue", "Shuffle, all of it", "On") })
    let progress = Self.menu([MenuRow("Album") { $0.sign = .progress(part: 1, of: 2) }], 0)
    #expect(progress.scene(.english).isMoving && !progress.scene(.english).isComing)
    for (word, isComing) in [(Word.looking, true), (.nothingHere, false)] {
      let words = ShownMenu { $0.content = .words(PanelWords.german[word]) }
      #expect(words.scene(.german).isComing == isComing)
    }
    var wheel = LetterWheel()
    wheel.offer(["a"], found: .init([MenuRow("x")]))
    let shown = ShownMenu { ($0.title, $0.content) = ("Suche", .wheel(wheel)) }
    #expect(shown.scene(.german).focus == "Gefundenes zeigen")
    let question = ShownQuestion { ($0.text, $0.details, $0.answers, $0.chosen) = ("Copy?", ["12"], ["No", "Yes"], 1) }
    #expect(question.scene == Scene { ($0.place, $0.focus, $0.asks) = ("Copy?. 12", "Yes", true) })
    let music = NowPlaying { ($0.title, $0.artist, $0.count, $0.state) = ("Song", "Artist", 3, .paused) }
    #expect(music.scene(.german) == Scene { ($0.focus, $0.value) = ("Song, Artist", "Angehalten") })
  }
}
