import Runtime

/// The licences of one device, as a source gives them and as they are kept:
/// `{"keys": SIGNED, "licences": [SIGNED, ...], "statement": SIGNED}`. Each of them is signed by itself; the statement may
/// be left out.
package struct LicenceBundle {
  var keys: String
  var licences: [String]
  var statement: String?

  package static let longest = 4 << 20
  static let most = 5_000

  package init(keys: String, licences: [String], statement: String? = nil) {
    (self.keys, self.licences, self.statement) = (keys, licences, statement)
  }

  package init(parsing bytes: [UInt8]) throws(Fault) {
    try self.init(JSON(parsing: bytes, limits: .init(depth: 3, size: Self.longest, values: Self.most + 10)))
  }

  /// A line of a device's file: one of them, or a list of them, as earlier versions wrote it.
  static func all(parsing bytes: [UInt8]) throws(Fault) -> [LicenceBundle] {
    let json = try JSON(parsing: bytes, limits: .init(depth: 4, size: 2 * longest, values: 4 * most))
    guard let items = json.items else { return [try LicenceBundle(json)] }
    var all: [LicenceBundle] = []
    for one in items { all.append(try LicenceBundle(one)) }
    return all
  }

  private init(_ json: JSON) throws(Fault) {
    // Where there is news of the account alone, there are no licences.
    guard let keys = json["keys"]?.string,
      let licences = json["licences"]?.items ?? (json["statement"] == nil ? nil : [])
    else {
      throw Fault(.malformed, "E-150", "licences: expected an object with \"keys\" and \"licences\"")
    }
    (self.keys, statement) = (keys, json["statement"]?.string)
    self.licences = licences.compactMap(\.string)
    guard self.licences.count == licences.count else {
      throw Fault(.malformed, "E-150", "licences: each of \"licences\" must be a text")
    }
  }

  var isEmpty: Bool { licences.isEmpty && statement == nil }

  var json: JSON {
    var members: [(String, JSON)] = [("keys", JSON(keys)), ("licences", .list(licences.map { JSON($0) }))]
    if let statement { members.append(("statement", JSON(statement))) }
    return .object(JSON.Object(members))
  }

  package var fileBytes: [UInt8] { json.bytes + Array("\n".utf8) }
}
