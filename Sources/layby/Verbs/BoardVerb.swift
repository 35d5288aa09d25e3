import Glibc
import Hardware
import Runtime

/// `layby board --base FILE --from FILE [--write FILE] [--errors FILE]`: for the unit layby-board.service of a card. Makes
/// the board's file of what every board of that kind has and of what layby-board.conf says of this one. A mistake in
/// layby-board.conf costs its line; it ends with 0 all the same, so that the board plays. With `--wifi` and `--write-setup`
/// the network of layby-wifi.conf is checked too, and stands with the board's name in a file for `layby setup`.
func makeBoardFile(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.board)
  guard let base = options.path("--base"), let from = options.path("--from"), options.others.isEmpty else {
    throw Fault(.malformed, "X-240", "expected: \(ProgramVerb.board.wholeUsage)")
  }
  // More than is taken, so that what is too long shows.
  let given = try PlainFile.read(from, limit: 4 * CardSettings.limit, code: "X-241")
  let card = given.map { CardSettings(parsing: $0, buttons: Setting<LineName?>.buttonNames) } ?? CardSettings()
  let sounds = SoundCards(
    sound: options.path("--sound") ?? FilePath("/proc/asound"),
    graphics: options.path("--graphics") ?? FilePath("/sys/class/drm"))
  let text = BoardFile.text(
    base: String(decoding: try AtomicFile.read(base, limit: CardSettings.limit), as: UTF8.self), card, sounds)
  let report = try joined(
    BoardFile.report(card.mistakes, file: "layby-board.conf"),
    takeSetup(from: options.path("--wifi"), named: card.name, to: options.path("--write-setup")))
  if let errors = options.path("--errors") {
    if report.isEmpty {
      _ = errors.withCString { unlink($0) }
    } else {
      try AtomicFile.replace(errors, with: Array(report.utf8), mode: 0o644)
    }
  }
  if let written = options.path("--write") {
    try AtomicFile.replace(written, with: Array(text.utf8), mode: 0o644)
    // The unit's journal has it too.
    print(report, terminator: "")
  } else {
    print(text, terminator: "")
  }
  return EX_OK
}

private func joined(_ first: String, _ second: String) -> String {
  first.isEmpty || second.isEmpty ? first + second : first + "\n" + second
}

/// What layby-wifi.conf says, checked, and the board's name, for the unit that takes both up; gives what is wrong in that
/// file.
private func takeSetup(from: FilePath?, named name: String?, to written: FilePath?) throws(Fault) -> String {
  guard let from, let written else { return "" }
  _ = written.withCString { unlink($0) }
  let bytes = try PlainFile.read(from, limit: 4 * CardWireless.limit, code: "X-241")
  let card = CardWireless(parsing: bytes ?? [])
  if card.network != nil || name != nil {
    try AtomicFile.replace(written, with: StickSetup(joining: card.network, named: name).bytes)
  }
  return BoardFile.report(card.mistakes, file: CardWireless.fileName, "No network is joined by it.")
}
