import Runtime

@testable import Hardware

private let table = SettingsTable(HardwareSettings.settings)

/// Keys of a terminal, cut anywhere; names of keys, a line each; and the whole as the file of what keys were taught.
@Sendable func keys(_ bytes: [UInt8]) {
  var (whole, cut) = (KeyParser(), KeyParser())
  let all = whole.take(bytes)
  precondition(all.count <= bytes.count, "more keys than bytes")
  var single: [Key] = []
  for byte in bytes { single += cut.take([byte]) }
  precondition(single == all && whole.isWaiting == cut.isWaiting, "keys depend on how they were cut")
  _ = whole.pause()
  precondition(!whole.isWaiting && whole.take([0x03]) == [.control("c")], "nobody gets out")
  // Whatever came before, it ends within the longest message.
  var stuck = cut
  _ = stuck.take([UInt8](repeating: 0x61, count: 5_000))
  precondition(stuck.take([0x71]) == [.character("q")], "keys are swallowed for ever")
  for line in bytes.split(separator: 0x0A).prefix(50) {
    guard let key = KeyName(String(decoding: line, as: UTF8.self)) else { continue }
    precondition(KeyName(key.description) == key && KeyName(code: Int(key.code)) == key, "a key has two names")
  }
  guard let learned = try? table.learned("keys", from: bytes, shownAs: "keys") else { return }
  let map = KeyMap(learned: learned)
  precondition(KeyMap(learned: map.learned) == map, "what was taught changes when it is written and read again")
  let again = try? table.learned("keys", from: Array(map.learned.fileText(.board, in: table).utf8), shownAs: "keys")
  precondition(again == map.learned || map.learned == Settings(), "what was taught is not read again")
}

/// What the kernel says of a device that came, went or changed.
@Sendable func kernelEvent(_ bytes: [UInt8]) {
  guard let event = KernelEvent(bytes[...]) else { return }
  precondition(bytes.count <= KernelEvent.longest, "a message that is too long is taken")
  precondition(!event.action.isEmpty && !event.action.contains("@"), "nothing has happened")
  precondition(event.device.utf8.first == 0x2F, "a device that is no path")
  let again = Array("\(event.action)@\(event.device)\0SUBSYSTEM=\(event.subsystem)\0".utf8)
  precondition(again.count > KernelEvent.longest || KernelEvent(again[...]) == event, "it says something else again")
}

/// Records of an input device: no wheel turns further than a hand can, and no button stays held.
@Sendable func inputEvent(_ bytes: [UInt8]) {
  let events = InputEvent.all(in: bytes)
  precondition(events.count == bytes.count / InputEvent.size, "records that are none")
  var reader = EventReader()
  var inputs = reader.take(events)
  // A torn report gives up each key that is held, of which there are as many as there are codes.
  inputs += reader.released(at: Moment(nanoseconds: 0))
  precondition(reader.released(at: Moment(nanoseconds: 0)).isEmpty, "a button is let go twice")
  precondition(inputs.count <= 2 * events.count, "more happens than was told")
  var held: Set<Button> = []
  for input in inputs {
    switch input.input {
    case .press(let button): held.insert(button)
    case .release(let button): held.remove(button)
    case .turn(let steps, _): precondition(abs(steps) <= EventReader.furthest, "turned too far")
    default: break
    }
  }
  precondition(held.isEmpty, "a button stays held for ever")
  _ = reader.takeUnknown()
}
