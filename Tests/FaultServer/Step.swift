import Runtime

/// What a connection does next. An act becomes a list of these.
enum Step {
  case send(ArraySlice<UInt8>)
  case wait(Duration)
  /// Nothing more, until the other end goes.
  case hang
  case end
  case reset
}

extension Act {
  func steps(for request: SeenRequest, _ resource: Resource?) -> [Step] {
    switch self {
    case .raw(let bytes): return [.send(bytes[...]), .end]
    case .silence: return [.hang]
    case .later(let act, let delay): return [.wait(delay)] + act.steps(for: request, resource)
    case .broken(.raw(let bytes), let after, let end): return [.send(bytes.prefix(after)), Self.step(end)]
    case .broken(let act, let after, let end):
      guard let answer = act.answer(to: request, resource) else { return [.hang] }
      let head = Step.send(answer.head[...])
      return [head, .send(answer.body.prefix(after)), Self.step(end)]
    case .slowly(let act, let count, let pause):
      return act.steps(for: request, resource).flatMap { step -> [Step] in
        guard case .send(let bytes) = step else { return [step] }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: max(count, 1)).flatMap { start -> [Step] in
          [.send(bytes[start..<min(start + max(count, 1), bytes.endIndex)]), .wait(pause)]
        }
      }
    default:
      guard let answer = answer(to: request, resource) else { return [.hang] }
      let sends: [Step] = [.send(answer.head[...]), .send(answer.body)]
      // What is promised and does not come is missed only when the connection ends.
      if case .promising = self { return sends + [.end] }
      return sends
    }
  }

  private static func step(_ end: Break) -> Step {
    switch end {
    case .end: .end
    case .reset: .reset
    case .silence: .hang
    }
  }

  private func answer(to request: SeenRequest, _ resource: Resource?) -> CannedResponse? {
    switch self {
    case .answer(let status, let headers, let body): return CannedResponse(status, headers, body[...])
    case .redirect(let place, let status): return CannedResponse(status, [("Location", place)], [])
    case .raw, .silence, .slowly, .later, .broken: return nil
    default: break
    }
    guard var file = resource else {
      return CannedResponse(404, [("Content-Type", "text/plain")], Array("404\n".utf8)[...])
    }
    switch self {
    case .otherETag(let etag): file.etag = etag
    case .other(let another): file = another
    case .encoded(let coding): file.headers.append(("Content-Encoding", coding))
    default: break
    }
    switch self {
    case .rangeIgnored: return CannedResponse(whole: file)
    case .shifted(let count): return CannedResponse(part: file, of: request, said: count, sent: count)
    case .misplaced(let count): return CannedResponse(part: file, of: request, said: 0, sent: count)
    case .promising(let more):
      var answer = CannedResponse(honest: file, to: request)
      answer.promised += more
      return answer
    default: return CannedResponse(honest: file, to: request)
    }
  }
}

/// A head and a body.
struct CannedResponse {
  private var status: Int
  private var headers: [(String, String)]
  private(set) var body: ArraySlice<UInt8>
  var promised: Int

  init(_ status: Int, _ headers: [(String, String)], _ body: ArraySlice<UInt8>) {
    (self.status, self.headers, self.body, promised) = (status, headers, body, body.count)
  }

  init(whole file: Resource) {
    self.init(200, Self.headers(of: file), file.bytes[...])
  }

  /// From the byte that was asked for; what it says of it and what it sends may be off.
  init(part file: Resource, of request: SeenRequest, said: Int, sent: Int) {
    let asked = request.range?.from ?? 0
    let from = min(max(asked + sent, 0), file.bytes.count)
    let claimed = min(max(asked + said, 0), file.bytes.count)
    let total = file.bytes.count
    let place = ("Content-Range", "bytes \(claimed)-\(total - 1)/\(total)")
    self.init(206, Self.headers(of: file) + [place], file.bytes[from...])
  }

  init(honest file: Resource, to request: SeenRequest) {
    guard let range = request.range, Self.isCurrent(file, request["if-range"]) else {
      self.init(whole: file)
      return
    }
    let total = file.bytes.count
    guard range.from < total else {
      self.init(416, [("Content-Range", "bytes */\(total)")], [])
      return
    }
    let last = min(range.through ?? total - 1, total - 1)
    let place = ("Content-Range", "bytes \(range.from)-\(last)/\(total)")
    self.init(206, Self.headers(of: file) + [place], file.bytes[range.from...max(last, range.from)])
  }

  /// A weak one never fits (RFC 9110, 13.1.5).
  private static func isCurrent(_ file: Resource, _ validator: String?) -> Bool {
    guard let validator else { return true }
    return validator == file.etag && !validator.hasPrefix("W/")
  }

  private static func headers(of file: Resource) -> [(String, String)] {
    let etag = file.etag.map { [("ETag", $0)] } ?? []
    let more = file.headers.map { ($0.name, $0.value) }
    return [("Content-Type", file.kind), ("Accept-Ranges", "bytes")] + etag + more
  }

  var head: [UInt8] {
    var text = "HTTP/1.1 \(status) Said\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    text += "Content-Length: \(max(promised, 0))\r\n\r\n"
    return Array(text.utf8)
  }
}
