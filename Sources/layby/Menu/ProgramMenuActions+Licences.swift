import Application
import Panel
import Rights
import Runtime
import Services

/// What the panel shows of licences, and does about them.
extension ProgramMenuActions {
  func licences() async -> ShownLicences? {
    let licences = application.licences
    guard licences.areGiven else { return nil }
    let known: Licences.Known
    // Without its keys, or without layby-keys, a notice has said why, and whatever is played says so.
    do throws(Fault) { known = try await licences.known() } catch {
      return ShownLicences(accounts: await accounts(nil), licences: [])
    }
    return ShownLicences(accounts: await accounts(known), licences: known.lines.map { .init($0) })
  }

  private func accounts(_ known: Licences.Known?) async -> [ShownLicences.Account] {
    await application.licences.signIns().map { one in
      ShownLicences.Account(
        one.source, .init(one.state), known?.accounts.first { $0.source == one.source }?.subscription.map { .init($0) },
        quality: Self.limit(known?.lines.filter { $0.source == one.source } ?? []))
    }
  }

  /// The best that any of an account's licences is for; nil when one is for all there is.
  private static func limit(_ lines: [DeviceRights.Line]) -> ShownQuality? {
    let limits = lines.map { $0.licence.quality.flatMap { Quality(indexName: $0) } }
    guard !limits.contains(nil), let best = limits.compactMap({ $0 }).max() else { return nil }
    return ShownQuality(rawValue: best.rawValue)
  }

  /// The first that fails says why.
  func renewLicences() async throws(Fault) {
    for renewal in try await application.licences.renew() { _ = try renewal.outcome.get() }
  }
}

extension ShownLicences.Account.State {
  fileprivate init(_ state: SignInState) {
    self =
      switch state {
      case .signedOut(let fault): .signedOut(fault.map { Notice($0) })
      case .waiting(let code): .waiting(code: code.code, address: code.address, wholeAddress: code.wholeAddress)
      case .signedIn: .signedIn
      }
  }
}

extension ShownLicences.Account.Subscription {
  fileprivate init(_ subscription: Statement.Subscription) {
    self =
      switch subscription {
      case .active: .active
      case .lapsed: .unpaid
      case .cancelled, .free: .ended
      }
  }
}

extension ShownLicences.Licence {
  fileprivate init(_ line: DeviceRights.Line) {
    let title = line.licence.title
    let refusal = line.verdict.refusal(of: title, issued: line.licence.issued)
    self.init(title, days: line.verdict.days, refusal: refusal.map { Notice($0) })
  }
}
