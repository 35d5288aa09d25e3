import Files
import Glibc
import Library
import Runtime
import Services

/// `layby index DIR`: writes the index by which a web server's folder becomes a source of music. Whoever fetches
/// meanwhile sees the old one or the new one, whole.
func makeIndex(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, checkedFor: ProgramVerb.index)
  let root = try FilePath(options.others[0]).resolved(code: "X-300")
  let isShown = !options.has("--json") && isatty(STDOUT_FILENO) == 1
  let time = TimeSource.boot
  var lastTold = time.now
  let name = options["--name"] ?? String(decoding: root.name.bytes, as: UTF8.self)
  let made = try IndexMaker.index(of: root, name: name) { maker in
    guard isShown, time.now - lastTold >= .milliseconds(250) else { return }
    lastTold = time.now
    show("\r\u{1B}[K\(maker.index.items.count) files, \(DiskSpace.shown(maker.bytes))")
  }
  if isShown { show("\r\u{1B}[K") }
  let file = made.index.fileBytes
  // What is written is what is taken: better no new index than one that every player refuses.
  guard try DirectoryIndex(parsing: file) == made.index else {
    throw Fault(.damaged, "X-307", "the index does not read as it was written")
  }
  let place = root / DirectoryIndex.fileName
  try AtomicFile.replace(place, with: file, mode: 0o644)
  print(options.has("--json") ? answer(made, place).description : words(made, place))
  return EX_OK
}

private func words(_ made: IndexMaker, _ place: FilePath) -> String {
  var text = "\(made.index.items.count) files, \(DiskSpace.shown(made.bytes)): \(place)"
  for file in made.leftOut { text += "\nleft out: \(file.path): \(shownPlain(file.reason))" }
  return text
}

private func answer(_ made: IndexMaker, _ place: FilePath) -> JSON {
  let leftOut = made.leftOut.map { file -> JSON in ["path": JSON(path: file.path), "reason": JSON(file.reason)] }
  return [
    "index": JSON(path: place), "items": JSON(made.index.items.count), "bytes": JSON(made.bytes),
    "left_out": .list(leftOut),
  ]
}
