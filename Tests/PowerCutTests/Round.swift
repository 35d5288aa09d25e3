import Glibc
import Playback
import Remote
import Runtime
import Store
import TestSupport

/// A life of the program, its sudden end, and what the next life finds. Everything follows from the seed, but for
/// where exactly the machine was when the power went.
struct Round: Sendable {
  enum Death: Equatable, Sendable {
    case killed
    /// At a named step inside a save, the count-th time.
    case atStep(String, Int)
  }

  let seed: UInt64
  let death: Death

  /// For a file that is replaced it is the one that keeps names before contents.
  private var worstCut: Cut? {
    if case .atStep(let name, _) = death, name.hasPrefix("replace.") { .namesFirst } else { nil }
  }

  struct Outcome: Sendable {
    var complaints: [String] = []
    var story: [String] = []
    /// The program died at its step, not by our hand.
    var reachedStep = false
  }

  func run(_ music: Music) -> Outcome {
    var outcome = Outcome()
    do { try run(music, &outcome) } catch { outcome.complaints.append("\(error)") }
    return outcome
  }

  private func run(_ music: Music, _ outcome: inout Outcome) throws {
    let temp = TempFolder()
    var dice = SeededGenerator(seed: seed)
    var seconds: [String: Double] = [:]
    for track in music.all { seconds[track.path] = track.seconds }
    defer { if !outcome.complaints.isEmpty { outcome.story.append(Self.text(of: temp.path / "output")) } }

    var home = RunningLayby.Home(folder: temp.path, life: 1)
    try Folder.make(home.state)
    let first = try Life(home, music, death, &dice, &outcome.story)
    outcome.reachedStep = first.diedByItself
    let cut = worstCut ?? Cut.allCases.randomElement(using: &dice) ?? .promisesOnly
    var image = try Self.image(DiskImage(), first.log, cut, &dice)
    outcome.story.append("the cut: \(cut)")
    outcome.complaints += Self.halfFiles(first.log, in: image)

    // Every third time the power goes again while it starts.
    let cuts = seed % 3 == 0 ? 2 : 1
    var verdict = Verdict(before: first.known, underWay: first.underWay, cutAt: first.cutAt, seconds: seconds)
    for again in 1...cuts {
      home = RunningLayby.Home(folder: temp.path, life: 1 + again)
      try Folder.make(home.state)
      try image.write(to: home.state)
      let isLast = again == cuts
      let (log, lived) = try restart(
        home, image, isLast ? nil : .milliseconds(Int.random(in: 0...600, using: &dice)), verdict, first.mayHavePlayed,
        &outcome)
      if isLast { return }
      verdict.livedAgain += lived
      let next = Cut.allCases.randomElement(using: &dice) ?? .promisesOnly
      outcome.story.append("the second cut: \(next)")
      image = try Self.image(image, log, next, &dice)
    }
  }

  /// Starts on what the cut left. With a `limit` it is killed then, ready or not; otherwise it is looked at.
  private func restart(
    _ home: RunningLayby.Home, _ image: DiskImage, _ limit: Duration?, _ verdict: Verdict, _ mayBe: [Known],
    _ outcome: inout Outcome
  ) throws -> (log: DiskLog, lived: Duration) {
    var layby = try RunningLayby(home)
    if let limit {
      if layby.endsBefore(layby.began + limit) { outcome.complaints.append("it ended while it started") }
      _ = layby.kill()
      let lived = Moment.now - layby.began
      return (try layby.log(), lived)
    }
    try layby.waitUntilReady()
    var found = Known()
    found.take(list: try layby.ask(Request(verb: "queue")))
    found.take(status: try layby.ask(Request(verb: "status"))["status"])
    let lived = Moment.now - layby.began
    let began = Self.asItBegan(found, image)
    let goesOn = Verdict(
      before: began, underWay: nil, cutAt: began.at + lived, seconds: verdict.seconds, mostLost: 0.1)
    outcome.complaints += goesOn.complaints(about: found).map { "it goes on otherwise than it was saved: \($0)" }
    let complaints = ([verdict.before] + mayBe).map { known -> [String] in
      var verdict = verdict
      verdict.before = known
      return verdict.complaints(about: began)
    }
    if !complaints.contains(where: \.isEmpty) { outcome.complaints += complaints.joined() }

    let code = layby.stop()
    if code != 0 { outcome.complaints.append("stopped, it ended with \(code.map { "\($0)" } ?? "nothing, too late")") }
    for name in try Folder.names(in: home.state) where "\(name)".contains("damaged") {
      outcome.complaints.append("a database was damaged: \(name)")
    }
    for name in ["state.db", "library.db"] {
      let connection = try Connection(open: home.state / name, as: .writer(durability: .full))
      let verdict = try connection.first("PRAGMA integrity_check") { $0.text(0) }
      if verdict != "ok" { outcome.complaints.append("\(name): \(verdict ?? "no answer")") }
    }
    return (try layby.log(), lived)
  }

  /// What this life began with: the place is the one that was saved, for it may have played on since, also into the next
  /// entry or to the end of the queue.
  private static func asItBegan(_ found: Known, _ image: DiskImage) -> Known {
    var known = found
    known.position = 0
    guard let place = SavedPlace(in: image), let entry = (place.entry?.number).map({ Int64($0) }),
      found.queue.contains(where: { $0.id == entry })
    else { return known }
    known.current = entry
    known.position = Double(place.frame) / Double(place.rate)
    let isAtBeginning = found.current == found.queue.first?.id && found.position == 0
    if found.state == "stopped", isAtBeginning, known.position > 0 || entry != found.current { known.state = "playing" }
    return known
  }

  // MARK: The disk

  static func image(
    _ start: DiskImage, _ log: DiskLog, _ cut: Cut, _ dice: inout SeededGenerator
  ) throws -> DiskImage {
    var model = DiskModel(start)
    try model.perform(log)
    return model.image(cut, &dice)
  }

  /// A file that got its name by a rename was whole then, and is never shorter afterwards.
  static func halfFiles(_ log: DiskLog, in image: DiskImage) -> [String] {
    var (model, renamed) = (DiskModel(), RenamedFiles())
    for operation in log.operations {
      renamed.hear(operation, in: model)
      // What cannot be performed was told when the image was made.
      do { try model.perform(operation) } catch { return [] }
    }
    return renamed.halves(in: image)
  }

  private static func text(of file: FilePath) -> String {
    do { return String(decoding: try AtomicFile.read(file, limit: 1 << 24).suffix(8_000), as: UTF8.self) } catch {
      return "\(error)"
    }
  }
}

/// How long each file was when it got its name.
struct RenamedFiles {
  private var sizes: [String: Int] = [:]

  /// Before it is performed.
  mutating func hear(_ operation: DiskLog.Operation, in model: DiskModel) {
    if case .renamed(let from, let to) = operation, case .file(let index) = model.names[from] {
      sizes[to] = model.files[index].current.count
    }
  }

  func halves(in image: DiskImage) -> [String] {
    sizes.compactMap { name, size in
      guard let bytes = image[name], bytes.count < size else { return nil }
      return "\(name) has \(bytes.count) of its \(size) bytes: it was renamed before it was durable"
    }
  }
}
