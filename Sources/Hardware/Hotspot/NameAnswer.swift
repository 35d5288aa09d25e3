/// Answers to questions for names (RFC 1035) on the hotspot: each name has the board's own address, so that a telephone
/// which asks whether the internet is there finds the page.
enum NameAnswer {
  private static let headLength = 12
  /// What a question by UDP is at most, unless both ends have agreed on more.
  static let mostQuestion = 512

  /// Nil for what is no single plain question, which is not answered at all: so nobody can use the board to send more
  /// than they sent themselves to somebody else.
  static func answer(to question: [UInt8], with address: [UInt8]) -> [UInt8]? {
    guard (headLength...mostQuestion).contains(question.count), address.count == 4 else { return nil }
    // An answer, another kind of question than the plain one, or one that is cut.
    guard question[2] & 0b1111_1010 == 0 else { return nil }
    guard question[4] == 0, question[5] == 1, question[6] == 0, question[7] == 0 else { return nil }
    guard let nameEnd = nameEnd(question), nameEnd + 4 <= question.count else { return nil }
    let kind = Int(question[nameEnd]) << 8 | Int(question[nameEnd + 1])
    let family = Int(question[nameEnd + 2]) << 8 | Int(question[nameEnd + 3])
    let isAnswered = family == 1 && (kind == 1 || kind == 255)
    var answer = Array(question[..<2])
    // An answer from who is in charge, with the wish to look further as it came, which would be granted.
    answer += [0x84 | question[2] & 1, 0x80, 0, 1, 0, isAnswered ? 1 : 0, 0, 0, 0, 0]
    answer += question[headLength..<(nameEnd + 4)]
    guard isAnswered else { return answer }
    // The name of the question, an IPv4 address, for one second: it is wrong everywhere else.
    return answer + [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4] + address
  }

  /// Behind the name: lengths and labels, then a zero. A question refers to nothing before it.
  private static func nameEnd(_ question: [UInt8]) -> Int? {
    var place = headLength
    while place < question.count, place - headLength < 255 {
      let length = Int(question[place])
      guard length != 0 else { return place + 1 }
      guard length < 64 else { return nil }
      place += 1 + length
    }
    return nil
  }
}
