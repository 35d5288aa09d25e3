import Runtime

/// What can be asked. `openapi.json` describes each; a test holds both together.
enum Route: CaseIterable {
  case health, metrics, openAPI, service, time
  case beginSignIn, token, revokeToken, signInPage, signInForm
  case account, removeDevice, index, lists, mediaAddress, media
  case licences, giveLicences, statement, changes, catalogue, search, integrity, flags

  var method: String {
    switch self {
    case .health, .metrics, .openAPI, .service, .time, .signInPage, .account, .index, .lists, .media, .licences,
      .statement, .changes, .catalogue, .search, .flags:
      "GET"
    case .beginSignIn, .token, .revokeToken, .signInForm, .mediaAddress, .giveLicences, .integrity: "POST"
    case .removeDevice: "DELETE"
    }
  }

  /// `{...}` at the end stands for a name; `{path}` may have slashes in it.
  var template: String {
    switch self {
    case .health: "/healthz"
    case .metrics: "/metrics"
    case .openAPI: "/openapi.json"
    case .service: "/v1/service"
    case .time: "/v1/time"
    case .beginSignIn: "/v1/sign-in/device"
    case .token: "/v1/sign-in/token"
    case .revokeToken: "/v1/sign-in/revoke"
    case .signInPage, .signInForm: "/sign-in"
    case .account: "/v1/account"
    case .removeDevice: "/v1/devices/{name}"
    case .index: "/v1/index"
    case .lists: "/v1/lists"
    case .mediaAddress: "/v1/media"
    case .media: "/media/{path}"
    case .licences, .giveLicences: "/v1/licences"
    case .statement: "/v1/statement"
    case .changes: "/v1/changes"
    case .catalogue: "/v1/catalogue"
    case .search: "/v1/search"
    case .integrity: "/v1/integrity"
    case .flags: "/v1/flags"
    }
  }

  /// Which media type a body must have; nil for those without one.
  var bodyType: String? {
    switch self {
    case .beginSignIn, .token, .revokeToken, .signInForm: "application/x-www-form-urlencoded"
    case .mediaAddress, .giveLicences, .integrity: "application/json"
    case .health, .metrics, .openAPI, .service, .time, .signInPage, .account, .removeDevice, .index, .lists, .media,
      .licences, .statement, .changes, .catalogue, .search, .flags:
      nil
    }
  }

  /// Whether it answers in OAuth's form.
  var isOAuth: Bool { self == .beginSignIn || self == .token || self == .revokeToken }

  /// Whether a device proves its key there, and so wants a nonce.
  var takesProof: Bool {
    switch self {
    case .health, .metrics, .openAPI, .service, .time, .revokeToken, .signInPage, .signInForm, .media: false
    case .beginSignIn, .token, .account, .removeDevice, .index, .lists, .mediaAddress, .licences, .giveLicences,
      .statement, .changes, .catalogue, .search, .integrity, .flags:
      true
    }
  }

  enum Found: Equatable {
    case route(Route, parameter: String)
    /// What can be asked of that address instead.
    case otherMethods([String])
    case nothing
  }

  static func find(_ method: String, _ path: String) -> Found {
    var others: [String] = []
    for route in allCases {
      guard let parameter = route.parameter(of: path) else { continue }
      if route.method == method || (method == "HEAD" && route.method == "GET") {
        return .route(route, parameter: parameter)
      }
      others += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
    }
    return others.isEmpty ? .nothing : .otherMethods(others)
  }

  /// Nil when the path is another one's; empty for an address without a name in it.
  private func parameter(of path: String) -> String? {
    guard let brace = template.firstIndex(of: "{") else { return ExactText(path) == ExactText(template) ? "" : nil }
    let head = template[..<brace]
    guard path.utf8.starts(with: head.utf8) else { return nil }
    let rest = String(decoding: path.utf8.dropFirst(head.utf8.count), as: UTF8.self)
    return rest.isEmpty || (self != .media && rest.utf8.contains(UInt8(ascii: "/"))) ? nil : rest
  }
}

/// The description that is served, as it stands in the program.
let openAPI = PackageResources.openapi_json
