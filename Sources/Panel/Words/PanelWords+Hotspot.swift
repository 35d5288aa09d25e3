import Hardware

extension PanelWords {
  /// What the hotspot's page says, which a telephone shows.
  package static func page(of facts: HotspotFacts) -> HotspotWords {
    let language = PanelLanguage(rawValue: facts.language) ?? .english
    let words = of(language)
    return HotspotWords {
      $0.language = language.rawValue
      $0.isRightToLeft = words.isRightToLeft
      ($0.title, $0.choose, $0.another) = (words[.pageTitle], words[.pageChoose], words[.pageAnother])
      ($0.open, $0.password, $0.join, $0.next) = (
        words[.openToAll], words[.hotspotPassword], words[.joinIt], words[.pageNext]
      )
      ($0.wrongName, $0.wrongPassword) = (words[.pageWrongName], words[.pageWrongPassword])
      ($0.joins, $0.look) = (words[.joins], words[.pageLook])
      if let failure = facts.failure {
        let word: Word =
          switch failure.outcome {
          case .password: .refusesPassword
          case .unseen: .isNotInReach
          case .joining, .leaving, .done, .joined, .silent, .radio, .service, .refused, .failed: .letsNobodyIn
          }
        $0.failure = words.filled(word, words.filled(.quoted, failure.network))
      }
    }
  }
}
