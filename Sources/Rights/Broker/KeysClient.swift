import Ciphers
import Glibc
import Runtime
import Seals
import Synchronization

/// Asks layby-keys, which keeps the keys in a process of its own. Each question has a connection of its own: a broker that
/// was started again is found by the next, and one that hangs holds up nothing but the question.
package final class KeysClient: RightsKeeper {
  private let socket: FilePath
  private let roots: [String: SigningKey.PublicKey]
  /// Where the main loop's questions wait. Its thread exists once there was one.
  private let loop: EventLoop
  private let hasAnswered = Atomic(false)

  /// For one answer, also while a card stands still under what layby-keys writes. When it is a key that does not come, the
  /// track is passed over, so it is waited for longer than the music before it lasts in the buffer.
  private static let patience: Duration = .seconds(10)
  /// Thousands of verdicts are found before the answer.
  private static let listPatience: Duration = .seconds(10)
  /// Thousands of licences are verified before the answer.
  private static let longPatience: Duration = .seconds(30)
  /// systemd starts it for the first question, on a board that is still starting too. Whoever gave up sooner would pass over
  /// the very track that was to go on.
  private static let startPatience: Duration = .seconds(15)
  private static let pathLimit = 107

  package init(at socket: FilePath, roots: [String: SigningKey.PublicKey]) throws(Fault) {
    guard socket.bytes.count <= Self.pathLimit else {
      throw Fault(.malformed, "E-189", "[rights] broker: \(socket) is longer than \(Self.pathLimit) bytes")
    }
    loop = try EventLoop("keys", mayBlock: true)
    (self.socket, self.roots) = (socket, roots)
  }

  package var sources: [String] { roots.keys.sorted() }
  package var waiting: EventLoop? { loop }

  // MARK: What is asked

  package func key(_ id: KeyID, of name: String) throws(Fault) -> Secret {
    let until = end(of: Self.patience)
    let connection = try connected(until: until)
    try send(.key(id, of: name), on: connection, until: until)
    let (kind, count) = try head(on: connection, until: until)
    guard kind == .key else {
      if case .refused(let fault) = try answer(kind, count, on: connection, until: until) { throw fault }
      throw KeysAnswer.wrong
    }
    guard count == CipherSuite.keyLength else { throw KeysAnswer.wrong }
    // Straight into its place: it is nowhere else in this process.
    return try Secret(count: count) { space throws(Fault) in try receive(space, on: connection, until: until) }
  }

  package var card: JSON { get throws(Fault) { try ask(.card) } }

  package var name: String {
    get throws(Fault) {
      guard let name = try card["device"]?.string else { throw KeysAnswer.wrong }
      return name
    }
  }

  package var standing: KeeperStanding { get throws(Fault) { try KeeperStanding(ofBroker: try ask(.standing)) } }

  package func time(of source: String?) throws(Fault) -> HonestClock.Time {
    try HonestClock.Time(try ask(.time(of: source ?? "")))
  }

  package func lines() throws(Fault) -> [DeviceRights.Line] {
    try list(.lines) { json throws(Fault) in try DeviceRights.Line(json) }
  }

  package func accounts() throws(Fault) -> [DeviceRights.Account] {
    try list(.accounts) { json throws(Fault) in try DeviceRights.Account(json) }
  }

  package func forfeits() throws(Fault) -> [DeviceRights.Forfeit] {
    try list(.forfeits) { json throws(Fault) in try DeviceRights.Forfeit(json) }
  }

  package func playable(_ keys: [KeyID]) throws(Fault) -> Set<KeyID> {
    var (playing, rest) = (Set<KeyID>(), keys[...])
    while !rest.isEmpty {
      let part = Array(rest.prefix(KeysRequest.mostKeys))
      rest = rest.dropFirst(part.count)
      let found = try list(.playable(part)) { json throws(Fault) -> KeyID in
        guard let key = json.string.flatMap(KeyID.init(text:)) else { throw KeysAnswer.wrong }
        return key
      }
      playing.formUnion(found)
    }
    return playing
  }

  package func take(_ bytes: [UInt8], from source: String) throws(Fault) -> DeviceRights.Taken {
    guard bytes.count <= LicenceBundle.longest else {
      throw Fault(.malformed, "E-192", "licences: more than \(LicenceBundle.longest) bytes")
    }
    return try DeviceRights.Taken(try ask(.take(bytes, from: source), within: Self.longPatience))
  }

  package func forget(_ source: String) throws(Fault) { _ = try ask(.forget(source)) }

  package func keepClock() throws(Fault) { _ = try ask(.keepClock) }

  package func rotate() throws(Fault) { _ = try ask(.rotate, within: Self.longPatience) }

  package func timeQuestion() throws(Fault) -> [UInt8] {
    guard let question = try ask(.timeQuestion)["question"]?.string.flatMap(Base64.decodeURL) else {
      throw KeysAnswer.wrong
    }
    return question
  }

  package func take(time text: String, _ keys: String, for question: [UInt8], from source: String) throws(Fault) {
    _ = try ask(.takeTime(.init(time: text, keys: keys, question: question), from: source))
  }

  package func proof(of request: ProvenRequest) throws(Fault) -> String {
    guard let proof = try ask(.proof(request))["proof"]?.string else { throw KeysAnswer.wrong }
    return proof
  }

  package func session(of source: String) throws(Fault) -> [UInt8]? {
    guard let said = try ask(.session(of: source))["session"] else { throw KeysAnswer.wrong }
    if said.isNull { return nil }
    guard let session = said.string.flatMap(Base64.decodeURL) else { throw KeysAnswer.wrong }
    return session
  }

  package func keep(session: [UInt8]?, of source: String) throws(Fault) {
    _ = try ask(.keepSession(session ?? [], of: source))
  }

  private func list<Item>(
    _ request: KeysRequest, _ item: (JSON) throws(Fault) -> Item
  ) throws(Fault) -> [Item] {
    guard let items = try ask(request, within: Self.listPatience).items else { throw KeysAnswer.wrong }
    var list: [Item] = []
    for one in items { list.append(try item(one)) }
    return list
  }

  private func ask(_ request: KeysRequest, within limit: Duration = KeysClient.patience) throws(Fault) -> JSON {
    let until = end(of: limit)
    let connection = try connected(until: until)
    try send(request, on: connection, until: until)
    let (kind, count) = try head(on: connection, until: until)
    switch try answer(kind, count, on: connection, until: until) {
    case .done(let json): return json
    case .refused(let fault): throw fault
    }
  }

  private func end(of limit: Duration) -> Moment {
    .now + (hasAnswered.load(ordering: .relaxed) ? limit : max(limit, Self.startPatience))
  }

  // MARK: The connection

  private func connected(until: Moment) throws(Fault) -> Descriptor {
    let connection = Descriptor.streamSocket()
    guard connection.number >= 0 else { throw Fault.system("E-190", doing: "make a socket to ask layby-keys") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.bytes.prefix($0.count - 1)) }
    while true {
      let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(connection.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if connected == 0 { return connection }
      // EAGAIN: so many wait to be accepted that the kernel queues no more.
      guard errno == EAGAIN || errno == EINTR, Moment.now < until else { throw gone(Fault.describe(errno)) }
      usleep(10_000)
    }
  }

  private func send(_ request: KeysRequest, on connection: borrowing Descriptor, until: Moment) throws(Fault) {
    let bytes = (roots.isEmpty ? [] : KeysRequest.trust(roots).frame) + request.frame
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          connection.number, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
        continue
      }
      guard errno == EAGAIN || errno == EINTR else { throw gone(Fault.describe(errno)) }
      guard Readiness.writable(connection.number, until: until) else { throw silent }
    }
  }

  private func head(
    on connection: borrowing Descriptor, until: Moment
  ) throws(Fault) -> (kind: KeysAnswer.Kind, count: Int) {
    var bytes = [UInt8](repeating: 0, count: KeysFrame.headLength)
    try receive(&bytes, on: connection, until: until)
    guard let head = KeysFrame.read(bytes), let kind = KeysAnswer.Kind(rawValue: head.kind),
      head.count <= KeysFrame.longestAnswer
    else { throw KeysAnswer.wrong }
    hasAnswered.store(true, ordering: .relaxed)
    return (kind, head.count)
  }

  private func answer(
    _ kind: KeysAnswer.Kind, _ count: Int, on connection: borrowing Descriptor, until: Moment
  ) throws(Fault) -> KeysAnswer {
    var body = [UInt8](repeating: 0, count: count)
    try receive(&body, on: connection, until: until)
    return try KeysAnswer(kind, body)
  }

  private func receive(
    _ bytes: inout [UInt8], on connection: borrowing Descriptor, until: Moment
  ) throws(Fault) {
    var got = 0
    while got < bytes.count {
      let part = bytes.withUnsafeMutableBytes { space in
        recv(connection.number, space.baseAddress?.advanced(by: got), space.count - got, 0)
      }
      got += try checked(part, on: connection, until: until)
    }
  }

  private func receive(
    _ space: UnsafeMutableRawBufferPointer, on connection: borrowing Descriptor, until: Moment
  ) throws(Fault) {
    var got = 0
    while got < space.count {
      let part = recv(connection.number, space.baseAddress?.advanced(by: got), space.count - got, 0)
      got += try checked(part, on: connection, until: until)
    }
  }

  /// What `recv` said: how much came. 0 after a wait for more.
  private func checked(_ count: Int, on connection: borrowing Descriptor, until: Moment) throws(Fault) -> Int {
    if count > 0 { return count }
    guard count < 0, errno == EAGAIN || errno == EINTR else {
      throw gone(count == 0 ? "it has hung up" : Fault.describe(errno))
    }
    guard !Readiness.readable([connection.number], until: until).isEmpty else { throw silent }
    return 0
  }

  private func gone(_ why: String) -> Fault {
    Fault(
      .passing, "E-190",
      "layby-keys, which keeps the keys of sealed music, is not there: \(why);"
        + " it is asked again when it is needed next")
  }

  private var silent: Fault {
    Fault(
      .passing, "E-191",
      "layby-keys, which keeps the keys of sealed music, does not answer; it is asked again when it is needed next")
  }
}
