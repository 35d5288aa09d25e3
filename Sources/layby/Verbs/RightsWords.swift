import Remote
import Rights
import Runtime

/// `layby rights`, for people.
func rightsWords(_ answer: JSON) -> String {
  if let card = answer["device"] { return card.description }
  let lines = answer.items("licences")
  var shown = lines.isEmpty ? ["no licences are here"] : lines.map(words(ofLicence:))
  for renewal in answer.items("renewed") {
    let outcome = renewal["message"] == nil ? "\(renewal.whole("new")) new" : renewal.shown("message")
    shown.append("\(renewal.shown("source")): \(outcome)")
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
  return padded(line.word("verdict"), to: 12) + "\(line.shown("title")): \(line.whole("tracks")) tracks, \(ends)\(days)"
}

extension HonestClock.Witness {
  fileprivate var words: String {
    switch self {
    case .network: "as a time server says"
    case .battery: "as the board's clock says"
    case .power: "at least: only the time with power counts, as no clock can be trusted"
    }
  }
}
