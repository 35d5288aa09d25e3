import Runtime

/// What a depot is asked for.
extension DepotClient {
  /// A licence that the depot has for this device.
  package struct ListedLicence: Equatable, Sendable {
    package let id: String
    package let serial: Int64
    /// Nil: for good.
    package let ends: Int64?

    package init(_ id: String, serial: Int64, ends: Int64?) { (self.id, self.serial, self.ends) = (id, serial, ends) }
  }

  /// The most licences that one request asks for.
  package static let batch = 50
  private static let mostPages = 100

  package func licences() async throws(MediaFailure) -> [ListedLicence] {
    var all: [ListedLicence] = []
    var path = "v1/licences"
    for _ in 0..<Self.mostPages {
      let answer = try await ask(.get, path)
      let json = answer.json
      guard answer.status == 200, let items = json["licences"]?.items else {
        throw refusal(answer, "does not list its licences")
      }
      for item in items {
        guard let id = item["id"]?.string, let serial = item["serial"]?.whole else { continue }
        all.append(ListedLicence(id, serial: serial, ends: item["exp"]?.whole))
      }
      guard let next = json["next"]?.string else { return all }
      path = "v1/licences?after=\(FolderPath.encode(next))"
    }
    return all
  }

  /// At most `batch` of them, with the newest statement: as `DeviceRights` takes them.
  package func licences(_ ids: [String]) async throws(MediaFailure) -> [UInt8] {
    let answer = try await ask(.post, "v1/licences", .json(["ids": .list(ids.map { JSON($0) })]))
    guard answer.status == 200 else { throw refusal(answer, "gives no licences") }
    return answer.bytes
  }

  /// As `DeviceRights` takes it.
  package func statement() async throws(MediaFailure) -> [UInt8] {
    let answer = try await ask(.get, "v1/statement")
    guard answer.status == 200 else { throw refusal(answer, "gives no statement") }
    return answer.bytes
  }

  /// Tells the depot what this device says of itself, if that is new to it. A depot without this route answers 404, which
  /// counts as told.
  package func report(_ integrity: DeviceIntegrity) async throws(MediaFailure) {
    guard integrity != reported else { return }
    let answer = try await ask(.post, "v1/integrity", .json(integrity.json))
    guard answer.status == 204 || answer.status == 404 else {
      throw refusal(answer, "does not take what this device says of itself")
    }
    reported = integrity
  }

  private static let mostFlags = 100

  /// What the depot says of features to this device. One that knows no flags says nothing.
  package func flags() async throws(MediaFailure) -> [Flags.Word] {
    let answer = try await ask(.get, "v1/flags")
    if answer.status == 404 { return [] }
    guard answer.status == 200, let flags = answer.json["flags"]?.members else {
      throw refusal(answer, "does not say which features are on")
    }
    return flags.prefix(Self.mostFlags).compactMap { member in
      member.value.truth.map { Flags.Word(member.key, isOn: $0) }
    }
  }

  /// A signed time, and the list of the keys that may have signed it.
  package func time(_ nonce: [UInt8]) async throws(MediaFailure) -> (time: String, keys: String) {
    let keys = try await askOpenly("v1/service").json["keys"]?.string
    let answer = try await askOpenly("v1/time?nonce=\(Base64.encodeURL(nonce))")
    guard let keys, let time = answer.json["time"]?.string else { throw refusal(answer, "does not say the time") }
    return (time, keys)
  }

  /// The index of all that the account may have.
  func index(unless tag: String?) async throws(MediaFailure) -> FetchedFile {
    let answer = try await ask(.get, "v1/index", unless: tag, limit: DirectoryIndex.longestFile)
    return FetchedFile(status: answer.status, tag: answer.tag, type: answer.type, bytes: answer.bytes)
  }

  /// Where a file's bytes are, for some time.
  func address(of path: FolderPath) async throws(MediaFailure) -> String {
    let answer = try await ask(.post, "v1/media", .json(["path": JSON(path.text)]))
    switch answer.status {
    case 200:
      guard let url = answer.json["url"]?.string, url.hasPrefix("https://") || url.hasPrefix("http://"),
        url.utf8.count <= 4_096
      else { throw refusal(answer, "says no address of a file", .malformed) }
      return url
    case 404: throw refusal(answer, "has that file no more", .notThere)
    default: throw refusal(answer, "says no address of a file")
    }
  }

  func personalLists() async throws(MediaFailure) -> [PersonalList] {
    let answer = try await ask(.get, "v1/lists")
    guard answer.status == 200, let lists = answer.json["lists"]?.items else {
      throw refusal(answer, "does not list what it puts together")
    }
    return lists.prefix(100).compactMap { list in
      guard let name = list["name"]?.string else { return nil }
      return PersonalList(ContainerID(.playlist, name), title: name, isWeekly: list["every"]?.string == "week")
    }
  }
}
