import Ciphers
import Runtime
import Seals

/// What the player and layby-keys say to each other: frames, each with a byte for the version, a byte with its kind, the
/// length of what follows in four bytes, the most significant first, and then that. Sources/keys/README.md has all of it.
package enum KeysFrame {
  package static let version: UInt8 = 1
  package static let headLength = 6
  /// What a device with the most licences has to say of them.
  package static let longestAnswer = 8 << 20

  package static func bytes(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { head(kind, body.count) + body }

  package static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    let length = UInt32(clamping: count)
    return [version, kind] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
  }

  /// The kind, and how much follows; nil for another version, and for less than a head.
  package static func read(_ head: some Collection<UInt8>) -> (kind: UInt8, count: Int)? {
    let head = Array(head.prefix(headLength))
    guard head.count == headLength, head[0] == version else { return nil }
    return (head[1], head[2...].reduce(0) { $0 << 8 | Int($1) })
  }
}

/// What layby-keys is asked for.
package enum KeysRequest: Equatable, Sendable {
  /// The root keys that may give licences, by the names of sources. It is the first request on a connection, and has no
  /// answer.
  case trust([String: SigningKey.PublicKey])
  /// For one playing.
  case key(KeyID, of: String)
  case card, standing, lines, accounts, forfeits, keepClock, rotate, timeQuestion
  /// An empty name: by what is known here alone.
  case time(of: String)
  case playable([KeyID])
  case take([UInt8], from: String)
  case takeTime(SignedAnswer, from: String)
  case forget(String)
  case proof(ProvenRequest)
  case session(of: String)
  /// Nothing: it is signed out.
  case keepSession([UInt8], of: String)

  /// A time that a service signed, with its list of keys, for a question of layby-keys'.
  package struct SignedAnswer: Equatable, Sendable {
    package let time: String
    package let keys: String
    package let question: [UInt8]

    package init(time: String, keys: String, question: [UInt8]) {
      (self.time, self.keys, self.question) = (time, keys, question)
    }
  }

  package enum Kind: UInt8, CaseIterable, Sendable {
    case trust = 1
    case key, card, standing, lines, accounts, forfeits, keepClock, rotate, timeQuestion, time, playable, take, takeTime
    case forget, proof, session, keepSession

    /// The most bytes that may follow the head.
    package var longest: Int {
      switch self {
      case .trust: 1 + KeysRequest.mostSources * (1 + KeysRequest.longestName + SigningKey.PublicKey.length)
      case .key: KeyID.length + KeysRequest.longestTitle
      case .card, .standing, .lines, .accounts, .forfeits, .keepClock, .rotate, .timeQuestion: 0
      case .time, .forget, .session: 1 + KeysRequest.longestName
      case .playable: KeyID.length * KeysRequest.mostKeys
      case .take: 1 + KeysRequest.longestName + LicenceBundle.longest
      case .takeTime: 1 + KeysRequest.longestName + 2 * SignedDocument.longest + 512
      case .proof: 8_192
      case .keepSession: 1 + KeysRequest.longestName + KeysRequest.longestSession
      }
    }

    /// It is of no use, and refused, before it was said who may give licences.
    package var needsTrust: Bool {
      switch self {
      case .key, .lines, .accounts, .forfeits, .playable, .take, .takeTime, .forget, .time: true
      case .trust, .card, .standing, .keepClock, .rotate, .timeQuestion, .proof, .session, .keepSession: false
      }
    }
  }

  package static let mostSources = 64
  package static let mostKeys = 4_096
  package static let longestName = 32
  package static let longestTitle = 512
  package static let longestSession = 8_192

  package var kind: Kind {
    switch self {
    case .trust: .trust
    case .key: .key
    case .card: .card
    case .standing: .standing
    case .lines: .lines
    case .accounts: .accounts
    case .forfeits: .forfeits
    case .keepClock: .keepClock
    case .rotate: .rotate
    case .timeQuestion: .timeQuestion
    case .time: .time
    case .playable: .playable
    case .take: .take
    case .takeTime: .takeTime
    case .forget: .forget
    case .proof: .proof
    case .session: .session
    case .keepSession: .keepSession
    }
  }

  package var frame: [UInt8] { KeysFrame.bytes(kind.rawValue, body) }

  private var body: [UInt8] {
    switch self {
    case .trust(let sources):
      var bytes = [UInt8(clamping: sources.count)]
      for (name, key) in sources.sorted(by: { ExactText($0.key) < ExactText($1.key) }) {
        bytes += Self.short(name) + key.bytes
      }
      return bytes
    case .key(let id, let name): return id.bytes + Array(name.utf8.prefix(Self.longestTitle))
    case .card, .standing, .lines, .accounts, .forfeits, .keepClock, .rotate, .timeQuestion: return []
    case .time(let source), .forget(let source), .session(let source): return Self.short(source)
    case .playable(let keys): return keys.flatMap(\.bytes)
    case .take(let bundle, let source): return Self.short(source) + bundle
    case .takeTime(let answer, let source):
      let json: JSON = [
        "time": JSON(answer.time), "keys": JSON(answer.keys), "question": JSON(Base64.encodeURL(answer.question)),
      ]
      return Self.short(source) + json.bytes
    case .proof(let request):
      var members = [("method", JSON(request.method)), ("address", JSON(request.address))]
      if let token = request.token { members.append(("token", JSON(token))) }
      if let nonce = request.nonce { members.append(("nonce", JSON(nonce))) }
      return JSON.object(JSON.Object(members)).bytes
    case .keepSession(let session, let source): return Self.short(source) + session
    }
  }

  /// A text with its length before it.
  private static func short(_ text: String) -> [UInt8] {
    let bytes = text.utf8.prefix(longestName)
    return [UInt8(bytes.count)] + bytes
  }

  package init(_ kind: Kind, _ body: [UInt8]) throws(Fault) {
    guard body.count <= kind.longest else { throw Self.wrong }
    var rest = body[...]
    switch kind {
    case .trust: self = .trust(try Self.sources(&rest))
    case .key:
      guard let id = KeyID(rest.prefix(KeyID.length)) else { throw Self.wrong }
      // Some name may have been cut inside a letter.
      self = .key(id, of: String(decoding: rest.dropFirst(KeyID.length), as: UTF8.self))
      rest = []
    case .card: self = .card
    case .standing: self = .standing
    case .lines: self = .lines
    case .accounts: self = .accounts
    case .forfeits: self = .forfeits
    case .keepClock: self = .keepClock
    case .rotate: self = .rotate
    case .timeQuestion: self = .timeQuestion
    case .time:
      if rest.elementsEqual([0]) {
        rest = []
        self = .time(of: "")
      } else {
        self = .time(of: try Self.name(&rest))
      }
    case .playable:
      self = .playable(try Self.keys(rest))
      rest = []
    case .take:
      let source = try Self.name(&rest)
      self = .take(Array(rest), from: source)
      rest = []
    case .takeTime:
      let source = try Self.name(&rest)
      self = .takeTime(try Self.answer(Array(rest)), from: source)
      rest = []
    case .forget: self = .forget(try Self.name(&rest))
    case .proof:
      self = .proof(try Self.request(Array(rest)))
      rest = []
    case .session: self = .session(of: try Self.name(&rest))
    case .keepSession:
      let source = try Self.name(&rest)
      guard rest.count <= Self.longestSession else { throw Self.wrong }
      self = .keepSession(Array(rest), of: source)
      rest = []
    }
    guard rest.isEmpty else { throw Self.wrong }
  }

  private static func sources(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> [String: SigningKey.PublicKey] {
    guard let count = rest.popFirst(), count <= mostSources else { throw wrong }
    // Names are letters and digits, so no two of them are the same text in other bytes.
    var sources: [String: SigningKey.PublicKey] = [:]
    for _ in 0..<count {
      let name = try name(&rest)
      guard let key = SigningKey.PublicKey(bytes: rest.prefix(SigningKey.PublicKey.length)),
        sources.updateValue(key, forKey: name) == nil
      else { throw wrong }
      rest = rest.dropFirst(SigningKey.PublicKey.length)
    }
    return sources
  }

  /// As a section of layby.conf names a source: nothing that leads to another file.
  private static func name(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> String {
    guard let count = rest.popFirst(), (1...longestName).contains(Int(count)), rest.count >= count else { throw wrong }
    let bytes = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    let name = String(decoding: bytes, as: UTF8.self)
    guard SourceSection.isName(name), bytes.contains(where: { $0 != UInt8(ascii: ".") }) else { throw wrong }
    return name
  }

  private static func keys(_ bytes: ArraySlice<UInt8>) throws(Fault) -> [KeyID] {
    guard bytes.count % KeyID.length == 0 else { throw wrong }
    var (keys, rest) = ([KeyID](), bytes)
    while let key = KeyID(rest.prefix(KeyID.length)) {
      keys.append(key)
      rest = rest.dropFirst(KeyID.length)
    }
    return keys
  }

  private static func answer(_ bytes: [UInt8]) throws(Fault) -> SignedAnswer {
    let json = try JSON(parsing: bytes, limits: .init(depth: 2, size: bytes.count, values: 8))
    guard let time = json["time"]?.string, let keys = json["keys"]?.string, json.members?.count == 3,
      let question = json["question"]?.string.flatMap(Base64.decodeURL),
      SignedTime.nonceLengths.contains(question.count)
    else { throw wrong }
    return SignedAnswer(time: time, keys: keys, question: question)
  }

  private static func request(_ bytes: [UInt8]) throws(Fault) -> ProvenRequest {
    let json = try JSON(parsing: bytes, limits: .init(depth: 2, size: bytes.count, values: 8))
    var known = 2
    for name in ["token", "nonce"] where json[name] != nil { known += 1 }
    guard let method = json["method"]?.string, let address = json["address"]?.string, json.members?.count == known
    else {
      throw wrong
    }
    return try ProvenRequest(method, address, token: json["token"]?.string, nonce: json["nonce"]?.string)
  }

  private static let wrong = Fault(.malformed, "E-187", "that is nothing that layby-keys is asked for")
}

/// What layby-keys answers. A key is no answer of this kind: it goes from locked memory to locked memory.
package enum KeysAnswer: Equatable, Sendable {
  case done(JSON)
  case refused(Fault)

  package enum Kind: UInt8, Sendable {
    case done = 0x80
    case refused, key
  }

  package var frame: [UInt8] {
    switch self {
    case .done(let json): return KeysFrame.bytes(Kind.done.rawValue, json.bytes)
    case .refused(let fault): return KeysFrame.bytes(Kind.refused.rawValue, fault.json.bytes)
    }
  }

  package init(_ kind: Kind, _ body: [UInt8]) throws(Fault) {
    let json = try JSON(parsing: body, limits: .init(depth: 6, size: KeysFrame.longestAnswer, values: 600_000))
    switch kind {
    case .done: self = .done(json)
    case .refused: self = .refused(try Fault(ofBroker: json))
    case .key: throw KeysAnswer.wrong
    }
  }

  static let wrong = Fault(
    .malformed, "E-188", "layby-keys gives an answer that makes no sense; is it of this version?")
}

extension Fault {
  fileprivate static let longestMessage = 1_000

  var json: JSON { ["kind": JSON(kind.rawValue), "code": JSON(code), "message": JSON(message)] }

  init(ofBroker json: JSON) throws(Fault) {
    guard let kind = json["kind"]?.string.flatMap(Fault.Kind.init(rawValue:)), let code = json["code"]?.string,
      let message = json["message"]?.string
    else { throw KeysAnswer.wrong }
    self.init(kind, String(shownPlain(code).prefix(10)), String(shownPlain(message).prefix(Self.longestMessage)))
  }
}
