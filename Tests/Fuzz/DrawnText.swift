import Canvas
import Hardware
import Runtime

/// A name from a file, as a screen shows it: wrapped, cut, passing by. Not a pixel outside of its place is touched, and
/// what is kept of it stays within its budget.
@Sendable func drawnText(_ bytes: [UInt8]) {
  guard let typeface = fonts else { return }
  let text = String(decoding: bytes, as: UTF8.self)
  let place = Rect(x: 20, y: 10, width: 90, height: 30)
  let canvas = Canvas(size: Size(width: 130, height: 50))
  for size in [9, 20, 42] {
    let face = typeface.at(size)
    canvas.isMirrored = size == 20
    for count in 1...3 {
      let lines = face.lines(of: text, width: place.width, atMost: count, balanced: count == 2)
      precondition(lines.count <= count, "more lines than there may be")
      for line in lines { canvas.draw(line, in: place, colour: .white, tooWide: .passing(bytes.count % 50)) }
    }
    canvas.draw(text, in: place, font: face, colour: .white)
    canvas.draw(text, in: place, font: face, colour: .white, align: .trailing, tooWide: .fade)
  }
  // It lies in the middle, so mirrored too.
  for y in 0..<canvas.size.height {
    for x in 0..<canvas.size.width where canvas[x, y] != .black {
      precondition(place.contains(x: x, y: y), "a letter outside of its place")
    }
  }
  precondition(typeface.storedTextBytes <= 4 << 20 && typeface.storedGlyphBytes <= 1 << 20, "more than is kept")
}

/// Opened once. Touched on the fuzzer's one thread only.
private nonisolated(unsafe) let fonts: Typeface? = {
  let settings = Settings()
  let files = settings[.panelFont]
  guard let first = files.first, let library = try? TypeLibrary() else { return nil }
  return try? library.typeface(first, fallbacks: Array(files.dropFirst()))
}()
