import Rights

/// Databases have statements too; where both are known this is the word.
typealias Subscription = Statement.Subscription

/// What an account may have now, by its subscription.
enum Entitlement: Equatable {
  /// Licences that hold by themselves: nothing is said of a subscription.
  case unbound
  /// Licences that hold while the subscription goes on.
  case subscribed
  /// None. The word says why.
  case none(Subscription)

  init(_ subscription: Subscription?, graceEnds: Int64?, at now: Int64) {
    switch subscription {
    case nil: self = .unbound
    case .active: self = .subscribed
    case .lapsed: self = (graceEnds ?? 0) > now ? .subscribed : .none(.lapsed)
    case .cancelled: self = .none(.cancelled)
    case .free: self = .none(.free)
    }
  }
}
