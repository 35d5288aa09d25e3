import Runtime

/// Which licences are asked for anew, and in which order. A pure rule.
package enum RenewalRule {
  /// A licence as its service lists it.
  package struct ListedLicence: Equatable, Sendable {
    package let id: String
    package let serial: Int64

    package init(_ id: String, serial: Int64) { (self.id, self.serial) = (id, serial) }
  }

  /// What ends within this time, or ended within it, does not wait for its turn.
  package static let urgent: Int64 = 2 * 86_400

  /// The ids of licences that are not here, have a newer serial at the service, or have used a sixth of their time. Those
  /// that end first come first. With `isAsked` all of them are due.
  package static func due(
    _ offers: [ListedLicence], _ here: [LicenceFacts], at now: Int64, isAsked: Bool
  ) -> [String] {
    var known: [ExactText: LicenceFacts] = [:]
    for licence in here { known[ExactText(licence.id)] = licence }
    var due: [(id: String, ends: Int64)] = []
    for offer in offers {
      guard let licence = known[ExactText(offer.id)] else {
        // Nothing of it plays before it is here.
        due.append((offer.id, 0))
        continue
      }
      if isAsked || offer.serial > licence.serial || isUsed(licence, at: now) {
        due.append((offer.id, licence.ends ?? .max))
      }
    }
    return due.sorted { $0.ends < $1.ends }.map(\.id)
  }

  private static func isUsed(_ licence: LicenceFacts, at now: Int64) -> Bool {
    guard let ends = licence.ends else { return false }
    return now - licence.issued >= (ends - licence.issued) / 6
  }

  /// A round that is due may wait for a line and a charger that cost nothing, but not for ever, nor while something ends
  /// soon.
  package static func mayAsk(isUrgent: Bool, isFree: Bool, since last: Duration?) -> Bool {
    guard let last else { return true }
    return isUrgent || isFree || last >= longestWait
  }

  private static let longestWait: Duration = .seconds(3 * 86_400)

  package static func isUrgent(_ here: [LicenceFacts], at now: Int64) -> Bool {
    here.contains { licence in licence.ends.map { abs($0 - now) < urgent } ?? false }
  }
}
