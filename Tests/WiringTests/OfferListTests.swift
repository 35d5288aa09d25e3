import Services
import Testing

@testable import Application

@Suite("What a source has, as a person looks through it")
struct OfferListTests {
  private static let list = OfferList(
    [("The Zebra", "Ann"), ("Älg", nil), ("10 Songs", "Bo"), ("2 Songs", "Bo"), ("Apple Pie", "Ann")].enumerated().map {
      Offer(
        MediaContainer(ContainerID(.album, "\($0)"), title: $1.0, artist: $1.1, items: ["1", "2", "3"]), of: "kitchen")
    })

  @Test("is in the order of a library: numbers by value, without accents and articles")
  func order() { #expect(Self.list.offers.map(\.title) == ["2 Songs", "10 Songs", "Älg", "Apple Pie", "The Zebra"]) }

  @Test("has the places of its letters")
  func letters() {
    #expect(Self.list.letters.map(\.letter) == ["#", "A", "Z"] && Self.list.letters.map(\.index) == [0, 2, 4])
  }

  @Test(
    "is searched by the beginnings of words, of the title and of who made it",
    arguments: [
      ("", 5), ("s", 2), ("alg", 1), ("ann", 2), ("ann pi", 1), ("10 s", 1), ("the", 1), ("x", 0), ("ongs", 0),
    ])
  func search(typed: String, count: Int) { #expect(Self.list.searched(typed).offers.count == count) }

  @Test(
    "offers only letters that lead to something",
    arguments: [
      ("", ["1", "2", "a", "b", "p", "s", "t", "z"]), ("a", ["l", "n", "p"]), ("ann ", ["a", "p", "t", "z"]),
      ("zebra", []), ("bo s", ["o"]),
    ])
  func wheel(typed: String, letters: [String]) {
    #expect(OfferList.letters(of: [Self.list], after: typed, most: 80).sorted() == letters)
    for letter in letters { #expect(!Self.list.searched(typed + letter).offers.isEmpty) }
  }
}
