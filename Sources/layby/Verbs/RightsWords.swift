import Remote
import Rights
import Runtime
import Services

/// `layby rights`, for people.
func rightsWords(_ answer: JSON) -> String {
  if let card = answer["device"] { return card.description }
  let lines = answer.items("licences")
  var shown = lines.isEmpty ? ["no licences are here"] : lines.map(words(ofLicence:))
  for renewal in answer.items("renewed") {
    let outcome = renewal["message"] == nil ? "\(renewal.whole("new")) new" : renewal.shown("message")
    shown.append("\(renewal.shown("source")): \(outcome)")
  }
  for statement in answer.items("statements") {
    guard statement["subscription"] != nil else { continue }
    let until =
      statement["grace_until"].map { _ in ", it plays until \(CalendarDay(statement.whole("grace_until")))" } ?? ""
    shown.append("\(statement.shown("source")): the subscription is \(statement.word("subscription"))\(until)")
  }
  let witness = answer["time"]?["witness"]?.string.flatMap(HonestClock.Witness.init(rawValue:))
  shown.append("the time: \(CalendarDay(answer["time"]?.whole("now") ?? 0)), \(witness?.words ?? "")")
  let standing = KeeperStanding(
    isBroker: answer["broker"]?.truth == true, hasTPM: answer["tpm"]?.truth == true,
    boundTo: answer.items("bound_to").compactMap(\.path))
  shown += [standing.binding, standing.place]
  return shown.joined(separator: "\n")
}

private func words(ofLicence line: JSON) -> String {
  let ends = line["ends"] == nil ? "for good" : "until \(CalendarDay(line.whole("ends")))"
  let days = line["days"].map { _ in ", \(line.whole("days")) days" } ?? ""
  let limit = line["quality"].map { _ in Quality(indexName: line.word("quality"))?.words ?? line.shown("quality") }
  let quality = limit.map { ", up to \($0) quality" } ?? ""
  return padded(line.word("verdict"), to: 16)
    + "\(line.shown("title")): \(line.whole("tracks")) tracks, \(ends)\(days)\(quality)"
}

/// `layby sign-in state` and `layby sign-out`, for people.
func signInWords(_ answer: JSON) -> String {
  if answer["signed_out"] != nil { return "\(answer.shown("signed_out")): this device is signed out" }
  let depots = answer.items("depots")
  if depots.isEmpty {
    return "there is no depot to sign in to; kind = depot in a [source NAME] of layby.conf names one"
  }
  return depots.map { depot -> String in
    let why = depot["message"].map { _ in ": \(depot.shown("message"))" } ?? ""
    let code = depot["sign_in"].map { ", \(signInCode($0))" } ?? ""
    return "\(depot.shown("source")): \(depot.word("state"))\(code)\(why)"
  }.joined(separator: "\n")
}

func signInCode(_ code: JSON) -> String { "\(code.shown("code")) at \(code.shown("address"))" }

extension HonestClock.Witness {
  fileprivate var words: String {
    switch self {
    case .network: "as a time server says"
    case .service: "as a depot has signed"
    case .battery: "as the board's clock says"
    case .power: "at least: only the time with power counts, as no clock can be trusted"
    }
  }
}
