import Runtime

/// The licences of one device, as a source gives them and as they are kept: `{"keys": SIGNED, "licences": [SIGNED, ...]}`.
/// Each of them is signed by itself.
package struct LicenceBundle {
  var keys: String
  var licences: [String]

  package static let longest = 4 << 20
  private static let most = 5_000

  package init(keys: String, licences: [String]) { (self.keys, self.licences) = (keys, licences) }

  package init(parsing bytes: [UInt8]) throws(Fault) {
    let limits = JSON.Limits(depth: 3, size: Self.longest, values: Self.most + 10)
    let json = try JSON(parsing: bytes, limits: limits)
    guard let keys = json["keys"]?.string, let licences = json["licences"]?.items else {
      throw Fault(.malformed, "E-150", "licences: expected an object with \"keys\" and \"licences\"")
    }
    self.keys = keys
    self.licences = licences.compactMap(\.string)
    guard self.licences.count == licences.count else {
      throw Fault(.malformed, "E-150", "licences: each of \"licences\" must be a text")
    }
  }

  package var fileBytes: [UInt8] {
    let json: JSON = ["keys": JSON(keys), "licences": .list(licences.map { JSON($0) })]
    return json.bytes + Array("\n".utf8)
  }
}
