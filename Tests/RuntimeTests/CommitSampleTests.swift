import TestSupport
import Testing

@Suite("A commit's sample")
struct CommitSampleTests {
  @Test("three commits in a row have all cases, each once; without a number all are there", arguments: 0...7)
  func all(count: Int) {
    let cases = Array(0..<count)
    for number in [0, 7, 1_187] as [UInt] {
      let thirds = (number..<number + 3).map { CommitSample.third(of: cases, at: $0) }
      #expect(thirds.joined().sorted() == cases)
      #expect(thirds.allSatisfy { $0.count <= count / 3 + 1 })
    }
    #expect(CommitSample.third(of: cases, at: nil) == cases)
  }
}
