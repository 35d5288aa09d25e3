import Testing

@testable import HTTP

@Suite("Addresses that were understood")
struct WebPlaceTests {
  @Test(
    "an address reads as itself: what is judged is what is fetched",
    arguments: [
      "http://music.example/a", "HTTP://Music.Example:80/a/../b", "http://%34%34/x", "http://%31%32%37.1/",
      "https://44/",
    ])
  func settled(text: String) throws {
    let place = try #require(WebPlace(text))
    #expect(WebPlace(place.text) == place, "\(place.text)")
  }

  @Test("a number that is hidden behind percent signs is the host that curl goes to")
  func number() throws {
    #expect(try #require(WebPlace("http://%31%32%37.1/")).host == "127.0.0.1")
  }
}
