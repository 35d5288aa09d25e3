/// Where lines end, and in which order they are drawn.
extension Paragraph {
  /// At most `count` lines of `width` pixels, broken between words; a word too long for a line is broken inside. The
  /// last line holds all that is left and may be too wide.
  func spans(size: Int, width: Int, atMost count: Int) -> [Span] {
    var spans: [Span] = []
    var start = firstLetter(from: 0)
    while start < clusters.count {
      let end = spans.count + 1 < count ? lineEnd(from: start, size: size, width: width) : clusters.count
      spans.append(trimmed(start, end))
      start = firstLetter(from: end)
    }
    return spans
  }

  /// As many lines, as equal as they can be: no single word is left alone below a full line. No word is broken for that.
  func balanced(size: Int, width: Int, atMost count: Int) -> [Span] {
    let greedy = spans(size: size, width: width, atMost: count)
    guard greedy.count > 1, fit(greedy, size: size, width: width) else { return greedy }
    var best = greedy
    var (least, most) = (width / greedy.count, width)
    while most - least > 4 {
      let middle = (least + most) / 2
      let narrow = spans(size: size, width: middle, atMost: greedy.count)
      let isAsGood = fit(narrow, size: size, width: middle) && wordsBroken(narrow) <= wordsBroken(greedy)
      if isAsGood { (best, most) = (narrow, middle) } else { least = middle }
    }
    return best
  }

  /// Where nothing was left out between two lines, there is no blank.
  private func wordsBroken(_ spans: [Span]) -> Int {
    zip(spans, spans.dropFirst()).count { $0.end == $1.start && lineBreak(before: $1.start) != .phrase }
  }

  /// A blank that no line ends at: before a sign, and between a number and its unit.
  private func isBound(_ blank: Int) -> Bool {
    guard blank > 0, blank + 1 < clusters.count else { return false }
    let (before, after) = (scalar(blank - 1), scalar(blank + 1))
    if LineBreak.clingsBack.contains(after) || LineBreak.neverLast.contains(before) { return true }
    if isQuoted(blank) { return true }
    guard (0x30...0x39).contains(before.value), after.properties.isAlphabetic else { return false }
    let ending = clusters[(blank + 1)...].prefix(4).firstIndex {
      $0.isSpace || ",.;:)".unicodeScalars.contains(scalars[Int($0.scalar)])
    }
    return ending != nil || clusters.count - blank - 1 <= 3
  }

  /// Within a name of a few words. Between two names there are quotes on both sides as well, but those before it come in
  /// pairs.
  private func isQuoted(_ blank: Int) -> Bool {
    func isSign(_ cluster: Paragraph.Cluster) -> Bool { LineBreak.quotes.contains(scalars[Int(cluster.scalar)]) }
    return clusters[..<blank].suffix(LineBreak.longestName).contains(where: isSign)
      && clusters[blank...].prefix(LineBreak.longestName).contains(where: isSign)
      && clusters[..<blank].count(where: isSign) % 2 == 1
  }

  private func scalar(_ cluster: Int) -> Unicode.Scalar { scalars[Int(clusters[cluster].scalar)] }

  /// For scripts that are written without blanks; never beside one.
  private func lineBreak(before index: Int) -> LineBreak {
    guard index > 0, index < clusters.count else { return .none }
    return LineBreak(scalar(index - 1), scalar(index), next: index + 1 < clusters.count ? scalar(index + 1) : nil)
  }

  func fit(_ spans: [Span], size: Int, width: Int) -> Bool {
    spans.allSatisfy { Em.scaled($0.width, to: size) <= width * 64 }
  }

  private func firstLetter(from start: Int) -> Int {
    var start = start
    while start < clusters.count, clusters[start].isSpace || isSeparator(start) { start += 1 }
    return start
  }

  /// Where the line ends: at the end of the last word that fits, or inside the first. Behind the last blank there may be
  /// Japanese or Chinese, or a hyphen; then these come in this order: a phrase's end or a break between letters in the
  /// second half of the line, a phrase's end before that, the blank, a break within a word in the second half, a break
  /// between letters before that.
  private func lineEnd(from start: Int, size: Int, width: Int) -> Int {
    var (pen, wordEnd, index) = (0, start, start)
    while index < clusters.count {
      let cluster = clusters[index]
      if cluster.isSpace, index > start, !clusters[index - 1].isSpace, !isBound(index) { wordEnd = index }
      pen += Int(cluster.advance)
      if !cluster.isSpace, Em.scaled(pen, to: size) > width * 64 {
        // At least one letter, or the line would never end.
        return max(end(in: start..<index, wordEnd), start + 1)
      }
      index += 1
    }
    return index
  }

  /// What of `range`, which fills a line, stays on it. `wordEnd` is its last blank, or its start.
  private func end(in range: Range<Int>, _ wordEnd: Int) -> Int {
    var (letters, phrase, word, early): (Int?, Int?, Int?, Int?)
    for index in stride(from: range.upperBound, to: max(wordEnd, range.lowerBound), by: -1) {
      switch lineBreak(before: index) {
      case .none: continue
      case .word where (index - range.lowerBound) * 2 >= range.count: word = word ?? index
      case .word: continue
      case .letters where (index - range.lowerBound) * 2 >= range.count: letters = letters ?? index
      case .phrase where (index - range.lowerBound) * 2 >= range.count: return index
      case .phrase: phrase = phrase ?? index
      case .letters: early = early ?? index
      }
    }
    let blank = wordEnd > range.lowerBound ? wordEnd : nil
    return letters ?? phrase ?? blank ?? word ?? early ?? range.upperBound
  }

  /// A dot between two facts; where they stand in two lines it is not needed.
  private func isSeparator(_ index: Int) -> Bool {
    guard index > 0, index + 1 < clusters.count, scalar(index) == "·" else { return false }
    return clusters[index - 1].isSpace && clusters[index + 1].isSpace
  }

  private func trimmed(_ start: Int, _ end: Int) -> Span {
    var end = end
    while end > start, clusters[end - 1].isSpace || end < clusters.count && isSeparator(end - 1) { end -= 1 }
    return Span(start: start, end: end, width: clusters[start..<end].reduce(0) { $0 + Int($1.advance) })
  }

  /// As much of a line's beginning as leaves `width` pixels for nothing else; spaces at the end are left out.
  func beginning(of span: Span, size: Int, width: Int) -> Span {
    var (pen, end) = (0, span.start)
    while end < span.end, Em.scaled(pen + Int(clusters[end].advance), to: size) <= width * 64 {
      pen += Int(clusters[end].advance)
      end += 1
    }
    return trimmed(span.start, end)
  }

  /// The clusters as they are drawn, from left to right: from the highest level down, each stretch of at least that
  /// level is turned round (Unicode's rule L2).
  func order(of span: Span) -> [Int] {
    var order = Array(span.start..<span.end)
    guard isMixed, let highest = order.map({ clusters[$0].level }).max(), highest > 0 else { return order }
    for level in stride(from: highest, through: 1, by: -1) {
      var start = 0
      while start < order.count {
        guard clusters[order[start]].level >= level else {
          start += 1
          continue
        }
        var end = start
        while end < order.count, clusters[order[end]].level >= level { end += 1 }
        order[start..<end].reverse()
        start = end
      }
    }
    return order
  }
}
