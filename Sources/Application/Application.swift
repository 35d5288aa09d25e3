/// All that can be asked of the player. The panel and the control socket are handed this, and nothing of the rooms below.
/// A use case that is nil cannot be asked: nothing can be remembered, so there is no library.
package struct Application: Sendable {
  package let browsing: Browsing?
  package let keeping: Keeping

  package init(browsing: Browsing? = nil, keeping: Keeping = Keeping()) {
    (self.browsing, self.keeping) = (browsing, keeping)
  }
}
