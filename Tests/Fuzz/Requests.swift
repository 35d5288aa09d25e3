import Library
import Runtime

@testable import Remote

/// What a client of the control socket sends, in pieces as long as the first byte says: what is kept of a line is
/// bounded, what is understood is the same when it is asked again, and what is refused is told in a few words.
@Sendable func controlRequest(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  var reader = LineReader(limit: longestLine)
  var rest = bytes.dropFirst()
  while !rest.isEmpty {
    let piece = rest.prefix(first == 0 ? 65_536 : Int(first))
    rest = rest.dropFirst(piece.count)
    if (try? reader.add(piece)) == nil { return }
    while let line = reader.next() {
      precondition(!line.contains(0x0A) && line.count <= longestLine + 65_536, "no line")
      ask(line)
    }
    precondition(reader.unfinished <= longestLine, "a line that grows without end")
  }
}

/// Shorter than the program's, so that it is reached.
private let longestLine = 200_000

private func ask(_ line: [UInt8]) {
  let request: Request
  do throws(Fault) { request = try Request(line: line) } catch { return check(error) }
  precondition(request.arguments.count <= Request.argumentLimit, "more arguments than there may be")
  precondition((try? Request(line: request.line.dropLast())) == request, "a request changes when it is asked again")
  guard let verb = Verb.named(request.verb) else {
    return check(Verb.unknown(request.verb, code: "X-999"))
  }
  do throws(Fault) { try verb.check(request.arguments) } catch { check(error) }
  let kinds = verb.kinds(of: request.arguments)
  precondition(kinds?.count ?? request.arguments.count == request.arguments.count, "arguments of no kind")
  if verb.name == "offline" {
    do throws(Fault) { _ = try OfflineRequest(request.arguments, verb) } catch { check(error) }
  }
  let words = request.arguments.compactMap(\.string)
  _ = List(words: words)
  for word in words {
    _ = SeekTarget(word)
    guard let key = PageToken.key(word) else { continue }
    precondition(PageToken.key(PageToken.text(key)) == key, "a place in a list changes")
  }
}

private func check(_ fault: Fault) {
  precondition(fault.message.utf8.count <= 4_096, "a refusal of \(fault.message.utf8.count) bytes")
}
