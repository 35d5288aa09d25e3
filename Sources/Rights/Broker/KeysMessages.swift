import Ciphers
import Runtime
import Seals

/// What the player and layby-keys say to each other: frames, each with its length in four bytes, the most significant
/// first, then a byte with its kind, and then what belongs to that. Sources/keys/README.md has all of it.
package enum KeysFrame {
  package static let headLength = 5
  /// No kind of frame is longer, of which the head counts nothing.
  package static let longest = LicenceBundle.longest + 512
  /// What a device with the most licences has to say of them.
  package static let longestAnswer = 8 << 20

  package static func bytes(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { head(kind, body.count) + body }

  package static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    let length = UInt32(clamping: count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [kind]
  }

  /// Of a head's first four bytes.
  package static func length(_ head: some Collection<UInt8>) -> Int {
    head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }
}

/// What layby-keys is asked for.
package enum KeysRequest: Equatable, Sendable {
  /// Who may give licences. It comes first on a connection, and nothing answers it.
  case trust([String: SigningKey.PublicKey])
  /// For one playing.
  case key(KeyID, of: String)
  case card, time, standing, lines, keepClock, rotate
  case take([UInt8], from: String)
  case proof(ProvenRequest)

  package enum Kind: UInt8, Sendable {
    case trust = 1
    case key, card, time, standing, lines, keepClock, rotate, take, proof

    /// Of what follows the head.
    package var longest: Int {
      switch self {
      case .trust: 1 + KeysRequest.mostSources * (1 + KeysRequest.longestName + SigningKey.PublicKey.length)
      case .key: KeyID.length + KeysRequest.longestTitle
      case .card, .time, .standing, .lines, .keepClock, .rotate: 0
      case .take: KeysFrame.longest
      case .proof: 8_192
      }
    }
  }

  package static let mostSources = 64
  package static let longestName = 32
  package static let longestTitle = 512

  package var kind: Kind {
    switch self {
    case .trust: .trust
    case .key: .key
    case .card: .card
    case .time: .time
    case .standing: .standing
    case .lines: .lines
    case .keepClock: .keepClock
    case .rotate: .rotate
    case .take: .take
    case .proof: .proof
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
    case .card, .time, .standing, .lines, .keepClock, .rotate: return []
    case .take(let bundle, let source): return Self.short(source) + bundle
    case .proof(let request):
      var members = [("method", JSON(request.method)), ("address", JSON(request.address))]
      if let token = request.token { members.append(("token", JSON(token))) }
      if let nonce = request.nonce { members.append(("nonce", JSON(nonce))) }
      return JSON.object(JSON.Object(members)).bytes
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
      rest = rest.dropFirst(KeyID.length)
      // Some name may have been cut inside a letter.
      self = .key(id, of: String(decoding: rest, as: UTF8.self))
      rest = []
    case .card: self = .card
    case .time: self = .time
    case .standing: self = .standing
    case .lines: self = .lines
    case .keepClock: self = .keepClock
    case .rotate: self = .rotate
    case .take:
      let source = try Self.name(&rest)
      self = .take(Array(rest), from: source)
      rest = []
    case .proof:
      let json = try JSON(parsing: Array(rest))
      guard let method = json["method"]?.string, let address = json["address"]?.string else { throw Self.wrong }
      self = .proof(
        try ProvenRequest(method, address, token: json["token"]?.string, nonce: json["nonce"]?.string))
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
    guard SourceSection.isName(name) else { throw wrong }
    return name
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
    case .refused(let fault):
      let json: JSON = [
        "kind": JSON(fault.kind.rawValue), "code": JSON(fault.code), "message": JSON(fault.message),
      ]
      return KeysFrame.bytes(Kind.refused.rawValue, json.bytes)
    }
  }

  package init(_ kind: Kind, _ body: [UInt8]) throws(Fault) {
    let limits = JSON.Limits(depth: 6, size: KeysFrame.longestAnswer, values: 40 * LicenceBundle.most)
    let json = try JSON(parsing: body, limits: limits)
    switch kind {
    case .done: self = .done(json)
    case .refused:
      guard let kind = json["kind"]?.string.flatMap(Fault.Kind.init(rawValue:)), let code = json["code"]?.string,
        let message = json["message"]?.string
      else { throw KeysAnswer.wrong }
      self = .refused(Fault(kind, String(shownPlain(code).prefix(10)), shownPlain(message)))
    case .key: throw KeysAnswer.wrong
    }
  }

  static let wrong = Fault(
    .malformed, "E-188", "layby-keys gives an answer that makes no sense; is it of this version?")
}
