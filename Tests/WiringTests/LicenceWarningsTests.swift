import Rights
import Runtime
import Testing

@testable import layby

@Suite("What people are told of licences that end")
struct LicenceWarningsTests {
  @Test("each source has one warning, of what ends first; what plays for long or not at all has none")
  func notices() {
    let told = LicenceWarnings.notices([
      ("club", .endsSoon(days: 7)), ("club", .endsSoon(days: 3)), ("club", .plays(days: 20)),
      ("quiet", .plays(days: nil)), ("quiet", .ended(at: 1)), ("shop", .unpaid(days: 5)), ("shop", .unpaid(days: nil)),
      ("shop", .endsSoon(days: 2)), ("loan", .unpaid(days: nil)),
    ])
    #expect(told.keys.sorted() == ["club", "loan", "shop"])
    #expect(told["club"]?.message == "Licences of club end soon; online they are renewed. Days left: 3.")
    #expect(told["shop"]?.code == "X-291" && told["shop"]?.names == ["shop", "5"])
    #expect(told["loan"]?.message == "The subscription of loan is not paid; its music plays for now.")
  }
}
