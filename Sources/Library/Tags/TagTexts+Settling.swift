import Formats

extension TagTexts {
  /// Into `metadata`, once everything is there. `takingNote`: iTunes' note is believed. Gives those texts back that do
  /// not say what they are written in; nil when there are none, or nobody asked what they are written in.
  mutating func settle(
    into metadata: inout Metadata, forced: TextEncoding?, _ neighbours: EncodingShares, takingNote: Bool
  ) -> UndeclaredTexts? {
    var best = [UInt8](repeating: .max, count: TagField.count)
    for text in texts { best[Int(text.field.rawValue)] = min(best[Int(text.field.rawValue)], text.rank) }
    Self.prefer(.artists, to: .artist, &best)
    Self.prefer(.albumArtists, to: .albumArtist, &best)
    Self.prefer(.year, to: .otherYear, &best)
    let heard = decode(best, into: &metadata, forced: forced, neighbours)
    var loudness = Tags()
    for text in texts where !text.text.isEmpty && text.rank == best[Int(text.field.rawValue)] {
      if let key = text.field.loudnessKey {
        loudness.add(key, text.text)
      } else if text.isNumberedGenre {
        for genre in Genres.named(text.text) where !metadata.genres.contains(genre) { metadata.genres.append(genre) }
      } else if text.field != .gapless || takingNote {
        metadata.take(text.field, text.text)
      }
    }
    if !loudness.raw.isEmpty { metadata.loudness = loudness.loudness }
    metadata.weighUp()
    return heard
  }

  /// Of two fields that say one thing, the one that says it better: no text has the rank that the other gets.
  private static func prefer(_ better: TagField, to other: TagField, _ best: inout [UInt8]) {
    let (first, second) = (best[Int(better.rawValue)], best[Int(other.rawValue)])
    if first == .max || second == .max { return }
    best[Int((first <= second ? other : better).rawValue)] = .max
  }

  private mutating func decode(
    _ best: [UInt8], into metadata: inout Metadata, forced: TextEncoding?, _ neighbours: EncodingShares
  ) -> UndeclaredTexts? {
    if undeclared.isEmpty { return nil }
    let wanted = texts.indices.filter { texts[$0].raw >= 0 && texts[$0].rank == best[Int(texts[$0].field.rawValue)] }
    if wanted.isEmpty { return nil }
    let encodings: [TextEncoding]
    var heard: UndeclaredTexts?
    if let forced {
      encodings = wanted.map { _ in forced }
    } else {
      var texts = UndeclaredTexts()
      for index in wanted { texts.add(undeclared[Int(self.texts[index].raw)]) }
      encodings = texts.encodings(in: neighbours)
      heard = texts
    }
    // Of several, one that somebody may want to correct.
    metadata.encoding = encodings.first { $0 != .utf8 } ?? encodings.first
    for (index, encoding) in zip(wanted, encodings) {
      let bytes = undeclared[Int(texts[index].raw)]
      // The oldest tags cut texts off wherever their fields end.
      let text = encoding.text(bytes, cut: texts[index].rank == TagRank.last)
      // What is not valid in it either is shown somehow.
      texts[index].text = Tags.clean(text ?? TextEncoding.latin1.text(bytes) ?? "")
    }
    return heard
  }
}
