/// Texts that do not say how they are written are few in one file and many in a folder, whose files mostly come from
/// one hand: what all of them together look like is believed.
enum FolderEncoding {
  /// Which answers of a batch are to be read again, and as what.
  static func doubtful(_ answers: [FileReader.Answer]) -> [(Int, TextEncoding)] {
    var folders: [Int64: [Int]] = [:]
    for (index, answer) in answers.enumerated() where answer.guess != nil {
      folders[answer.found.facts.folder, default: []].append(index)
    }
    var again: [(Int, TextEncoding)] = []
    for places in folders.values where places.count > 1 {
      guard Set(places.map { guess(answers[$0]) }).count > 1 else { continue }
      var together = EncodingGuess()
      for place in places { if let guess = answers[place].guess { together.add(guess) } }
      again += places.filter { guess(answers[$0]) != together.best }.map { ($0, together.best) }
    }
    return again.sorted { $0.0 < $1.0 }
  }

  private static func guess(_ answer: FileReader.Answer) -> TextEncoding? {
    if case .music(let found, _) = answer.found.outcome { found.encoding } else { nil }
  }
}
