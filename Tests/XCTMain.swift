import Testing

/// Where all suites begin. SwiftPM looks for a file of this name, and without it reads an index of all that it compiled
/// to find tests of XCTest, of which we have none.
@main struct Suites {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
