import Glibc
import Runtime
import Services

/// Waits at a port of this machine, which nobody else reaches, for the browser that a depot's page sends back.
final class ReturningBrowser {
  let address: String
  private let listener: Descriptor

  private static let path = "/back"
  private static let longest = 8_192
  private static let patience: Duration = .seconds(5)
  private static let longestCode = 1_024

  init() throws(Fault) {
    let listener = Descriptor.streamSocket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = listener.number
    let isThere = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) == 0 && listen(number, 8) == 0 && getsockname(number, $0, &size) == 0
      }
    }
    guard isThere else { throw Fault.system("X-293", doing: "listen at a port of 127.0.0.1") }
    self.listener = listener
    self.address = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))\(Self.path)"
  }

  /// The code; nil as soon as `waits` says so. What comes without the right `state` is somebody else's, and is turned away.
  func code(for state: String, waits: () -> Bool) throws(Fault) -> String? {
    while waits() {
      guard !Readiness.readable([listener.number], until: .now + .milliseconds(200)).isEmpty else { continue }
      let number = accept(listener.number, nil, nil)
      guard number >= 0 else { continue }
      let visitor = Descriptor(taking: number)
      _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL, 0) | O_NONBLOCK)
      let said = Self.answer(to: Self.head(from: visitor), state)
      switch said {
      case .stranger: Self.send("404 Not Found", "There is nothing here.", to: visitor)
      case .refused(let why):
        Self.send("200 OK", "Not signed in. You may close this page.", to: visitor)
        throw Fault(.denied, "X-294", "the depot does not let this device sign in: \(shownBriefly(why))")
      case .code(let code):
        Self.send("200 OK", "Thank you. You may close this page.", to: visitor)
        return code
      }
    }
    return nil
  }

  enum Answer: Equatable {
    case code(String)
    case refused(String)
    case stranger
  }

  /// What the first line of a request says: `GET /back?code=...&state=... HTTP/1.1`.
  static func answer(to head: String, _ state: String) -> Answer {
    let parts = head.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
    guard parts.count == 3, parts[0] == "GET", parts[1].hasPrefix("\(path)?"),
      let form = WebForm(String(parts[1].dropFirst(path.count + 1))),
      let said = form["state"], ExactText(said) == ExactText(state)
    else { return .stranger }
    if let error = form["error"] { return .refused(form["error_description"] ?? error) }
    guard let code = form["code"], (1...longestCode).contains(code.utf8.count) else { return .stranger }
    return .code(code)
  }

  private static func head(from visitor: borrowing Descriptor) -> String {
    let end = Moment.now + patience
    var bytes: [UInt8] = []
    while bytes.count < longest, !Readiness.readable([visitor.number], until: end).isEmpty {
      var block = [UInt8](repeating: 0, count: 1_024)
      let count = recv(visitor.number, &block, block.count, 0)
      guard count > 0 else { break }
      bytes += block[..<count]
      if bytes.contains(UInt8(ascii: "\n")) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func send(_ status: String, _ words: String, to visitor: borrowing Descriptor) {
    let page = "<!doctype html><title>Layby</title><p>\(words)</p>"
    let fields = ["Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)", "Connection: close"]
    let bytes = Array("HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(page)".utf8)
    _ = Glibc.send(visitor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
