import Runtime
import WebServer

/// Why a request is not done, as it is answered.
struct Refusal: Error {
  enum Form: Sendable {
    /// A problem of RFC 9457.
    case problem
    /// `{"error": ...}`, as OAuth has it.
    case oauth
  }

  var status: Int
  var title: String
  var detail: String
  /// OAuth's word for it.
  var error: String?
  var form = Form.problem
  var headers: [(name: String, value: String)] = []

  init(_ status: Int, _ title: String, _ detail: String) {
    (self.status, self.title, self.detail) = (status, title, detail)
  }

  static func oauth(_ error: String, _ detail: String, status: Int = 400) -> Refusal {
    var refusal = Refusal(status, error, detail)
    (refusal.error, refusal.form) = (error, .oauth)
    return refusal
  }

  static func tooOften(_ seconds: Int64) -> Refusal {
    var refusal = Refusal(429, "Too many requests", "that was too often; wait \(seconds) seconds")
    refusal.headers = [("Retry-After", "\(seconds)")]
    return refusal
  }

  static func wrong(_ detail: String) -> Refusal { Refusal(400, "Bad request", detail) }
  static func missing(_ detail: String) -> Refusal { Refusal(404, "Not found", detail) }

  /// What failed here is not told to others, but in the log.
  init(_ fault: Fault) {
    switch fault.kind {
    case .full, .busy, .passing:
      self.init(503, "Not now", "the service cannot do this at the moment; try again in a moment")
      headers = [("Retry-After", "5")]
    case .missing, .denied, .malformed, .unsupported, .damaged:
      self.init(500, "Failed", "the service failed; its keeper finds the reason in its log")
    }
    Log("depot").error("a request failed", ["code": fault.code, "reason": fault.message])
  }

  /// Crypto and the like, whose faults are nothing that whoever asks could mend.
  static func soundly<Result>(_ body: () throws(Fault) -> Result) throws(Refusal) -> Result {
    do throws(Fault) { return try body() } catch { throw Refusal(error) }
  }

  var answer: WebAnswer {
    switch form {
    case .oauth:
      return WebAnswer(json: ["error": JSON(error ?? title), "error_description": JSON(detail)], status, headers)
    case .problem:
      var body = JSON.Object([("title", JSON(title)), ("status", JSON(status)), ("detail", JSON(detail))])
      if let error { body["error"] = JSON(error) }
      return WebAnswer(json: .object(body), status, headers, type: "application/problem+json")
    }
  }
}

extension WebAnswer {
  init(
    json: JSON, _ status: Int = 200, _ headers: [(name: String, value: String)] = [], type: String = "application/json"
  ) {
    self.init(json: json.bytes, status, headers, type: type)
  }

  /// JSON as it was written already.
  init(
    json: [UInt8], _ status: Int = 200, _ headers: [(name: String, value: String)] = [],
    type: String = "application/json"
  ) {
    self.init(status, [("Content-Type", type), ("Cache-Control", "no-store")] + headers, json)
  }
}
