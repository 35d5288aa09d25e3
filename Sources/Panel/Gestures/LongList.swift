extension ShownMenu {
  /// More rows than a panel has room for. A shorter list is left with one for one, however the knob is spun, and so are
  /// letters, numbers and answers.
  package var isLong: Bool {
    guard case .rows(_, _, let goesOn, let goesBack) = content else { return false }
    return goesOn || goesBack
  }
}
