import Rights
import Runtime
import Services
import WebServer

/// Addresses of sealed bytes, and the bytes.
extension DepotService {
  func mediaAddress(_ call: Call) throws(Refusal) -> WebAnswer {
    let caller = try call.caller()
    try refuseRevoked(caller)
    let path = try mediaPath(call.json()["path"]?.string)
    guard let kind = snapshot.files[ExactText(path.text)] else { throw .missing("there is no such file") }
    let isRevoked = try read { connection throws(Fault) in
      try Revocations(connection: connection).why(.path, kind.item ?? path.text) != nil
    }
    guard !isRevoked else { throw .missing("there is no such file") }
    guard kind.isFor(caller.account.quality) else {
      throw Refusal(403, "Quality", "the account is for \(caller.account.quality?.words ?? "") quality at best")
    }
    if kind != .cover, case .none(let why) = caller.account.entitlement(at: call.now) { throw Self.notSubscribed(why) }
    let made = try Refusal.soundly { () throws(Fault) in
      try MediaAddress.make(path, at: call.now, seals.addresses)
    }
    return WebAnswer(json: ["url": JSON(call.base + made.address), "ends": JSON(made.ends)])
  }

  private func mediaPath(_ text: String?) throws(Refusal) -> FolderPath {
    guard let text else { throw .wrong("\"path\" must be there") }
    do throws(FolderPath.Mistake) { return try FolderPath(text) } catch { throw .missing("there is no such file") }
  }

  func refuseRevoked(_ caller: Call.Caller) throws(Refusal) {
    if let why = caller.revoked { throw Refusal(403, "Device refused", "this device is refused: \(why)") }
  }

  static func notSubscribed(_ subscription: Subscription) -> Refusal {
    Refusal(403, "No subscription", "the account's subscription is \(subscription.rawValue)")
  }

  func mediaFile(_ call: Call) throws(Refusal) -> WebAnswer {
    let (query, text) = (try call.query(), try call.name())
    let standing = try Refusal.soundly { () throws(Fault) in
      try MediaAddress.standing(text, until: query["until"], sum: query["sum"], at: call.now, seals.addresses)
    }
    switch standing {
    case .holds: break
    case .over: throw Refusal(403, "Address over", "this address has ended; ask for another one")
    case .wrong: throw Refusal(403, "Wrong address", "this address is not as it was given")
    }
    let path = try mediaPath(text)
    let opened = try Refusal.soundly { () throws(Fault) in try media.open(path) }
    guard let file = opened else { throw .missing("there is no such file any more") }
    var headers = [(name: "ETag", value: file.tag), (name: "Accept-Ranges", value: "bytes")]
    // The address is a secret for a while; who keeps the bytes may keep them for good.
    headers.append((name: "Cache-Control", value: "private, max-age=3600"))
    if Self.names(file.tag, in: call.request.header("If-None-Match")) {
      file.close()
      return WebAnswer(304, headers)
    }
    headers.append((name: "Content-Type", value: Self.type(of: path)))
    var range = ByteRange(call.request.header("Range"), of: file.size)
    // Another file than the one of which the beginning is there already: all of it.
    if let known = call.request.header("If-Range"), known != file.tag { range = .whole }
    switch range {
    case .whole:
      return WebAnswer(200, headers, file: .file(descriptor: file.descriptor, from: 0, count: file.size))
    case .part(let part):
      headers.append((name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"))
      let body = WebAnswer.Body.file(
        descriptor: file.descriptor, from: part.lowerBound, count: part.upperBound - part.lowerBound)
      return WebAnswer(206, headers, file: body)
    case .outside:
      file.close()
      var refusal = Refusal(416, "Range not satisfiable", "the file has \(file.size) bytes")
      refusal.headers = [("Content-Range", "bytes */\(file.size)")]
      throw refusal
    }
  }

  /// Whether a header `If-None-Match` names it.
  static func names(_ tag: String, in header: String?) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { one in
      let one = one.drop { $0 == " " }
      let strong = one.hasPrefix("W/") ? one.dropFirst(2) : one
      return strong == "*" || strong == tag
    }
  }

  private static func type(of path: FolderPath) -> String {
    switch path.ending {
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "webp": "image/webp"
    default: "application/octet-stream"
    }
  }
}
