import Panel
import Testing

@testable import Offline
@testable import layby

@Suite("Why something is fetched unasked, on the panel")
struct SmartDownloadWordsTests {
  static let reasons: [Prediction.Reason] = [
    .queue, .list("Your day; and more"), .oftenLately(plays: 5), .thisHour(weekday: 0, hour: 8),
    .thisHour(weekday: 6, hour: 23), .similarSessions(3),
  ]

  @Test("each reason is said in each language, and differs from the others", arguments: PanelLanguage.allCases)
  func said(language: PanelLanguage) {
    let words = PanelWords.of(language)
    let all = Self.reasons.map { words.said([$0]) }
    #expect(Set(all).count == all.count && all.allSatisfy { !$0.isEmpty && !$0.contains("%") }, "\(all)")
    #expect(all[1].contains("Your day; and more") && all[2].contains("5"))
    if language != .english { #expect(zip(all, Self.reasons).allSatisfy { !$0.contains($1.words) }, "\(all)") }
  }

  @Test("several are one sentence")
  func several() {
    let reasons: [Prediction.Reason] = [.oftenLately(plays: 5), .thisHour(weekday: 0, hour: 8)]
    #expect(PanelWords.german.said(reasons) == "In zwei Wochen 5-mal gespielt, oft an Werktagen, morgens")
  }

  @Test("they are stored as they are; what nobody knows is no reason")
  func stored() {
    #expect([Prediction.Reason](stored: Self.reasons.stored) == Self.reasons)
    #expect([Prediction.Reason](stored: "often on weekday mornings\nlately x\nqueue") == [.queue])
  }
}
