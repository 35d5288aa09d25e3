import Glibc
import Hardware
import Remote
import Runtime

/// `layby update [FILE]`: has the unit layby-update.service write a new version into the slot that does not run, and
/// shows how that goes. Without a file: how the last update went.
func update(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, checkedFor: ProgramVerb.update)
  let told = (options.path("--told") ?? FilePath("/run/layby-update")) / "state"
  guard let text = options.others.first else {
    guard let last = try progress(told) else {
      print(options.has("--json") ? #"{"ok":true,"state":null}"# : "nothing was updated since the start")
      return EX_OK
    }
    return show(last, options)
  }
  guard let given = FilePath(bytes: text.utf8), exists(given.absolute) else {
    throw Fault(.missing, "X-260", "there is no file \(shownPlain(text))")
  }
  let file = given.absolute
  let run = options.path("--run") ?? Settings()[.runPath]
  if let now = try progress(told), !now.isOver {
    throw Fault(.busy, "X-265", "an update is under way: \(words(of: now)); layby update alone says how it went")
  }
  let wish = "\(Moment.now.nanoseconds)"
  try AtomicFile.replace(
    run / UpdateProgress.wishName, with: UpdateProgress.Wish(wish, to: .write, file).bytes, mode: 0o644)
  var shown = ""
  let patience = Moment.now + .seconds(120)
  while true {
    if let now = try progress(told), now.wish == wish {
      if now.isOver { return show(now, options) }
      let line = words(of: now)
      if line != shown, !options.has("--json") { print(line) }
      shown = line
    } else if Moment.now > patience {
      _ = (run / UpdateProgress.wishName).withCString { unlink($0) }
      throw Fault(
        .missing, "X-261", "nobody takes updates on this machine: it has no slots, or layby-update.path is not there")
    }
    usleep(200_000)
  }
}

private func exists(_ file: FilePath) -> Bool { file.withCString { access($0, F_OK) == 0 } }

private func progress(_ file: FilePath) throws(Fault) -> UpdateProgress? {
  guard let bytes = try PlainFile.read(file, limit: 65_536, code: "X-262") else { return nil }
  return UpdateProgress(String(decoding: bytes, as: UTF8.self))
}

private func show(_ progress: UpdateProgress, _ options: Options) -> Int32 {
  let isGood = progress.state == .ready || progress.state == .offered || !progress.isOver
  if options.has("--json") {
    let json: JSON = [
      "ok": JSON(isGood), "state": JSON(progress.state.rawValue), "percent": JSON(Int64(progress.percent)),
      "version": JSON(progress.version), "words": JSON(progress.words),
    ]
    print(json)
  } else if isGood {
    print(words(of: progress))
  } else {
    complain(Fault(.unsupported, "X-263", words(of: progress)))
  }
  return isGood ? EX_OK : EX_DATAERR
}

private func words(of progress: UpdateProgress) -> String {
  let version = shownPlain(progress.version)
  return switch progress.state {
  case .checking, .offered: "looking at the file"
  case .writing: "writing version \(version): \(progress.percent) %"
  case .ready:
    "version \(version) is on the card; it starts at the next start"
      + (progress.words.isEmpty ? "" : "\nwhat is new: \(shownPlain(progress.words))")
  case .refused: "\(shownPlain(progress.words)) Nothing was changed."
  case .failed: "\(shownPlain(progress.words)) The version that runs stays."
  }
}
