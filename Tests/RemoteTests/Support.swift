import Audio
import Formats
import Glibc
import Playback
import Runtime
import TestSupport
import Testing

@testable import Remote

/// A client that says what it likes, and waits no longer than ten seconds for an answer.
final class RawClient {
  private let number: Int32

  init(_ path: FilePath) throws {
    number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un(path: path)
    let refused = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(refused == 0, "\(Fault.describe(errno))")
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(number) }

  /// False when the other end has closed.
  @discardableResult
  func say(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(number, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func say(_ text: String) -> Bool { say(Array(text.utf8)) }

  /// A line's JSON; nil when the connection was closed.
  func hear() throws -> JSON? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = recv(number, &byte, 1, 0)
      try #require(count >= 0, "no answer in ten seconds")
      if count == 0 { return nil }
      if byte == 0x0A { return try JSON(parsing: line, limits: JSON.Limits(depth: 32, size: 1 << 24)) }
      line.append(byte)
    }
  }

  func ask(_ text: String) throws -> JSON? {
    say(text + "\n")
    return try hear()
  }
}

/// Says what it was asked, and tells events when the test wants.
@MainLoop
final class EchoService: ControlService {
  private(set) var boxes: [Mailbox<JSON>] = []

  nonisolated init() {}

  func answer(_ request: Request) async -> JSON {
    Response.done([("verb", JSON(request.verb)), ("arguments", .list(request.arguments))])
  }

  func follow(_ events: Mailbox<JSON>) { boxes.append(events) }
}

/// A sound path that does nothing and is never heard.
final class SilentSound: Sound, Sendable {
  private let ring: Bell

  init() throws { ring = try Bell() }

  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint) {}
  func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint) {}
  func halt(generation: UInt32) {}
  func setShape(_ shape: SoundShape) {}
  func setDeepBuffer(_ isDeep: Bool) {}
  func pause() {}
  func resume() {}
  func setGain(_ gain: Double) {}
  func shutdown() {}
  var heard: Heard? { nil }
  var bell: Int32 { ring.number }
  func takeNews() -> SoundNews? { nil }
}

/// Until it is so; what does not come fails the test.
func until(_ what: String, _ condition: @escaping @MainLoop @Sendable () -> Bool) async {
  for _ in 0..<50_000 {
    if await onMainLoop({ condition() }) { return }
    await MainLoop.loop.advance(by: .zero)
  }
  Issue.record("it never came: \(what)")
}
