import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Hardware

/// What the kernel would write: messages and their pieces, made byte by byte.
enum Canned {
  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8.filter { $0 > 0x20 })
    return stride(from: 0, to: digits.count - 1, by: 2).map { place in
      UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16) ?? 0
    }
  }

  static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
  }

  /// One after the other; in place of many `+`, with which the compiler has trouble.
  static func row(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  static func piece(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    padded(row(number(UInt16(4 + value.count)), number(type), value))
  }

  static func piece(_ type: UInt16, _ value: UInt32) -> [UInt8] { piece(type, number(value)) }

  static func message(_ type: UInt16, _ body: [UInt8], sequence: UInt32 = 1, flags: UInt16 = 2) -> [UInt8] {
    let head = row(number(UInt32(16 + body.count)), number(type), number(flags), number(sequence), number(UInt32(77)))
    return padded(head + body)
  }

  static let end = message(3, [0, 0, 0, 0])

  static func refusal(_ errno: Int32) -> [UInt8] { message(2, number(-errno)) }

  /// `state`: 6 is up, 2 down, 5 waits to be let in, 0 not said.
  static func link(
    _ index: UInt32, _ name: String, flags: UInt32 = 0x1_1043, state: UInt8 = 6, hardware: UInt16 = 1,
    address: [UInt8] = [0, 1, 2, 3, 4, 5], lower: UInt32? = nil, master: UInt32? = nil
  ) -> [UInt8] {
    var body: [UInt8] = [0, 0]
    body += number(hardware)
    body += number(index)
    body += number(flags)
    body += number(UInt32(0))
    body += piece(3, Array(name.utf8) + [0])
    body += piece(16, [state])
    body += piece(1, address)
    if let lower { body += piece(5, lower) }
    if let master { body += piece(10, master) }
    return message(16, body)
  }

  static func address(_ index: UInt32, _ bytes: [UInt8], scope: UInt8 = 0, flags: UInt32 = 0x80) -> [UInt8] {
    let family: UInt8 = bytes.count == 4 ? 2 : 10
    var body: [UInt8] = [family, 24, UInt8(flags & 0xFF), scope]
    body += number(index)
    body += piece(1, bytes)
    body += piece(8, flags)
    return message(20, body)
  }

  static func route(
    _ index: UInt32, cost: UInt32 = 0, family: UInt8 = 2, length: UInt8 = 0, kind: UInt8 = 1, table: UInt32 = 254
  ) -> [UInt8] {
    var body: [UInt8] = [family, length, 0, 0, UInt8(table & 0xFF), 3, 0, kind]
    body += number(UInt32(0))
    body += piece(15, table)
    body += piece(6, cost)
    body += piece(4, index)
    return message(24, body)
  }

  // MARK: Wireless

  static let family = message(
    16, row([1, 2, 0, 0], piece(2, Array("nl80211".utf8) + [0]), piece(1, number(UInt16(0x1C)))), flags: 0)

  static func interface(_ index: UInt32, kind: UInt32 = 2, ssid: String? = nil) -> [UInt8] {
    let name: [UInt8] = ssid.map { piece(52, Array($0.utf8)) } ?? []
    return message(0x1C, row([7, 1, 0, 0], piece(3, index), piece(5, kind), name))
  }

  static func station(_ index: UInt32, dBm: Int8, rate: UInt16) -> [UInt8] {
    let facts = row(piece(7, number(dBm)), piece(8 | 0x8000, piece(1, number(rate))))
    return message(
      0x1C, row([19, 1, 0, 0], piece(3, index), piece(6, [2, 0, 0, 0, 0, 1]), piece(21 | 0x8000, facts)))
  }

  static func seen(ssid: [UInt8], isJoined: Bool, hundredths: Int32 = -4_500) -> [UInt8] {
    let elements = row([0, UInt8(ssid.count)], ssid, [1, 2, 0x82, 0x84])
    let state: [UInt8] = isJoined ? piece(9, UInt32(1)) : []
    let facts = row(piece(1, [2, 0, 0, 0, 0, 1]), piece(7, number(hundredths)), piece(6, elements), state)
    return message(0x1C, row([34, 1, 0, 0], piece(47, facts)))
  }

  static func messages(_ bytes: [UInt8]) -> [NetlinkMessage] { NetlinkMessage.all(in: bytes[...]).messages }
}

/// Answers questions byte for byte, and rings when a test says so. What it was not told to expect it refuses.
final class PlayedKernel: Sendable {
  private struct State {
    var answers: [[UInt8]: [UInt8]] = [:]
    var refuses: Fault?
    var questions = 0
  }

  private let state = Mutex(State())
  let folder = TempFolder()
  let bell: Bell

  init() throws(Fault) { bell = try Bell() }

  var questions: Int { state.withLock { $0.questions } }

  func answer(_ request: NetlinkRequest, _ messages: [UInt8]...) {
    let bytes = messages.flatMap { $0 }
    state.withLock { $0.answers[request.bytes(sequence: 1)] = bytes }
  }

  func refuse(_ fault: Fault?) { state.withLock { $0.refuses = fault } }

  func ask(_ request: NetlinkRequest) throws(Fault) -> [NetlinkMessage] {
    let (refused, answer) = state.withLock { state in
      state.questions += 1
      return (state.refuses, state.answers[request.bytes(sequence: 1)])
    }
    if let refused { throw refused }
    guard let answer else { throw Fault(.missing, "T-1", "nobody expected \(request)") }
    return Canned.messages(answer)
  }

  var surroundings: NetworkSurroundings {
    var surroundings = NetworkSurroundings()
    surroundings.devices = folder.path
    surroundings.ask = { (_, request) throws(Fault) in try self.ask(request) }
    surroundings.news = { () throws(Fault) in RungNews(self.bell) }
    return surroundings
  }

  /// A device's folder, with what the kernel would put there.
  func device(_ name: String, wireless: Bool = false, type: String? = nil, driver: String? = "r8169") {
    let place = folder.path / name
    do throws(Fault) {
      try Folder.make(place)
      if driver != nil { try Folder.make(place / "device") }
      if wireless { try Folder.make(place / "phy80211") }
      try AtomicFile.replace(place / "uevent", with: Array((type.map { "DEVTYPE=\($0)\n" } ?? "").utf8))
    } catch { Issue.record("\(error)") }
    guard let driver else { return }
    let target = "../../bus/drivers/\(driver)"
    _ = target.withCString { target in (place / "device/driver").withCString { symlink(target, $0) } }
  }
}

struct RungNews: KernelNews {
  let bell: Bell

  init(_ bell: Bell) { self.bell = bell }

  var number: Int32 { bell.number }
  func take() -> Bool {
    var slot = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
    let isRung = poll(&slot, 1, 0) > 0
    bell.hush()
    return isRung
  }
}
