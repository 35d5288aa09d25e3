/// A line as it is drawn, from left to right.
final class Placement {
  /// A glyph at its place; lengths in 64ths of a pixel from the line's left end.
  struct Placed: Equatable {
    let file: UInt8
    let glyph: UInt32
    let x: Int
    /// Of the letter that it is a part of.
    let end: Int
    let isSpace: Bool
    /// Above the line.
    let y: Int
  }

  let placed: [Placed]
  let width: Int
  /// Its end is an ellipsis.
  let isCut: Bool

  /// The line, or as much of its beginning as fits `room` pixels together with an ellipsis. Letters that join are cut off
  /// where they are read last, wherever that is drawn.
  init(_ span: Paragraph.Span, of paragraph: Paragraph, size: Int, room: Int?, ellipsis: @autoclosure () -> Paragraph) {
    var placed: [Placed] = []
    var pen = 0
    func take(_ cluster: Paragraph.Cluster, of paragraph: Paragraph) {
      let end = pen + Int(cluster.advance)
      for form in paragraph.forms[Int(cluster.form)..<Int(cluster.form) + Int(cluster.forms)] {
        placed.append(
          Placed(
            file: form.file, glyph: form.glyph, x: Em.scaled(pen + Int(form.x), to: size),
            end: Em.scaled(end, to: size), isSpace: cluster.isSpace, y: Em.scaled(Int(form.y), to: size)))
      }
      pen = end
    }
    guard let room, Em.scaled(span.width, to: size) > room * 64 else {
      for index in paragraph.order(of: span) { take(paragraph.clusters[index], of: paragraph) }
      (self.placed, width, isCut) = (placed, Em.scaled(pen, to: size), false)
      return
    }
    let dots = ellipsis()
    let left = room - (Em.scaled(dots.width, to: size) + 63) / 64
    let kept = paragraph.order(of: paragraph.beginning(of: span, size: size, width: left))
    if paragraph.runsLeft { for cluster in dots.clusters { take(cluster, of: dots) } }
    for index in kept { take(paragraph.clusters[index], of: paragraph) }
    if !paragraph.runsLeft { for cluster in dots.clusters { take(cluster, of: dots) } }
    (self.placed, width, isCut) = (placed, Em.scaled(pen, to: size), true)
  }

  var bytes: Int { 64 + placed.count * MemoryLayout<Placed>.stride }
}
