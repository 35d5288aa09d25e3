import Runtime
import Testing

@testable import depot

@Suite("Routes and their description")
struct RouteTests {
  @Test("each address finds its route, other methods are named, and names may not be empty")
  func finds() {
    #expect(Route.find("GET", "/v1/index") == .route(.index, parameter: ""))
    #expect(Route.find("HEAD", "/v1/index") == .route(.index, parameter: ""))
    #expect(Route.find("DELETE", "/v1/devices/abc") == .route(.removeDevice, parameter: "abc"))
    #expect(Route.find("DELETE", "/v1/devices/a/b") == .nothing)
    #expect(Route.find("GET", "/media/a/b%20c.flac") == .route(.media, parameter: "a/b%20c.flac"))
    #expect(Route.find("GET", "/media/") == .nothing)
    #expect(Route.find("PUT", "/v1/licences") == .otherMethods(["GET", "HEAD", "POST"]))
    #expect(Route.find("GET", "/v1/index/") == .nothing)
    #expect(Route.find("GET", "") == .nothing)
  }

  @Test("openapi.json describes each route and no other, with what each of them takes")
  func described() throws {
    let limits = JSON.Limits(depth: 30, size: 1 << 20, values: 50_000)
    let json = try JSON(parsing: openAPI, limits: limits)
    var written: Set<String> = []
    for path in json["paths"]?.members ?? [] {
      for method in path.value.members ?? [] { written.insert("\(method.key.uppercased()) \(path.key)") }
    }
    #expect(written == Set(Route.allCases.map { "\($0.method) \($0.template)" }))
    for route in Route.allCases {
      let operation = json["paths"]?[route.template]?[route.method.lowercased()]
      let types = operation?["requestBody"]?["content"]?.members?.map(\.key) ?? []
      #expect(types == (route.bodyType.map { [$0] } ?? []), "\(route)")
      let isSigned =
        operation?["security"] != nil || operation?["parameters"]?.items?.contains { $0["name"] == "DPoP" } == true
      #expect(isSigned == route.takesProof, "\(route)")
    }
  }
}
