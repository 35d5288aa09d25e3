/// A key of the terminal, however its bytes are written.
package enum Key: Hashable, Sendable {
  /// A character of ASCII that can be seen, or the space.
  case character(Unicode.Scalar)
  /// The letter that was held with Ctrl, in lower case.
  case control(Unicode.Scalar)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, tab, backspace, delete, escape
}
