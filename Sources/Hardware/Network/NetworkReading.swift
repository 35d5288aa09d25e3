/// The network's state as it was read from the kernel once.
package struct NetworkReading: Equatable, Sendable {
  package struct Link: Equatable, Sendable {
    package var facts: LinkFacts
    package var kind: LinkKind
    package var addresses: [String] = []
    package var wireless: WirelessFacts?
  }

  /// By their names.
  package private(set) var links: [Link]
  private let routes: [DefaultRoute]

  package init(
    links: [LinkFacts], addresses: [AddressFacts], routes: [DefaultRoute], marks: [UInt32: LinkMarks],
    wireless: [UInt32: WirelessFacts]
  ) {
    self.routes = routes
    let kinds = Self.kinds(links, marks)
    self.links = links.filter { !$0.isLoopback }.sorted { $0.name < $1.name }.map { facts in
      var link = Link(facts: facts, kind: kinds[facts.index] ?? .other)
      let own = addresses.filter { $0.index == facts.index }
      link.addresses = (own.filter { !$0.isVersion6 } + own.filter { $0.isVersion6 }).map(\.text)
      link.wireless = facts.isUp ? wireless[facts.index] : nil
      return link
    }
  }

  /// A link that is made of others (a tunnel, a bridge) has the kind of the link below it, or of its most expensive
  /// part.
  private static func kinds(_ links: [LinkFacts], _ marks: [UInt32: LinkMarks]) -> [UInt32: LinkKind] {
    var kinds: [UInt32: LinkKind] = [:]
    for link in links { kinds[link.index] = LinkKind(link, marks[link.index] ?? LinkMarks()) }
    // Links may be stacked, at most three deep.
    for _ in 0..<3 {
      for link in links where kinds[link.index] == .other {
        let parts = links.filter { $0.isUp && ($0.index == link.lower || $0.master == link.index) }
        let found = parts.compactMap { kinds[$0.index] }
        for kind in [LinkKind.wired, .wifi, .mobile] where found.contains(kind) { kinds[link.index] = kind }
      }
    }
    return kinds
  }

  /// The link of the default route that is used: the cheapest route whose link is up and has an address, and IPv4
  /// before IPv6, because more can be reached over it.
  package var active: Link? {
    let ways = routes.sorted { left, right in
      (left.isVersion6 ? 1 : 0, left.cost, left.index) < (right.isVersion6 ? 1 : 0, right.cost, right.index)
    }
    for way in ways {
      if let link = links.first(where: { $0.facts.index == way.index && $0.facts.isUp && !$0.addresses.isEmpty }) {
        return link
      }
    }
    return nil
  }
}
