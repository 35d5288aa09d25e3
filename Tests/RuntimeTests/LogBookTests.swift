import Glibc
import Runtime
import Testing

@Suite("Log")
struct LogBookTests {
  private func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  @Test("a line is key=value, with what is not one plain word quoted and control characters escaped")
  func form() {
    let book = LogBook(descriptor: -1)
    book.write(
      .notice, part: "player", "track began", ["title": "a \"b\"\n\u{1B}[31m", "entry": 4, "none": ""], at: at(0))
    #expect(
      book.lines == [
        #"level=notice part=player msg="track began" title="a \"b\"\n\u{1b}[31m" entry=4 none="""#
      ])
  }

  @Test("the ring keeps the last 1,000 lines, oldest first")
  func ring() {
    let book = LogBook(descriptor: -1)
    for number in 0..<1_500 { book.write(.info, part: "p\(number)", "t", [:], at: at(0)) }
    #expect(book.lines.count == 1_000)
    #expect(book.lines.first == "level=info part=p500 msg=t")
    #expect(book.lines.last == "level=info part=p1499 msg=t")
  }

  @Test("a text that repeats is written 20 times in 10 s, and the rest counted")
  func rate() {
    let book = LogBook(descriptor: -1)
    for _ in 0..<100 { book.write(.warning, part: "a", "again", [:], at: at(1)) }
    book.write(.warning, part: "a", "other", [:], at: at(1))
    #expect(book.lines.count == 21)
    book.write(.warning, part: "a", "again", [:], at: at(12))
    #expect(book.lines.last == "level=warning part=a msg=again suppressed_before=80")
  }

  @Test("a reader that does not read never holds the writer up; what was left out is told")
  func fullPipe() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let book = LogBook(descriptor: ends[1])
    for number in 0..<5_000 { book.write(.info, part: "p\(number)", "text", ["n": number], at: at(0)) }
    #expect(book.lines.count == 1_000)
    var block = [UInt8](repeating: 0, count: 65_536)
    #expect(read(ends[0], &block, block.count) > 0)
    book.write(.info, part: "last", "text", [:], at: at(0))
    let count = read(ends[0], &block, block.count)
    #expect(String(decoding: block[..<max(count, 0)], as: UTF8.self).contains("unwritten_before="))
    close(ends[0])
    close(ends[1])
  }
}
