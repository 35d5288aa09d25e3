import Hardware
import Kit
import Runtime
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
    return reader.take(events)
  }

  /// Codes as the kernel's header numbers them.
  static let keys: [(UInt16, Input)] = [
    (164, .press(.play)), (200, .press(.play)), (201, .press(.play)), (163, .press(.next)), (165, .press(.previous)),
    (115, .press(.louder)), (114, .press(.quieter)), (113, .press(.mute)), (158, .press(.back)), (172, .press(.home)),
    (28, .press(.knob)), (352, .press(.knob)), (353, .press(.knob)), (208, .press(.forward)), (168, .press(.rewind)),
    (116, .press(.power)), (106, .turn(1)), (103, .turn(1)), (105, .turn(-1)), (108, .turn(-1)), (104, .turn(5)),
    (109, .turn(-5)), (138, .press(.help)), (1, .press(.back)), (57, .press(.play)),
  ]

  @Test("letters and digits mean nothing")
  func letters() {
    let letters = Array(UInt16(2)...11) + Array(16...25) + Array(30...38) + Array(44...50)
    #expect(inputs(letters.flatMap { [Self.key($0), Self.report] }) == [])
    var bits = [UInt8](repeating: 0, count: 96)
    for letter in letters { bits[Int(letter) / 8] |= 1 << (letter % 8) }
    #expect(!EventKeys.isUseful(keys: bits, axes: []))
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
    let play = record(of: Self.key(164)) + record(of: Self.report)
    #expect(InputEvent.all(in: play) == [Self.key(164), Self.report])
    #expect(InputEvent.all(in: record(of: Self.wheel(8, -2))) == [Self.wheel(8, -2)])
    for length in 0..<play.count { #expect(InputEvent.all(in: play[..<length]).count == length / 24) }
    #expect(InputEvent.all(in: play[24...]) == [Self.report])
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
        for case .turn(let count) in reader.take(InputEvent.all(in: bytes)) {
          #expect(count != 0 && abs(count) <= EventReader.furthest, "seed \(seed)")
        }
      }
    }
  }

  @Test("a device is useful by one key or one wheel of the table")
  func useful() {
    var keys = [UInt8](repeating: 0, count: 96)
    #expect(!EventKeys.isUseful(keys: keys, axes: [0]))
    #expect(!EventKeys.isUseful(keys: [], axes: []))
    #expect(!EventKeys.isUseful(keys: [], axes: [0b11]), "a mouse without a wheel")
    #expect(EventKeys.isUseful(keys: [], axes: [0, 1]), "REL_WHEEL")
    #expect(EventKeys.isUseful(keys: [], axes: [0x80]), "REL_DIAL")
    keys[352 / 8] = 1
    #expect(EventKeys.isUseful(keys: keys, axes: []))
  }
}

/// As the kernel writes it, with some time in front.
func record(of event: InputEvent) -> [UInt8] {
  func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  return little(1_234_567, 8) + little(987_654, 8) + little(UInt64(event.type), 2) + little(UInt64(event.code), 2)
    + little(UInt64(UInt32(bitPattern: event.value)), 4)
}
