import Runtime

/// One thing a client asks for: a verb and its arguments, as one line of JSON. Arguments may be file names in any
/// encoding; they arrive byte for byte.
package struct Request: Equatable, Sendable {
  /// A queue of 10,000 long names fits.
  package static let limit = 4 << 20
  package static let argumentLimit = 10_002

  package var verb: String
  package var arguments: [JSON]

  package init(verb: String, arguments: [JSON] = []) {
    self.verb = verb
    self.arguments = arguments
  }

  package init(line: [UInt8]) throws(Fault) {
    let value = try JSON(parsing: line, limits: JSON.Limits(depth: 4, size: Self.limit))
    guard let verb = value["verb"]?.string else {
      throw Fault(.malformed, "X-101", #"a request is {"verb": NAME, "arguments": [...]}; there is no verb"#)
    }
    // What is no list was meant to say something: without it the verb could mean more than was asked for.
    let given = value["arguments"] ?? .list([])
    guard let arguments = given.items else {
      throw Fault(.malformed, "X-105", #"a request is {"verb": NAME, "arguments": [...]}; the arguments are no list"#)
    }
    guard arguments.count <= Self.argumentLimit else {
      throw Fault(.malformed, "X-102", "a request has at most \(Self.argumentLimit) arguments, not \(arguments.count)")
    }
    self.init(verb: verb, arguments: arguments)
  }

  package var line: [UInt8] {
    JSON.object(JSON.Object([("verb", JSON(verb)), ("arguments", .list(arguments))])).bytes + [UInt8(ascii: "\n")]
  }
}

extension JSON {
  /// An argument as a word. Programs may write a number as a JSON number or as a string.
  var word: String? { string ?? whole.map(String.init) }

  var number: Int? { whole.map { Int($0) } ?? string.flatMap { Int($0) } }
}

/// What is answered, one line each: `{"ok":true, ...}` or `{"ok":false,"error":{...}}`.
package enum Response {
  package static func done(_ members: [(String, JSON)] = []) -> JSON {
    .object(JSON.Object([("ok", JSON(true))] + members))
  }

  package static func refused(_ fault: Fault) -> JSON {
    [
      "ok": false,
      "error": ["code": JSON(fault.code), "kind": JSON(fault.kind.rawValue), "message": JSON(fault.message)],
    ]
  }

  package static func fault(in answer: JSON) -> Fault? {
    guard answer["ok"]?.truth != true else { return nil }
    let error = answer["error"]
    return Fault(
      Fault.Kind(rawValue: error?["kind"]?.string ?? "") ?? .passing, error?["code"]?.string ?? "X-103",
      error?["message"]?.string ?? "the answer cannot be understood")
  }
}
