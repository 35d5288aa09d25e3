import Runtime

/// `KEY=value`, as FLAC, Vorbis and Opus have it. A decoder's library hands over its own: `VorbisComments`.
extension TagTexts {
  mutating func add(vorbis comment: Piece) {
    guard let equals = comment.part(0, 64).first(0x3D), let field = TagField.named(comment.part(0, equals)) else {
      return
    }
    add(field, comment.from(equals + 1), .utf8)
  }
}

/// The head of a picture as FLAC keeps it; within base64 in Ogg files.
struct FLACPicture {
  let kind: ArtPlace.Kind
  /// In front of the picture.
  let headLength: Int
  let length: Int

  /// Nil when it makes no sense, or is a link.
  init?(_ piece: Piece) {
    let name = piece.big32(4)
    guard piece.count >= 32, name < 256, !piece.begins("-->", at: 8) else { return nil }
    let text = piece.big32(8 + Int(name))
    guard text < 0x100_0000 else { return nil }
    headLength = 32 + Int(name) + Int(text)
    // Its length stands right before it, behind a description of whatever length.
    length = headLength <= piece.count ? Int(piece.big32(headLength - 4)) : 0
    kind = piece.big32(0) == 3 ? .front : .other
  }
}
