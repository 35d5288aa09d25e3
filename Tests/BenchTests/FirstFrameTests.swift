import Glibc
import Runtime
import Testing

@testable import bench

@Suite("The first picture in a terminal")
struct FirstFrameTests {
  /// As the player writes it: the screen, the picture's rows, the line of text.
  private static func picture(rows: Int, lastRow: Int) -> String {
    let drawn = (1...rows).map { "\u{1B}[\($0);1H\u{1B}[38;2;1;2;3;48;2;4;5;6m▀▀\u{1B}[7C▀" }.joined()
    return "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J\(drawn)\u{1B}[\(lastRow);1H\u{1B}[0m… Starting\u{1B}[K"
  }

  @Test("it is whole with its last byte and not before, however it is cut into pieces")
  func last() {
    let bytes = Array(Self.picture(rows: 38, lastRow: 40).utf8)
    for piece in [1, 2, 7, bytes.count] {
      var frame = FirstFrame(lastRow: 40)
      for start in stride(from: 0, to: bytes.count, by: piece) {
        #expect(!frame.isWhole(pictureRows: 38))
        frame.take(bytes[start..<min(start + piece, bytes.count)])
      }
      #expect(frame.isWhole(pictureRows: 38))
    }
  }

  @Test("a picture with rows left out is none, nor is a line of text before the screen is cleared")
  func half() {
    var frame = FirstFrame(lastRow: 40)
    frame.take(Self.picture(rows: 37, lastRow: 40).utf8)
    #expect(!frame.isWhole(pictureRows: 38))
    var text = FirstFrame(lastRow: 40)
    text.take("a log line\r\n\u{1B}[40;1Hanother\u{1B}[K".utf8)
    #expect(!text.isWhole(pictureRows: 0))
  }

  @Test("what comes after it changes nothing")
  func after() {
    var frame = FirstFrame(lastRow: 40)
    frame.take((Self.picture(rows: 38, lastRow: 40) + "\u{1B}[2J").utf8)
    #expect(frame.isWhole(pictureRows: 38))
  }

  @Test("a sequence without an end is not kept")
  func endless() {
    var frame = FirstFrame(lastRow: 40)
    frame.take("\u{1B}[".utf8)
    frame.take(repeatElement(UInt8(ascii: "1"), count: 1 << 16))
    frame.take(("m" + Self.picture(rows: 38, lastRow: 40)).utf8)
    #expect(frame.isWhole(pictureRows: 38))
  }

  @Test("a program in it has a terminal of that size for all three, and a session of its own")
  func real() throws {
    let window = try PseudoTerminal()
    let script = #"""
      [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && [ "$(stty size)" = "40 100" ] || exit 1
      read -r pid name state parent group session rest </proc/$$/stat
      [ "$session" = $$ ]
      """#
    let child = try Child(["/bin/sh", "-c", script], in: window)
    #expect(try child.wait(within: .seconds(30)).code == 0)
    // It has gone without a picture, and that is seen at once.
    let began = Moment.now
    #expect(throws: Fault.self) { try window.firstFrame(before: began + .seconds(600)) }
  }
}
