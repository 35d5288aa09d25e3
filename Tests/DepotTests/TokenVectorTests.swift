import Ciphers
import Runtime
import TestSupport
import Testing

@testable import depot

@Suite("Vectors of tokens")
struct TokenVectorTests {
  private static func seal(_ one: Vectors.Case) throws(Fault) -> ServiceSeal {
    var secret = try one.bytes("service_secret")
    return try ServiceSeal(Secret(taking: &secret), for: one.text("purpose"))
  }

  @Test("tokens, nonces and addresses are known by another reader, and neither overlooks a byte that was changed")
  func agree() async throws {
    let token = try Vectors("refresh-token").read { one in
      let seal = try Self.seal(one)
      let text = try one.text("token")
      let made = RefreshToken(session: try one.bytes("session"), number: try one.number("number"))
      return try made.text(seal) == text && RefreshToken(text, seal) == made
    }
    let stamped = try Vectors("stamped-text").read { one in
      let seal = try Self.seal(one)
      let text = try one.text("text")
      let (number, subject) = (try one.number("number"), try one.text("subject"))
      let isMade = try StampedText.make(number, about: subject, seal) == text
      return try isMade && StampedText.number(of: text, about: subject, seal) == number
    }
    #expect(token.overlooked + stamped.overlooked == [])
    let said = try await Vectors.secondReader(["refresh-token", "stamped-text"])
    #expect(said == "\(token.line)\n\(stamped.line)\n")
  }
}
