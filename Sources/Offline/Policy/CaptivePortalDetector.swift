import Runtime

/// Decides whose web page came in place of music: that of a network that wants a log-in, or the source's own.
///
/// Only what comes later can tell: an answer to a probe, or a whole file from anywhere. When neither comes, the third
/// page in place of one item is taken for the source's own, because otherwise all other sources would wait for that
/// item. A source that was found to send pages of its own is not suspected again before it has sent something else.
package struct CaptivePortalDetector: Equatable, Sendable {
  /// A page that is older may have been another one: whoever has logged in has done so for a while.
  package static let recent: Duration = .seconds(1_800)

  package static let mostPages = 2

  private var pages: [String: Moment] = [:]
  private var counts: [MediaKey: Int] = [:]
  private var provenAt: Moment?
  private var ownItems: Set<MediaKey> = []
  private var ownSources: Set<String> = []

  package init() {}

  package mutating func page(of key: MediaKey, at now: Moment) {
    pages[key.source] = now
    counts[key, default: 0] += 1
  }

  /// Nothing is in the way.
  package mutating func proved(at now: Moment) { provenAt = now }

  /// Another page came although the network was proven to lead out: so the source sends it.
  package mutating func ownPage(of key: MediaKey) {
    ownItems.insert(key)
    ownSources.insert(key.source)
  }

  /// Something else than a page.
  package mutating func came(_ key: MediaKey) {
    counts[key] = nil
    ownItems.remove(key)
    ownSources.remove(key.source)
  }

  /// Another page in place of this is the source's own.
  package func isProven(for key: MediaKey, at now: Moment) -> Bool {
    if counts[key, default: 0] >= Self.mostPages { return true }
    if ownItems.contains(key) || ownSources.contains(key.source) { return true }
    guard let page = pages[key.source], let provenAt, now - page <= Self.recent else { return false }
    return provenAt > page
  }
}
