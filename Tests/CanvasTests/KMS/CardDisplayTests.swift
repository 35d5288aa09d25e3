import CLinux
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("A display at a graphics card")
struct CardDisplayTests {
  private static let device = FilePath("/dev/dri/card7")

  /// Time as the test has it.
  private final class Clock {
    var now = Moment(nanoseconds: 0)
  }

  private func open(
    _ card: PretendCard, turn: Turn = .none, wanted: Size? = nil, _ clock: Clock = Clock()
  ) throws -> CardDisplay {
    try CardDisplay(Card(kernel: card, device: Self.device), turn: turn, wanted: wanted, now: { clock.now })
  }

  private func small(_ width: UInt16 = 16, _ height: UInt16 = 8) -> PretendCard {
    let card = PretendCard()
    card.connectors[0].modes = [.of(width, height)]
    return card
  }

  @Test("it has the display's own mode, is dark at first, and shows what was drawn from the next picture on")
  func shows() throws {
    let card = PretendCard()
    let display = try open(card)
    #expect(display.size == Size(width: 800, height: 480))
    #expect(card.isTaken && card.modesSet == 1 && card.picture.allSatisfy { $0 == 0 })
    let canvas = Canvas(size: display.size)
    canvas.fill(canvas.bounds, from: Pixel(0x112233), to: Pixel(0xDDCCBB))
    try display.show(canvas, changed: [canvas.bounds])
    #expect(card.picture.allSatisfy { $0 == 0 }, "half a picture is seen")
    card.makePicture()
    #expect(card.picture == canvas.allPixels)
    #expect(!display.isBehind && card.modesSet == 1 && card.dirty.isEmpty)
  }

  @Test("what comes while a picture is made goes with the next one, and nothing waits")
  func pending() throws {
    let card = small()
    let display = try open(card)
    let canvas = Canvas(size: display.size)
    canvas.fill(canvas.bounds, .white)
    try display.show(canvas, changed: [canvas.bounds])
    let first = canvas.allPixels
    for x in 0..<5 {
      canvas[x, 2] = Pixel(0xFF0000)
      try display.show(canvas, changed: [Rect(x: x, y: 2, width: 1, height: 1)])
      #expect(display.isBehind)
    }
    card.makePicture()
    #expect(card.picture == first)
    try display.catchUp()
    #expect(!display.isBehind)
    card.makePicture()
    #expect(card.picture == canvas.allPixels)
  }

  @Test("whatever is drawn and whenever pictures are made: only whole frames are seen, and at last the right one")
  func walk() throws {
    for seed in UInt64(1)...16 {
      var random = SeededGenerator(seed: seed)
      let card = small(40, 30)
      let turn = Turn.allCases.randomElement(using: &random) ?? .none
      var display: CardDisplay? = try open(card, turn: turn)
      let canvas = Canvas(size: try #require(display).size)
      func hung() -> [UInt32] {
        let path = turn.path(through: canvas.size, row: canvas.size.width)
        let pixels = canvas.allPixels
        return (0..<30).flatMap { y in (0..<40).map { x in pixels[path.start + x * path.right + y * path.down] } }
      }
      var shown: Set<[UInt32]> = [card.picture]
      for _ in 0..<40 {
        let seen = card.picture
        canvas.scribble(&random)
        let changed = canvas.changes()
        if !changed.isEmpty { try display?.show(canvas, changed: changed) }
        canvas.markShown(changed)
        shown.insert(hung())
        #expect(card.picture == seen, "seed \(seed): what is seen was drawn into")
        if Bool.random(using: &random) { card.makePicture() }
        #expect(shown.contains(card.picture), "seed \(seed): never drawn like that")
        if Bool.random(using: &random) { try display?.catchUp() }
      }
      for _ in 0..<3 {
        card.makePicture()
        try display?.catchUp()
      }
      #expect(card.picture == hung() && display?.isBehind == false, "seed \(seed)")
      display = nil
      #expect(card.isClean, "seed \(seed)")
    }
  }

  @Test("a card that cannot change frames is drawn on directly, and is told where", arguments: [0, ENOSYS])
  func noFlips(told: Int32) throws {
    let card = small()
    card.refused[layby_kms_page_flip] = EINVAL
    if told != 0 { card.refused[layby_kms_mark_dirty] = told }
    let display = try open(card)
    let canvas = Canvas(size: display.size)
    canvas.fill(canvas.bounds, .white)
    try display.show(canvas, changed: [canvas.bounds])
    canvas[3, 4] = .black
    try display.show(canvas, changed: [Rect(x: 3, y: 4, width: 1, height: 1)])
    #expect(card.picture == canvas.allPixels && !display.isBehind)
    let clips = card.dirty.map { [$0.left, $0.top, $0.right, $0.bottom] }
    #expect(clips == (told == 0 ? [[0, 0, 16, 8], [3, 4, 4, 5]] : []))
  }

  @Test("a card that never tells that a frame is shown is not waited for longer than a second")
  func silent() throws {
    let card = small()
    let clock = Clock()
    let display = try open(card, clock)
    let canvas = Canvas(size: display.size)
    canvas.fill(canvas.bounds, .white)
    try display.show(canvas, changed: [canvas.bounds])
    card.makePicture(telling: false)
    canvas.fill(canvas.bounds, Pixel(0x123456))
    clock.now = clock.now + .milliseconds(900)
    try display.show(canvas, changed: [canvas.bounds])
    #expect(display.isBehind)
    clock.now = clock.now + .milliseconds(200)
    try display.catchUp()
    #expect(card.picture == canvas.allPixels && !display.isBehind)
  }

  @Test("events of others, cut short or without a length, are nothing")
  func foreignEvents() throws {
    let card = small()
    let display = try open(card)
    let canvas = Canvas(size: display.size)
    for bytes in [
      [2, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 32, 0, 0, 0, 1, 0], [2, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0], [1],
      [1, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]] {
      try display.show(canvas, changed: [canvas.bounds])
      card.say(bytes)
      try display.show(canvas, changed: [canvas.bounds])
      #expect(display.isBehind, "\(bytes)")
    }
    card.makePicture()
    try display.catchUp()
    card.makePicture()
    try display.catchUp()
    #expect(!display.isBehind)
  }

  @Test("what was shown before is shown again when it goes, and nothing of it is left")
  func givesBack() throws {
    let card = small()
    card.hasConsole(.of(1_024, 768))
    var display: CardDisplay? = try open(card)
    #expect(display != nil && card.shown?.frame != 7)
    display = nil
    #expect(card.shown?.frame == 7 && card.shown?.mode.width == 1_024)
    #expect(card.isClean)
  }

  @Test("what cannot be is told with its reason, and leaves nothing behind")
  func faults() throws {
    let cases: [(String, Fault.Kind, String, (PretendCard) -> Void)] = [
      ("K-151", .unsupported, "no pictures", { $0.showsMemory = false }),
      ("K-151", .unsupported, "no pictures", { $0.refused[layby_kms_get_resources] = EOPNOTSUPP }),
      ("K-152", .busy, "another program has it", { $0.refused[layby_kms_set_master] = EACCES }),
      ("K-152", .busy, "another program has it", { $0.refused[layby_kms_set_master] = EBUSY }),
      ("K-153", .missing, "no display is plugged in", { $0.connectors[0].connection = layby_kms_disconnected }),
      ("K-153", .missing, "no display is plugged in", { $0.connectors = [] }),
      ("K-154", .passing, "no size", { $0.connectors[0].modes = [] }),
      ("K-154", .passing, "no size", { $0.connectors[0].modes = [.of(0, 480), .of(9_000, 480)] }),
      ("K-154", .passing, "no way", { $0.encoders = [20: 0] }),
      ("K-154", .passing, "no way", { $0.crtcs = [] }),
      ("K-155", .full, "memory for 800 x 480", { $0.refused[layby_kms_make_memory] = ENOSPC }),
      ("K-155", .passing, "16 bits a pixel", { $0.refused[layby_kms_add_frame] = EINVAL }),
      ("K-135", .malformed, "rows of 3136 bytes", { $0.strideLie = -64 }),
      ("K-135", .malformed, "do not hold", { $0.sizeLie = -1 }),
      ("K-156", .passing, "set /dev/dri/card7 to 800 x 480", { $0.refused[layby_kms_set_crtc] = EINVAL }),
      ("K-157", .missing, "whether its display is there", { $0.refused[layby_kms_get_connector] = ENODEV }),
      ("K-158", .missing, "take over", { $0.refused[layby_kms_get_capability] = ENODEV }),
    ]
    for (index, (code, kind, words, change)) in cases.enumerated() {
      let card = PretendCard()
      change(card)
      let fault = try faultOf { try open(card) }
      #expect(fault.code == code && fault.kind == kind && fault.message.contains(words), "\(index): \(fault)")
      #expect(fault.message.contains("/dev/dri/card7"))
      #expect(card.memories.isEmpty && card.frames.isEmpty && card.mappings == 0, "\(index)")
    }
  }

  @Test("a display or card that is pulled, and a card that somebody else takes, are told at the next frame")
  func pulled() throws {
    let cases: [(String, Fault.Kind, (PretendCard) -> Void)] = [
      ("K-153", .missing, { $0.connectors[0].connection = layby_kms_disconnected }),
      ("K-153", .missing, { $0.connectors = [] }),
      ("K-157", .missing, { $0.refused[layby_kms_get_connector] = ENODEV }),
      ("K-157", .missing, { $0.refused[layby_kms_page_flip] = ENODEV }),
      ("K-152", .busy, { $0.refused[layby_kms_page_flip] = EACCES }),
    ]
    for (index, (code, kind, change)) in cases.enumerated() {
      let card = small()
      let display = try open(card)
      let looks = card.looks
      let canvas = Canvas(size: display.size)
      change(card)
      let fault = try faultOf { try display.show(canvas, changed: [canvas.bounds]) }
      #expect(fault.code == code && fault.kind == kind, "\(index): \(fault)")
      #expect(card.looks == looks, "a frame looked at the wire")
    }
  }

  @Test("whichever call fails, it is a fault, and nothing is left over")
  func everyCall() throws {
    var failed = 0
    for place in 1...200 {
      let card = small()
      card.failsAt = place
      do {
        var display: CardDisplay? = try open(card)
        let canvas = Canvas(size: try #require(display).size)
        try display?.show(canvas, changed: [canvas.bounds])
        // What failed was a question whose answer one can do without.
        let isDone = card.calls < place
        display = nil
        if isDone { break }
      } catch let fault as Fault {
        failed += 1
        #expect(fault.code.hasPrefix("K-15"), "\(place): \(fault)")
      }
      #expect(card.mappings == 0, "call \(place)")
      if place < 8 { #expect(card.memories.isEmpty && card.frames.isEmpty, "call \(place)") }
    }
    #expect(failed >= 10)
  }

  @Test("a card without 32 bits a pixel is drawn on with 16")
  func sixteen() throws {
    let card = small()
    card.refused[32] = EINVAL
    let display = try open(card)
    let canvas = Canvas(size: display.size)
    canvas.fill(canvas.bounds, Pixel(0xFF8000))
    try display.show(canvas, changed: [canvas.bounds])
    card.makePicture()
    #expect(card.picture.allSatisfy { $0 == 0xFC00 })
  }

  @Test("turned by a quarter it is seen upright, in the wanted size as it is seen")
  func turned() throws {
    let card = PretendCard()
    let display = try open(card, turn: .quarter, wanted: Size(width: 480, height: 640))
    #expect(display.size == Size(width: 480, height: 640) && card.shown?.mode.width == 640)
    let canvas = Canvas(size: display.size)
    canvas[0, 0] = .white
    try display.show(canvas, changed: [canvas.bounds])
    card.makePicture()
    let picture = card.picture
    #expect(picture.indices.filter { picture[$0] != 0 } == [639])
  }
}

@Suite("What a card's picture is shown on")
struct CardOutputsTests {
  private func outputs(_ connectors: [CardOutputs.Connector]) -> CardOutputs {
    CardOutputs(
      crtcs: [10, 11, 12], connectors: connectors,
      encoders: [
        1: .init(crtc: 0, possible: 0b100), 2: .init(crtc: 11, possible: 0b111), 3: .init(crtc: 11, possible: 1),
      ])
  }

  @Test("connected before unknown, wanted before preferred before first; the one that feeds it already before others")
  func table() {
    let there = CardOutputs.Connector(
      id: 5, connection: layby_kms_connected, modes: [.of(640, 480), .of(800, 480, preferred: true)], encoders: [1])
    var unknown = there
    (unknown.id, unknown.connection, unknown.encoders) = (6, 3, [2])
    var empty = there
    (empty.id, empty.modes) = (7, [])
    var pulled = there
    (pulled.id, pulled.connection) = (8, layby_kms_disconnected)
    func chosen(_ connectors: [CardOutputs.Connector], _ wanted: Size? = nil) -> [Int]? {
      outputs(connectors).choice(wanted: wanted).map { [Int($0.connector), Int($0.crtc), Int($0.mode.width)] }
    }
    #expect(chosen([pulled, empty, unknown, there]) == [5, 12, 800])
    #expect(chosen([pulled, empty, unknown]) == [6, 11, 800])
    #expect(chosen([there], Size(width: 640, height: 480)) == [5, 12, 640])
    #expect(chosen([there], Size(width: 320, height: 240)) == [5, 12, 800])
    #expect(chosen([pulled, empty]) == nil)
    var many = there
    many.encoders = [9, 3, 1]
    #expect(chosen([many]) == [5, 10, 800])
  }

  @Test("a display that nobody has looked at is looked at, one that is known is not")
  func looks() throws {
    let card = PretendCard()
    _ = try Card(kernel: card, device: FilePath("/dev/dri/card7")).outputs()
    #expect(card.looks == 0)
    card.connectors[0].isUnprobed = true
    let found = try Card(kernel: card, device: FilePath("/dev/dri/card7")).outputs()
    #expect(card.looks == 1 && found.connectors[0].modes.count == 2)
  }

  @Test("lists without end are believed for their first part")
  func endless() throws {
    let card = PretendCard()
    card.crtcs = (0..<1_000).map { 10_000 + $0 }
    card.connectors += (0..<1_000).map { PretendCard.Connector(id: 1_000 + $0, modes: [.of(64, 64)]) }
    card.connectors[0].modes = Array(repeating: .of(64, 64), count: 5_000)
    let found = try Card(kernel: card, device: FilePath("/dev/dri/card7")).outputs()
    #expect(found.crtcs.count == 64 && found.connectors.count == 64 && found.connectors[0].modes.isEmpty)
  }
}
