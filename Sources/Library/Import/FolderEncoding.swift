/// Texts that do not say how they are written are few in one file and many in a folder, whose files mostly come from
/// one hand. So the files of a folder help those among them that are doubtful. What is clear by itself stays as it is:
/// valid UTF-8, and a text that its own statistics tell.
enum FolderEncoding {
  /// Which answers of a batch are to be read again, and what their neighbours make likely.
  static func doubtful(_ answers: [FileReader.Reading]) -> [(Int, EncodingShares)] {
    var folders: [Int64: [(place: Int, costs: [Float])]] = [:]
    for (place, answer) in answers.enumerated() {
      guard let costs = answer.undeclared?.costs else { continue }
      folders[answer.found.facts.folder, default: []].append((place, costs))
    }
    var again: [(Int, EncodingShares)] = []
    for files in folders.values where files.count > 1 {
      let shares = EncodingShares.ofFolder(files.map(\.costs))
      for (file, share) in zip(files, shares) {
        guard let texts = answers[file.place].undeclared, texts.encodings(in: share) != texts.encodings() else {
          continue
        }
        again.append((file.place, share))
      }
    }
    return again.sorted { $0.0 < $1.0 }
  }
}
