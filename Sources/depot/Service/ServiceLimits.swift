import Runtime

/// Every limit of how often, in one place.
struct ServiceLimits {
  enum Kind: CaseIterable {
    /// Any request, by address.
    case request
    /// Of a device that is signed in, by account.
    case account
    /// Devices that begin to sign in, by address.
    case beginning
    /// Questions for tokens, by address.
    case token
    /// Passwords and codes that people type, by address.
    case tryOfAddress
    /// Passwords, by the account's name, whether there is such an account or not.
    case tryOfAccount
  }

  private var limiters: [Kind: RateLimiter] = [:]

  /// `rate`: requests a second from one address; the others keep their relation to it.
  init(rate: Int64) {
    let factor = Double(rate) / 25
    for kind in Kind.allCases {
      let (burst, perSecond): (Double, Double) =
        switch kind {
        case .request: (150, 25)
        case .account: (300, 20)
        case .beginning: (20, 1.0 / 30)
        case .token: (60, 1)
        case .tryOfAddress: (20, 1.0 / 30)
        case .tryOfAccount: (10, 1.0 / 60)
        }
      limiters[kind] = RateLimiter(burst: max(1, burst * factor), perSecond: perSecond * factor)
    }
  }

  /// Nil: go on. Else after so many seconds.
  mutating func take(_ kind: Kind, _ who: String, at milliseconds: Int64) -> Int64? {
    limiters[kind]?.take(who, at: milliseconds)
  }
}
