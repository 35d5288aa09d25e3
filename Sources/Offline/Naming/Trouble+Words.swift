/// How a trouble is stored, read out and told.
extension Trouble {
  /// Those without a number or a kind of their own.
  private static let plain: [(Trouble, name: String, code: String, words: String)] = [
    (.stalled, "stalled", "O-206", "the transfer came to a standstill"),
    (.clockWrong, "clockWrong", "O-215", "the board's clock is wrong"),
    (.portal, "portal", "O-220", "a login page came in place of the music"),
    (.nonsense, "nonsense", "O-231", "the server's answer contradicts itself"),
    (.notMusic, "notMusic", "O-232", "what the server sent is no music"),
    (.encoded, "encoded", "O-233", "the server packed the music, which was not asked for"),
    (.tooLarge, "tooLarge", "O-234", "it is larger than is allowed"),
    (.wrongRange, "wrongRange", "O-235", "the server sent another part than was asked for"),
    (.wrongLength, "wrongLength", "O-236", "it is not as long as the source says"),
    (.changed, "changed", "O-237", "the source has another version by now"),
    (.wrongHash, "wrongHash", "O-238", "what was fetched is not what the source promised"),
    (.page, "page", "O-239", "a page came in place of the music, though the network is open"),
    (.noSpace, "noSpace", "O-241", "the disk is full"),
    (.diskGone, "diskGone", "O-249", "the disk it belongs on is not there"),
    (.overLimit, "overLimit", "O-248", "the space set aside for music is used up"),
    (.notThere, "notThere", "O-251", "the source does not have it any more"),
    (.denied, "denied", "O-252", "the source does not give it to this account"),
    (.signIn, "signIn", "O-253", "the source wants to be signed in to again"),
    (.source, "source", "O-255", "the source does not say what it has"),
    (.lost, "lost", "O-254", "its file is gone or damaged"),
    (.unknown, "unknown", "O-299", "something went wrong that has no name"),
  ]

  /// `network.reset`, `http.404`, `wrongHash`.
  package var name: String {
    switch self {
    case .network(let kind): "network.\(kind.rawValue)"
    case .tls(let kind): "tls.\(kind.rawValue)"
    case .redirect(let kind): "redirect.\(kind.rawValue)"
    case .disk(let step): "disk.\(step.rawValue)"
    case .httpStatus(let status): "http.\(status)"
    default: Self.plain.first { $0.0 == self }?.name ?? "unknown"
    }
  }

  /// What a newer version has stored is unknown to an older one, and is no reason to forget the rest.
  package init(named name: String) {
    if let known = Self.plain.first(where: { $0.name == name }) {
      self = known.0
      return
    }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let kind = parts.count == 2 ? parts[1] : ""
    let found: Trouble? =
      switch parts.first {
      case "network": Network(rawValue: kind).map { .network($0) }
      case "tls": TLS(rawValue: kind).map { .tls($0) }
      case "redirect": Redirect(rawValue: kind).map { .redirect($0) }
      case "disk": DiskStep(rawValue: kind).map { .disk($0) }
      case "http": Int(kind).map { .httpStatus($0) }
      default: nil
      }
    self = found ?? .unknown
  }

  package var code: String {
    switch self {
    case .network(let kind): "O-20\((Network.allCases.firstIndex(of: kind) ?? 0) + 1)"
    case .tls(let kind): "O-21\((TLS.allCases.firstIndex(of: kind) ?? 0) + 1)"
    case .redirect(let kind): "O-22\((Redirect.allCases.firstIndex(of: kind) ?? 0) + 1)"
    case .disk(let step): "O-24\((DiskStep.allCases.firstIndex(of: step) ?? 0) + 2)"
    // The server's own number is what people search for.
    case .httpStatus(let status): "O-\(1_000 + min(max(status, 0), 999))"
    default: Self.plain.first { $0.0 == self }?.code ?? "O-299"
    }
  }

  package var words: String {
    switch self {
    case .network(.noName): "the server's name is not known"
    case .network(.refused): "the server does not answer at its address"
    case .network(.unreachable): "there is no way to the server"
    case .network(.timedOut): "the server did not answer in time"
    case .network(.reset): "the connection broke"
    case .tls(.pin): "the server's key is not the one it must have"
    case .tls(.expired): "the server's certificate has run out"
    case .tls(.untrusted): "nobody vouches for the server"
    case .tls(.other): "no safe connection came about"
    case .redirect(.loop): "the server sends in circles"
    case .redirect(.insecure): "the server sends to an address that is not safe"
    case .redirect(.tooMany): "the server sends on and on"
    case .disk(.open): "its file cannot be opened"
    case .disk(.read): "its file cannot be read"
    case .disk(.write): "its file cannot be written"
    case .disk(.sync): "the disk does not keep what is written"
    case .disk(.rename): "its file cannot be given its name"
    case .httpStatus(let status): "the server answered \(status)"
    default: Self.plain.first { $0.0 == self }?.words ?? "something went wrong that has no name"
    }
  }
}
