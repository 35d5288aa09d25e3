import Audio
import Ciphers
import Formats
import Glibc
import Runtime
import Seals

/// What sealed music costs beside plain: the cipher beside OpenSSL's own measure of it, and a sealed track beside the same
/// one as it was.
struct SealBench {
  static let name = "seal"
  static let about = "sealing and opening beside openssl's own speed; a sealed track beside the plain one"

  let scratch: Scratch
  let rounds: Int

  private static let chunk = 1 << Int(SealHeader.usualChunk)
  /// So much is sealed and opened in a turn.
  private static let bytes = 64 << 20
  private static let seeks = 50

  func run() throws(Fault) -> [Row] {
    var rows: [Row] = []
    for suite in CipherSuite.allCases { rows += try ciphers(suite) }
    let music = try Music(in: scratch.folder("music"))
    guard let flac = music.flac else {
      throw Fault(.missing, "B-301", "flac is not installed, so there is no track to be sealed")
    }
    return try rows + tracks(flac)
  }

  // MARK: Ciphers

  private func ciphers(_ suite: CipherSuite) throws(Fault) -> [Row] {
    let (name, word) = suite == .aes256GCM ? ("AES-256-GCM", "aes-256-gcm") : ("ChaCha20", "chacha20-poly1305")
    let work = ChunkWork(suite, count: Self.bytes / Self.chunk)
    var contenders = [
      Contender(name: "seals") { () throws(Fault) in try work.seal() },
      Contender(name: "opens") { () throws(Fault) in try work.open() },
    ]
    let openssl = Child.find("openssl")
    if let openssl {
      let output = scratch.path / "speed-\(word)"
      contenders.append(
        Contender(name: "openssl") { () throws(Fault) in try Self.speed(openssl, word, output) })
    }
    let spreads = try Rounds.run(contenders, rounds: min(rounds, 5), unit: .milliseconds)
    var peer = Peer.notInstalled("openssl")
    if openssl != nil, let theirs = spreads.last ?? nil { peer = .measured("openssl", theirs) }
    return zip(["sealing", "opening"], spreads).map { what, spread in
      Row(
        bench: Self.name, name: "64 MB of \(name), \(what)", value: spread, unit: .milliseconds, peer: peer,
        goal: .notMoreThanPeers(1.25))
    }
  }

  /// For as many bytes in chunks of the same size, by what `openssl speed` says of a second.
  private static func speed(_ program: String, _ word: String, _ output: FilePath) throws(Fault) -> Double {
    _ = output.withCString { unlink($0) }
    var surroundings = SpawnOptions(output: output)
    surroundings.errors = .nothing
    let words = [program, "speed", "-mr", "-seconds", "1", "-bytes", "\(chunk)", "-evp", word]
    let ending = try Child(words, in: surroundings).wait(within: .seconds(30))
    let said = String(decoding: try AtomicFile.read(output, limit: 1 << 16), as: UTF8.self)
    let line = said.split(separator: "\n").first { $0.hasPrefix("+F:") }
    guard ending.code == 0, let rate = line?.split(separator: ":").last.flatMap({ Double($0) }), rate > 0 else {
      throw Fault(.malformed, "B-302", "openssl speed does not say how fast \(word) is")
    }
    return Double(bytes) / rate * 1_000
  }

  // MARK: Tracks

  private func tracks(_ plain: FilePath) throws(Fault) -> [Row] {
    let sealed = scratch.path / "sealed.flac"
    let keys = try OneTrackKey(sealing: plain, into: sealed)
    func contender(_ name: String, _ body: @escaping (FilePath) throws(Fault) -> Double) -> [Contender] {
      [
        Contender(name: "\(name), sealed") { () throws(Fault) in try body(sealed) },
        Contender(name: "\(name), plain") { () throws(Fault) in try body(plain) },
      ]
    }
    let contenders =
      contender("decoding") { path throws(Fault) in try Self.decoding(path, keys) }
      + contender("start") { path throws(Fault) in try Self.start(path, keys) }
      + contender("seek") { path throws(Fault) in try Self.seek(path, keys) }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    func row(_ what: String, _ place: Int, _ goal: (Double) -> Goal) -> Row {
      guard let theirs = spreads[place + 1] else {
        return Row(bench: Self.name, name: what, value: nil, unit: .milliseconds)
      }
      return Row(
        bench: Self.name, name: what, value: spreads[place], unit: .milliseconds, peer: .measured("plain", theirs),
        goal: goal(theirs.median))
    }
    let (before, after) = (try Self.length(plain), try Self.length(sealed))
    return [
      row("\(Music.seconds) s of FLAC, processor", 0) { _ in .notMoreThanPeers(1.1) },
      row("opening a track, to its first sound", 2) { .below($0 + 3) },
      row("seeking in it", 4) { .below($0 + 1) },
      Row(
        bench: Self.name, name: "more on the disk", value: Spread(Double(after - before) * 100 / Double(before)),
        unit: .percent, goal: .below(0.2)),
    ]
  }

  private static func length(_ path: FilePath) throws(Fault) -> Int64 { try FileSource(path).length ?? 0 }

  private static func opened(_ path: FilePath, _ keys: OneTrackKey) throws(Fault) -> any Decoder {
    var help = ForeignHelp()
    help.keys = keys
    return try openDecoder(path, asking: help)
  }

  /// All of it, to nowhere.
  private static func decoding(_ path: FilePath, _ keys: OneTrackKey) throws(Fault) -> Double {
    let before = ProcessorTime.ofThread
    let decoder = try opened(path, keys)
    var frames = [Int32](repeating: 0, count: 8_192)
    while try read(decoder, &frames) > 0 {}
    return milliseconds(ProcessorTime.ofThread - before)
  }

  private static func start(_ path: FilePath, _ keys: OneTrackKey) throws(Fault) -> Double {
    let began = Moment.now
    var frames = [Int32](repeating: 0, count: 8_192)
    _ = try read(opened(path, keys), &frames)
    return milliseconds(Moment.now - began)
  }

  /// One of many, all over the track.
  private static func seek(_ path: FilePath, _ keys: OneTrackKey) throws(Fault) -> Double {
    let decoder = try opened(path, keys)
    var frames = [Int32](repeating: 0, count: 8_192)
    let began = Moment.now
    for number in 0..<seeks {
      let place = Int64(number * 7_919 % seeks) * Int64(Music.seconds * 44_100 / seeks)
      try decoder.seek(toFrame: place)
      _ = try read(decoder, &frames)
    }
    return milliseconds(Moment.now - began) / Double(seeks)
  }

  private static func read(_ decoder: any Decoder, _ frames: inout [Int32]) throws(Fault) -> Int {
    let count = frames.count / 2
    let result = frames.withUnsafeMutableBufferPointer { space in
      Result { () throws(Fault) in
        guard let start = space.baseAddress else { return 0 }
        return try decoder.read(into: start, count: count)
      }
    }
    return try result.get()
  }

  private static func milliseconds(_ time: Duration) -> Double { Double(time.nanoseconds) / 1e6 }
}

/// Chunks as they lie in a sealed track.
private final class ChunkWork {
  private let suite: CipherSuite
  private let count: Int
  private let length = 1 << Int(SealHeader.usualChunk)
  private var plain: [UInt8]
  private var sealed: [UInt8]
  private let beside = [UInt8](repeating: 1, count: SealHeader.length + 8)

  init(_ suite: CipherSuite, count: Int) {
    (self.suite, self.count) = (suite, count)
    plain = [UInt8](repeating: 7, count: length)
    sealed = [UInt8](repeating: 0, count: length + CipherSuite.tagLength)
  }

  private func key() throws(Fault) -> Secret {
    var bytes = [UInt8](repeating: 3, count: CipherSuite.keyLength)
    return try Secret(taking: &bytes)
  }

  private static func nonce(_ number: Int) -> [UInt8] {
    [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  func seal() throws(Fault) -> Double {
    var cipher = try AuthenticatedCipher(suite, key: key(), .seals)
    let began = Moment.now
    for number in 0..<count { try seal(number, &cipher) }
    return Double((Moment.now - began).nanoseconds) / 1e6
  }

  private func seal(_ number: Int, _ cipher: inout AuthenticatedCipher) throws(Fault) {
    let (nonce, beside) = (Self.nonce(number), beside)
    let result = plain.withUnsafeBytes { plain in
      sealed.withUnsafeMutableBytes { space in
        Result { () throws(Fault) in try cipher.seal(plain, nonce: nonce, beside: beside, into: space) }
      }
    }
    try result.get()
  }

  /// The same chunk again and again, under the number that it was sealed with.
  func open() throws(Fault) -> Double {
    var sealer = try AuthenticatedCipher(suite, key: key(), .seals)
    try seal(1, &sealer)
    var cipher = try AuthenticatedCipher(suite, key: key(), .opens)
    let (nonce, beside) = (Self.nonce(1), beside)
    let began = Moment.now
    for _ in 0..<count {
      let isOpen = sealed.withUnsafeBytes { sealed in
        plain.withUnsafeMutableBytes { cipher.open(sealed, nonce: nonce, beside: beside, into: $0) }
      }
      guard isOpen else { throw Fault(.malformed, "B-303", "a chunk that was sealed does not open") }
    }
    return Double((Moment.now - began).nanoseconds) / 1e6
  }
}

/// The key of the one track that this bench has sealed.
private struct OneTrackKey: TrackKeys {
  private static let bytes = [UInt8](repeating: 5, count: CipherSuite.keyLength)

  init(sealing plain: FilePath, into sealed: FilePath) throws(Fault) {
    let source = try FileSource(plain)
    guard let id = KeyID([UInt8](repeating: 6, count: KeyID.length)), let length = source.length else { return }
    let header = SealHeader(CipherSuite.quickest, key: id, plainLength: length)
    var sealer = try Sealer(header, key: Self.secret())
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(header.sealedLength))
    try sealer.seal(source) { bytes += $0 }
    try AtomicFile.replace(sealed, with: bytes)
  }

  private static func secret() throws(Fault) -> Secret {
    var bytes = bytes
    return try Secret(taking: &bytes)
  }

  func key(_ id: KeyID, of name: String) throws(Fault) -> Secret { try Self.secret() }
}
