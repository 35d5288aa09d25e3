import Ciphers
import Runtime

/// The time, as a service signs it for whoever sent a nonce: an answer that was kept from another day has another nonce.
package enum SignedTime {
  package static let nonceLengths = 16...64

  package static func sign(
    _ time: Int64, for nonce: [UInt8], with key: borrowing SigningKey, _ keyID: String
  ) throws(Fault) -> String {
    let body: JSON = ["nonce": JSON(Base64.encodeURL(nonce)), "time": JSON(time)]
    return try SignedDocument.sign(body, as: .time, with: key, keyID)
  }

  static func read(_ text: String, for nonce: [UInt8], by keys: ServiceKeys) throws(Fault) -> Int64 {
    let document = try SignedDocument(text, as: .time) { keys.key($0, for: .time) }
    guard let said = document.body["nonce"]?.string, ExactText(said) == ExactText(Base64.encodeURL(nonce)) else {
      throw otherQuestion
    }
    guard let time = document.body["time"]?.whole, HonestClock.possible.contains(time) else {
      throw SignedDocument.wrong("\"time\" must be a time in seconds")
    }
    return time
  }

  static let otherQuestion = Fault(.denied, "E-126", "a signed time is the answer to another question")
}
