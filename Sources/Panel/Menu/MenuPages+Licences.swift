import Runtime

/// What this device may play of sealed music, and the accounts that its licences come from.
package struct ShownLicences: Equatable, Sendable {
  package struct Account: Equatable, Sendable {
    package enum State: Equatable, Sendable {
      /// With the reason where it was signed in before, or could not be.
      case signedOut(Notice?)
      /// Somebody is to type this code at the address.
      case waiting(code: String, address: String, wholeAddress: String)
      case signedIn
    }

    package enum Subscription: Sendable { case active, unpaid, ended }

    package var source: String
    package var state: State
    package var subscription: Subscription?
    /// The best that its licences are for; nil when they are for all there is.
    package var quality: ShownQuality?

    package init(
      _ source: String, _ state: State, _ subscription: Subscription? = nil, quality: ShownQuality? = nil
    ) {
      (self.source, self.state, self.subscription, self.quality) = (source, state, subscription, quality)
    }

    /// With the code in it, while somebody is awaited.
    var wholeAddress: String? { if case .waiting(_, _, let whole) = state { whole } else { nil } }
  }

  package struct Licence: Equatable, Sendable {
    package var title: String
    /// How long it still plays; nil: for good, or not at all.
    package var days: Int64?
    /// Why it does not play; nil when it does.
    package var refusal: Notice?

    package init(_ title: String, days: Int64? = nil, refusal: Notice? = nil) {
      (self.title, self.days, self.refusal) = (title, days, refusal)
    }
  }

  /// One for each source that somebody can sign in to.
  package var accounts: [Account]
  package var licences: [Licence]

  package init(accounts: [Account], licences: [Licence]) { (self.accounts, self.licences) = (accounts, licences) }

  func account(_ source: String) -> Account? { accounts.first { $0.source == source } }
}

extension MenuPages {
  /// More nobody goes through one by one.
  private static let mostLicences = 500

  /// What does not play comes first, then what ends first.
  func licences(_ shown: ShownLicences?) -> [MenuRow] {
    guard let shown else { return [row(.noLicencesYet, .none), row(.back, .back)] }
    let accounts = shown.accounts.map { account in
      MenuRow(account.source, .open(.account(account.source))) { $0.detail = standing(of: account) }
    }
    let sorted = shown.licences.sorted { one, other in
      (one.refusal == nil ? 1 : 0, one.days ?? .max, one.title) < (
        other.refusal == nil ? 1 : 0, other.days ?? .max, other.title
      )
    }
    let rows = sorted.prefix(Self.mostLicences).map { licence in
      MenuRow(licence.title, licence.refusal.map { .open(.notice($0)) } ?? .none) {
        if licence.refusal != nil {
          $0.detail = words[.doesNotPlay]
        } else {
          $0.detail = licence.days.map { words.labelled(.daysLeft, "\($0)") } ?? words[.forGood]
        }
      }
    }
    return accounts + [row(.renewNow, .perform(.renewLicences))] + (rows.isEmpty ? [row(.noLicencesYet, .none)] : rows)
  }

  private func standing(of account: ShownLicences.Account) -> String {
    switch account.state {
    case .signedOut: words[.notSignedIn]
    case .waiting: words[.waiting]
    case .signedIn: account.subscription.map { words[Self.word(of: $0)] } ?? words[.signedIn]
    }
  }

  private static func word(of subscription: ShownLicences.Account.Subscription) -> Word {
    switch subscription {
    case .active: .subscriptionRuns
    case .unpaid: .subscriptionUnpaid
    case .ended: .subscriptionOver
    }
  }

  /// The code is a row of its own, so that it is as large as a row is.
  func account(_ source: String, _ account: ShownLicences.Account?) -> [MenuRow] {
    switch account?.state {
    case nil: return [row(.notSignedIn, .none), row(.back, .back)]
    case .signedOut(let why):
      return [row(.signIn, .perform(.signIn(source))) { $0.detail = words[.notSignedIn] }]
        + (why.map { text(words.said($0)) } ?? []) + [row(.back, .back)]
    case .waiting(let code, let address, _):
      // Browsers add what is left out.
      let typed = address.hasPrefix("https://") ? String(address.dropFirst(8)) : address
      // The smallest panel has room for the address alone.
      let told = manner.screen == .tiny ? typed : words.filled(.typeCodeAt, words.isolated(typed))
      return [MenuRow(code)] + text(told) + [
        row(.asSquare, .open(.signInCode(source))), row(.cancel, .perform(.callOffSignIn(source))),
      ]
    case .signedIn:
      let question = Question(words.labelled(.signOut, source), .signOut(source), yes: .signOut)
      let quality = account?.quality.map { quality in row(.quality, .none) { $0.value = words[quality.word] } }
      return [
        row(.signedIn, .none) { $0.detail = account?.subscription.map { words[Self.word(of: $0)] } ?? "" }
      ] + [quality].compactMap { $0 } + [
        row(.renewNow, .perform(.renewLicences)), row(.signOut, .open(.sure(question))), row(.back, .back),
      ]
    }
  }
}
