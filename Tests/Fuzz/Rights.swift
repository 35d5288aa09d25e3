import Ciphers
import Runtime
import WebServer

@testable import Rights
@testable import Seals

/// What services, disks and whoever edits them may say of rights. Nothing here was signed or sealed by anybody who may:
/// where a form is taken nevertheless, it is because its body is looked at without its signature.

private func key(_ number: UInt8) -> Secret? {
  var bytes = [UInt8](repeating: number, count: 32)
  return try? Secret(taking: &bytes)  // without memory there is nothing to try
}

/// Nobody has signed with the other half of it.
private let stranger = SigningKey.PublicKey(bytes: [UInt8](repeating: 9, count: 32))

/// The device of `Tests/Vectors`, so that what stands there is taken.
private let device: DeviceIdentity = {
  var bytes: [UInt8] = [
    0xBC, 0x9A, 0xED, 0x11, 0x41, 0x1B, 0xDB, 0x15, 0xBD, 0xC9, 0x8F, 0x0A, 0x8F, 0xDC, 0xDF, 0x4C, 0x66, 0xA9, 0x28,
    0x27, 0x48, 0x3D, 0xFF, 0xE0, 0x50, 0xE6, 0x90, 0xA5, 0x66, 0xE9, 0x7F, 0xDA,
  ]
  do { return try DeviceIdentity(Secret(taking: &bytes), board: []) } catch { preconditionFailure("\(error)") }
}()

/// The head and the chunks behind it: bounded, and nothing opens with another key.
@Sendable func sealHeader(_ bytes: [UInt8]) {
  guard let header = try? SealHeader(bytes, of: "made up") else { return }
  precondition(header.bytes == Array(bytes.prefix(SealHeader.length)), "a seal changes when it is written again")
  precondition((4_096...1 << 20).contains(header.chunkLength), "a chunk out of bounds")
  let last = header.chunkCount - 1
  let end = header.place(ofChunk: last) + Int64(header.plainLength(ofChunk: last) + CipherSuite.tagLength)
  precondition(last >= 0 && end == header.sealedLength, "chunks that do not end where the track does")
  precondition(header.chunk(at: header.plainLength - 1) == last, "a byte in no chunk")
  guard let secret = key(1), let opening = try? OpeningSource(MemorySource(bytes), header, key: secret) else { return }
  precondition((try? opening.peek(1, at: 0)) == nil, "something opens that nobody sealed")
  precondition((try? opening.peek(1, at: header.plainLength - 1)) == nil, "something opens that nobody sealed")
}

private let kinds: [SignedDocument.Kind] = [.keys, .licence, .statement, .time]

/// As it came, and as the proof of a request: whoever made it up has signed nothing.
@Sendable func signedDocument(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let root = stranger else { return }
  for kind in kinds {
    let document = try? SignedDocument(text, as: kind) { _ in root }
    precondition(document == nil, "a document is taken that nobody has signed")
  }
  guard let proof = try? RequestProof(text, "POST", "http://127.0.0.1/v1/licences") else { return }
  precondition((8...100).contains(proof.id.utf8.count), "a proof without a name of its own")
}

/// The body alone, as if a service had signed it: bounded, and a verdict at each time that is right by what it says.
@Sendable func licenceBody(_ bytes: [UInt8]) {
  guard let body = body(bytes), let licence = try? Licence(body) else { return }
  precondition(licence.keys.count <= Licence.mostKeys && licence.serial > 0, "more than there may be")
  precondition(licence.ends.map { $0 > licence.issued } ?? true, "it ends before it begins")
  let possible = HonestClock.possible
  let times = [licence.issued, (licence.ends ?? 0) - 1, licence.ends ?? 0, possible.lowerBound, possible.upperBound]
  for now in times where possible.contains(now) {
    for first in [nil, licence.issued] {
      check(licence, .init(licence.device, at: now, firstPlayed: first))
    }
  }
  let other = Verdict(licence, in: .init(licence.device + ".", at: licence.issued))
  precondition(other == .otherDevice, "it plays on another device")
  guard let id = licence.keys.first, let root = stranger else { return }
  let opened = try? licence.contentKey(id, by: device.agreement, root: root)
  if case .some = opened { preconditionFailure("a key opens that nobody sealed for this device") }
}

private func body(_ bytes: [UInt8]) -> JSON? {
  try? JSON(parsing: bytes, limits: .init(depth: 6, size: CompactSignature.longest, values: 20_000))
}

private func check(_ licence: Licence, _ circumstances: Verdict.Circumstances) {
  let verdict = Verdict(licence, in: circumstances)
  let refusal = verdict.refusal(of: licence.title, issued: licence.issued)
  precondition((refusal == nil) == verdict.mayPlay, "a refusal without a reason, or a reason without one")
  precondition((refusal?.message.utf8.count ?? 0) <= 4_096, "a reason that is too long")
  guard verdict.mayPlay, let now = circumstances.now else { return }
  precondition(licence.ends.map { now < $0 } ?? true, "it plays after its end")
  precondition((verdict.days ?? 1) > 0, "it plays, and has no day left")
  precondition(!licence.needsSubscription || circumstances.statement?.subscription != nil, "nobody pays for it")
}

/// With a licence that needs a subscription, before and after its grace.
@Sendable func statementBody(_ bytes: [UInt8]) {
  guard let body = body(bytes), let statement = try? Statement(body) else { return }
  precondition(statement.number > 0, "a statement without a number")
  precondition((statement.revokedDevice ?? "").unicodeScalars.count <= 200, "a reason that is too long")
  let master = Base64.encodeURL([UInt8](repeating: 1, count: KeyWrap.deviceLength))
  let said: JSON = [
    "id": "a", "serial": 1, "device": JSON(statement.device), "iat": JSON(statement.issued), "needs": "subscription",
    "master": JSON(master), "keys": [],
  ]
  guard let licence = try? Licence(said) else { preconditionFailure("a good licence is refused") }
  for now in [statement.issued, statement.graceEnds ?? 0, (statement.graceEnds ?? 1) - 1] where now >= 0 {
    check(licence, .init(statement.device, at: now, statement))
    let verdict = Verdict(licence, in: .init(statement.device, at: now, statement))
    if statement.revocation(ofLicence: "a") != nil || statement.revokedDevice != nil {
      precondition(!verdict.mayPlay && verdict.isForfeit, "it plays though it was taken back")
    }
    if statement.subscription == .lapsed, let ends = statement.graceEnds, now >= ends {
      precondition(!verdict.mayPlay, "it plays after its grace")
    }
  }
}

/// What a source gives, and what a device has kept of it.
@Sendable func licenceBundle(_ bytes: [UInt8]) {
  if let bundle = try? LicenceBundle(parsing: bytes) {
    precondition(bundle.licences.count <= LicenceBundle.most + 10, "more licences than there may be")
    guard let again = try? LicenceBundle(parsing: bundle.fileBytes) else {
      preconditionFailure("a bundle is not read as it is written")
    }
    let isSame =
      again.keys == bundle.keys && again.licences == bundle.licences && again.statement == bundle.statement
    precondition(isSame, "a bundle changes when it is written and read again")
  }
  _ = try? LicenceBundle.all(parsing: bytes)  // a refusal is fine
  guard let root = stranger else { return }
  precondition((try? ServiceKeys(String(decoding: bytes, as: UTF8.self), root: root)) == nil, "keys that nobody signed")
}

/// `clock.json`: taken only as this device has written it.
@Sendable func keptTime(_ bytes: [UInt8]) {
  guard let read = try? DeviceRights.Known.read(bytes, by: device.clockKey) else { return }
  guard let written = try? read.known.bytes(numbered: read.number, by: device.clockKey),
    let again = try? DeviceRights.Known.read(written, by: device.clockKey)
  else {
    preconditionFailure("what is known of the time is not read as it is written")
  }
  precondition(again.known == read.known && again.number == read.number, "what is known of the time changes")
  guard let other = key(2) else { return }
  precondition((try? DeviceRights.Known.read(bytes, by: other)) == nil, "another device's time is taken")
}

/// What people and devices send to a depot: a form, and an object of JSON with a device's card.
@Sendable func depotRequest(_ bytes: [UInt8]) {
  if let text = String(validating: bytes, as: UTF8.self), let form = WebForm(text) {
    precondition(form.names.count <= WebForm.mostFields, "more fields than there may be")
    for name in form.names {
      guard let value = form[name] else { preconditionFailure("a field without a value") }
      precondition((name + value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character")
    }
  }
  guard let json = try? JSON(parsing: bytes, limits: .init(depth: 4, size: 64 << 10, values: 1_000)) else { return }
  guard let card = try? DeviceCard(json) else { return }
  precondition(card.agrees.count == 32 && card.signs.bytes.count == 32, "keys that are none")
  precondition(json["device"]?.string == card.name, "a device by another name")
}
