import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Events of input devices")
struct EventTests {
  private static let report = InputEvent(type: 0, code: 0, value: 0)
  private static let dropped = InputEvent(type: 0, code: 3, value: 0)

  private static func key(_ code: UInt16, _ value: Int32 = 1) -> InputEvent {
    InputEvent(type: 1, code: code, value: value)
  }

  private static func wheel(_ code: UInt16, _ value: Int32) -> InputEvent {
    InputEvent(type: 2, code: code, value: value)
  }

  private func inputs(_ events: [InputEvent]) -> [Input] {
    var reader = EventReader()
    return reader.take(events).map(\.input)
  }

  /// Codes as the kernel's header numbers them.
  static let keys: [(UInt16, Input)] = [
    (164, .press(.play)), (200, .press(.play)), (201, .press(.play)), (163, .press(.next)), (165, .press(.previous)),
    (115, .press(.louder)), (114, .press(.quieter)), (113, .press(.mute)), (158, .press(.back)), (172, .press(.home)),
    (28, .press(.knob)), (352, .press(.knob)), (353, .press(.knob)), (208, .press(.forward)), (168, .press(.rewind)),
    (116, .press(.power)), (106, .turn(1)), (105, .turn(-1)), (103, .press(.up)), (108, .press(.down)),
    (104, .press(.pageUp)), (109, .press(.pageDown)), (138, .press(.help)), (1, .press(.back)), (57, .press(.play)),
  ]

  @Test("letters and digits mean nothing")
  func letters() {
    let letters = Array(UInt16(2)...11) + Array(16...25) + Array(30...38) + Array(44...50)
    #expect(inputs(letters.flatMap { [Self.key($0), Self.report] }) == [])
    var bits = [UInt8](repeating: 0, count: 96)
    for letter in letters { bits[Int(letter) / 8] |= 1 << (letter % 8) }
    #expect(!KeyMap().isUseful(keys: bits, axes: []))
  }

  @Test(
    "a key means what is printed on it, when it goes down; what it repeats means nothing, and its end is told",
    arguments: keys)
  func held(code: UInt16, input: Input) {
    let events = [Self.key(code), Self.key(code, 2), Self.key(code, 2), Self.key(code, 0)]
    let release: [Input] = if case .press(let button) = input { [.release(button)] } else { [] }
    #expect(inputs(events.flatMap { [$0, Self.report] }) == [input] + release)
  }

  @Test("a wheel turns by what it says, once a report", arguments: [UInt16(7), 8])
  func wheel(code: UInt16) {
    #expect(inputs([Self.wheel(code, 1), Self.wheel(code, 2), Self.report]) == [.turn(3)])
    #expect(inputs([Self.wheel(code, -4), Self.report, Self.wheel(code, 1), Self.report]) == [.turn(-4), .turn(1)])
    #expect(inputs([Self.wheel(code, 1), Self.wheel(code, -1), Self.report]) == [])
    #expect(inputs([Self.wheel(code, 1)]) == [], "not yet reported")
    #expect(inputs([Self.wheel(code, 2), Self.key(164), Self.report]) == [.turn(2), .press(.play)])
  }

  @Test("other axes mean nothing, and a broken wheel does not turn for ever")
  func otherAxes() {
    #expect(inputs([Self.wheel(0, 9), Self.wheel(1, 9), Self.wheel(6, 9), Self.wheel(11, 120), Self.report]) == [])
    #expect(inputs([Self.wheel(8, .max), Self.wheel(8, .max), Self.report]) == [.turn(EventReader.furthest)])
    #expect(inputs([Self.wheel(8, .min), Self.report]) == [.turn(-EventReader.furthest)])
  }

  @Test("when events were dropped, the torn report is thrown away and the next one counts")
  func torn() {
    let events = [
      Self.wheel(8, 1), Self.dropped, Self.key(164), Self.wheel(8, 5), Self.report, Self.key(163), Self.report,
    ]
    #expect(inputs(events) == [.press(.next)])
  }

  @Test("records are read as the kernel writes them; what is not a whole one is dropped")
  func bytes() {
    let moment = Moment(nanoseconds: 1_234_567_987_654_000)
    func at(_ moment: Moment, _ event: InputEvent) -> InputEvent {
      InputEvent(type: event.type, code: event.code, value: event.value, at: moment)
    }
    let play = record(of: at(moment, Self.key(164))) + record(of: at(moment, Self.report))
    #expect(InputEvent.all(in: play) == [at(moment, Self.key(164)), at(moment, Self.report)])
    let shifted = InputEvent.all(in: record(of: at(moment, Self.wheel(8, -2))), shift: .seconds(3))
    #expect(shifted == [at(moment + .seconds(3), Self.wheel(8, -2))])
    for length in 0..<play.count { #expect(InputEvent.all(in: play[..<length]).count == length / 24) }
    #expect(InputEvent.all(in: play[24...]) == [at(moment, Self.report)])
    // Times that no clock has.
    for byte in [UInt8(0xFF), 0x7F, 0x80] {
      let wrong = [UInt8](repeating: byte, count: 16) + play[16..<24]
      #expect(InputEvent.all(in: wrong, shift: .seconds(1)).map(\.code) == [164])
    }
  }

  @Test("whatever bytes come, they are events and no crash, and turns stay within a hand's reach")
  func noise() {
    for seed in UInt64(1)...50 {
      var generator = SeededGenerator(seed: seed)
      var reader = EventReader()
      for _ in 0..<50 {
        let length = Int.random(in: 0...200, using: &generator)
        var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for place in stride(from: 16, to: length, by: 24) { bytes[place] = UInt8.random(in: 0...2, using: &generator) }
        for place in stride(from: 17, to: length, by: 24) { bytes[place] = 0 }
        for place in stride(from: 18, to: length, by: 24) { bytes[place] = UInt8.random(in: 0...8, using: &generator) }
        for place in stride(from: 19, to: length, by: 24) { bytes[place] = 0 }
        for case .turn(let count, _) in reader.take(InputEvent.all(in: bytes)).map(\.input) {
          #expect(count != 0 && abs(count) <= EventReader.furthest, "seed \(seed)")
        }
      }
    }
  }

  @Test("each input has its event's moment")
  func moments() {
    var reader = EventReader()
    let (first, second) = (Moment(nanoseconds: 5), Moment(nanoseconds: 9))
    let events = [
      InputEvent(type: 1, code: 164, value: 1, at: first), InputEvent(type: 0, code: 0, value: 0, at: first),
      InputEvent(type: 2, code: 8, value: 2, at: second), InputEvent(type: 0, code: 0, value: 0, at: second),
    ]
    #expect(reader.take(events) == [TimedInput(.press(.play), at: first), TimedInput(.turn(2), at: second)])
    #expect(reader.released(at: second) == [TimedInput(.release(.play), at: second)])
    #expect(reader.released(at: second) == [])
  }

  @Test("what goes up is what went down, whatever the key means by then; what never went down does not go up")
  func remapped() throws {
    var reader = EventReader()
    var map = KeyMap()
    let space = try #require(KeyName("KEY_SPACE"))
    #expect(reader.take([Self.key(57), Self.report], by: map).map(\.input) == [.press(.play)])
    map.bind(space, to: .next)
    #expect(reader.take([Self.key(57, 0), Self.report], by: map).map(\.input) == [.release(.play)])
    #expect(reader.take([Self.key(57, 0), Self.report], by: map).map(\.input) == [])
    #expect(reader.take([Self.key(57), Self.report], by: map).map(\.input) == [.press(.next)])
    map.unbind(space)
    #expect(reader.take([Self.key(57, 0), Self.key(57), Self.report], by: map).map(\.input) == [.release(.next)])
    #expect(reader.takeUnknown() == space)
  }

  @Test("the first key without a meaning is remembered once; a finger on a pad and a mouse's button are no keys")
  func unknown() {
    var reader = EventReader()
    _ = reader.take([Self.key(0x110), Self.key(0x14A), Self.key(164), Self.key(30, 0), Self.key(30, 2), Self.report])
    #expect(reader.takeUnknown() == nil)
    _ = reader.take([Self.key(30), Self.key(31), Self.report])
    #expect(reader.takeUnknown() == KeyName(code: 30))
    #expect(reader.takeUnknown() == nil)
  }

  struct Made: Sendable {
    let name: String
    let keys: [Int]
    let places: [Int]
    let isDirect: Bool
    let isTouchScreen: Bool
  }

  /// Places: 0 and 1 of one finger, 0x35 and 0x36 of many. Keys: 0x14A touch, 0x145 finger on a pad, 0x140 pen, 0x110
  /// a mouse's left button.
  static let made = [
    Made(
      name: "a panel's glass", keys: [0x14A], places: [0, 1, 0x2F, 0x35, 0x36], isDirect: true, isTouchScreen: true),
    Made(name: "one without a touch key", keys: [], places: [0x35, 0x36], isDirect: true, isTouchScreen: true),
    Made(name: "an old one of one finger", keys: [0x14A], places: [0, 1], isDirect: false, isTouchScreen: true),
    Made(
      name: "a pad", keys: [0x110, 0x145, 0x14A], places: [0, 1, 0x35, 0x36], isDirect: false, isTouchScreen: false),
    Made(name: "a pen's tablet", keys: [0x140, 0x14A], places: [0, 1], isDirect: true, isTouchScreen: false),
    Made(name: "an emulator's mouse", keys: [0x110], places: [0, 1], isDirect: false, isTouchScreen: false),
    Made(name: "a joystick", keys: [0x120], places: [0, 1], isDirect: false, isTouchScreen: false),
    Made(name: "a keyboard", keys: [30, 164], places: [], isDirect: false, isTouchScreen: false),
  ]

  @Test("a touch screen is what udev calls one", arguments: made)
  func touchScreens(_ made: Made) {
    func bits(_ codes: [Int], _ count: Int) -> [UInt8] {
      codes.reduce(into: [UInt8](repeating: 0, count: count)) { $0[$1 / 8] |= 1 << ($1 % 8) }
    }
    #expect(
      EventDevice.isTouchScreen(
        keys: bits(made.keys, 96), places: bits(made.places, 8), properties: made.isDirect ? [2, 0, 0, 0] : [0])
        == made.isTouchScreen, "\(made.name)")
  }
}

/// As the kernel writes it, with its time in front.
func record(of event: InputEvent) -> [UInt8] {
  func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  let time = UInt64(event.at.nanoseconds / 1_000)
  return little(time / 1_000_000, 8) + little(time % 1_000_000, 8) + little(UInt64(event.type), 2)
    + little(UInt64(event.code), 2)
    + little(UInt64(UInt32(bitPattern: event.value)), 4)
}
