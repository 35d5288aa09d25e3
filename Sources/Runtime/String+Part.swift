extension String {
  /// The standard library's own `contains` brings its regular expressions into the program.
  package func has(_ part: String) -> Bool {
    let wanted = Array(part.utf8)
    var rest = utf8[...]
    while rest.count >= wanted.count {
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
