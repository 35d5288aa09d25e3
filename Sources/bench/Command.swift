import Glibc
import Runtime

/// The options of the command line of `bench`. The exit codes are those of sysexits.h: a result that is slower than its
/// goal only says so in the table, and `bench` still exits with 0; a result that is wrong makes it exit with 70.
struct BenchOptions: Equatable {
  var names: [String] = []
  var list = false
  var json = false
  /// The player to measure. Nil: the one in the folder of this program.
  var layby: String?
  var seconds = 60
  /// How often each contender is run. Nil: each bench has its own number.
  var rounds: Int?
  /// A second size of library for `search` and `browse`; how many files the benches of importing make.
  var tracks: Int?
  /// The file for a picture of the ratios.
  var chart: String?
  /// A file with tables that were printed earlier: the picture is drawn from them, and nothing is measured.
  var tables: String?

  static let all = about.map { $0.name }

  static let about = [
    (name: StartBench.name, words: StartBench.about), (name: FrameBench.name, words: FrameBench.about),
    (name: CrashBench.name, words: CrashBench.about), (name: PlayBench.name, words: PlayBench.about),
    (name: DecodeBench.name, words: DecodeBench.about), (name: EffectsBench.name, words: EffectsBench.about),
    (name: GaplessBench.name, words: GaplessBench.about), (name: LatencyBench.name, words: LatencyBench.about),
    (name: LibraryBench.search, words: LibraryBench.searchAbout),
    (name: LibraryBench.browse, words: LibraryBench.browseAbout),
    (name: ImportBench.first, words: ImportBench.firstAbout), (name: ImportBench.again, words: ImportBench.againAbout),
    (name: MemoryBench.name, words: MemoryBench.about), (name: DownloadBench.name, words: DownloadBench.about),
    (name: StreamBench.name, words: StreamBench.about), (name: PlannerBench.name, words: PlannerBench.about),
    (name: PanelBench.name, words: PanelBench.about), (name: InputBench.name, words: InputBench.about),
    (name: CoverBench.name, words: CoverBench.about), (name: HandoverBench.name, words: HandoverBench.about),
    (name: StoredBench.name, words: StoredBench.about), (name: RunsBench.name, words: RunsBench.about),
    (name: SealBench.name, words: SealBench.about), (name: LicenceBench.name, words: LicenceBench.about),
    (name: DepotBench.name, words: DepotBench.about),
  ]

  static let help = """
    bench NAME... [--json] [--chart FILE] [--layby PROGRAM] [--seconds N] [--rounds N] [--tracks N]
    bench --chart FILE --from TABLES
    bench --list

      --json           one JSON object instead of the table
      --layby PROGRAM  the player to measure; the one beside this program unless given
      --seconds N      how long `play` looks at each player, 60 unless given
      --rounds N       how often the others run each contender; 15 unless given, 31 for `latency`, 300 detents
                       for `input`, 5 for `handover` and for what of `download` goes over a line, 10,000
                       for `runs`
      --tracks N       another size of library for `search` and `browse`, which look at 100,000; how many files
                       `import`, `stored` (20,000), `rescan` (50,000) and `memory` (100,000) make
      --chart FILE     also draws the ratios to peers as a picture (SVG)
      --from TABLES    draws it from the tables in this file, which bench printed earlier, and measures nothing
    """

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--list": list = true
      case "--json": json = true
      case "--chart":
        guard let file = rest.popFirst() else { throw Fault(.malformed, "B-107", "--chart needs a file") }
        chart = file
      case "--from":
        guard let file = rest.popFirst() else { throw Fault(.malformed, "B-108", "--from needs a file") }
        tables = file
      case "--layby":
        guard let program = rest.popFirst() else { throw Fault(.malformed, "B-101", "--layby needs a program") }
        layby = program
      case "--seconds": seconds = try Self.number(rest.popFirst(), for: word, 1...150)
      case "--tracks": tracks = try Self.number(rest.popFirst(), for: word, 1_000...2_000_000)
      case "--rounds": rounds = try Self.number(rest.popFirst(), for: word, 1...100_000)
      default:
        guard Self.all.contains(word) else {
          throw Fault(
            .malformed, "B-102", "there is no bench \"\(word)\"; there are \(Self.all.joined(separator: ", "))")
        }
        names.append(word)
      }
    }
    guard tables == nil || chart != nil && names.isEmpty else {
      throw Fault(.malformed, "B-109", "--from goes with --chart, and with no bench")
    }
    guard list || tables != nil || !names.isEmpty else {
      throw Fault(.malformed, "B-103", "which bench?\n\(Self.help)")
    }
  }

  private static func number(_ text: String?, for word: String, _ range: ClosedRange<Int>) throws(Fault) -> Int {
    guard let number = text.flatMap({ Int($0) }), range.contains(number) else {
      throw Fault(.malformed, "B-104", "\(word) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

func runBench(_ arguments: [String]) -> Int32 {
  if arguments.first == InputRig.word { return InputRig.run(Array(arguments.dropFirst())) }
  if arguments.first == EngineProcess.word { return EngineProcess.run(Array(arguments.dropFirst())) }
  do throws(Fault) {
    let options = try BenchOptions(arguments)
    if options.list {
      for (name, words) in BenchOptions.about { print("\(name)\t\(words)") }
      return EX_OK
    }
    if let chart = options.chart, let tables = options.tables {
      let text = String(decoding: try AtomicFile.read(FilePath(tables), limit: 1_000_000), as: UTF8.self)
      try draw(Comparison.printed(in: text), note: "The tables: \(tables)", into: chart)
      return EX_OK
    }
    Patience.endsWithSignals()
    let machine = Machine.now
    let rows = try measure(options)
    if let chart = options.chart { try draw(rows.compactMap { Comparison($0) }, note: machine.words, into: chart) }
    if options.json {
      print(Table.json(rows, on: machine))
    } else {
      print(Table.text(rows))
      print(machine.words)
    }
    return rows.contains(where: \.isWrong) ? EX_SOFTWARE : EX_OK
  } catch {
    Patience.tell("\(error)")
    return error.kind == .malformed ? EX_USAGE : EX_UNAVAILABLE
  }
}

private func draw(_ rows: [Comparison], note: String, into file: String) throws(Fault) {
  try AtomicFile.replace(FilePath(file), with: Array(Chart(rows, note: note).svg.utf8), mode: 0o644)
}

private func measure(_ options: BenchOptions) throws(Fault) -> [Row] {
  let layby = try player(options)
  let rounds = options.rounds ?? 15
  var rows: [Row] = []
  for name in options.names {
    let scratch = try Scratch()
    switch name {
    case StartBench.name: rows += try StartBench(layby: layby, scratch: scratch, rounds: rounds).run()
    case FrameBench.name: rows += try FrameBench(layby: layby, scratch: scratch, rounds: rounds).run()
    case CrashBench.name: rows += try CrashBench(layby: layby, scratch: scratch, rounds: rounds).run()
    case PlayBench.name: rows += try PlayBench(layby: layby, scratch: scratch, length: .seconds(options.seconds)).run()
    case CoverBench.name: rows += try CoverBench(layby: layby, scratch: scratch, rounds: rounds).run()
    case EffectsBench.name: rows += try EffectsBench(rounds: rounds).run()
    case LibraryBench.search, LibraryBench.browse:
      rows += try LibraryBench(name: name, scratch: scratch, tracks: options.tracks, rounds: options.rounds ?? 3).run()
    case ImportBench.first, ImportBench.again:
      rows += try ImportBench(
        name: name, layby: layby, scratch: scratch, tracks: options.tracks, rounds: options.rounds ?? 3
      ).run()
    case MemoryBench.name:
      rows += try MemoryBench(layby: layby, scratch: scratch, tracks: options.tracks).run()
    case LatencyBench.name:
      rows += try LatencyBench(layby: layby, scratch: scratch, rounds: options.rounds ?? 31).run()
    case DownloadBench.name: rows += try DownloadBench(scratch: scratch, rounds: options.rounds).run()
    case StreamBench.name: rows += try StreamBench(scratch: scratch, rounds: rounds).run()
    case PlannerBench.name: rows += try PlannerBench(rounds: rounds).run()
    case InputBench.name: rows += try InputBench(scratch: scratch, rounds: options.rounds ?? 300).run()
    case PanelBench.name: rows += try PanelBench(rounds: rounds).run()
    case HandoverBench.name:
      rows += try HandoverBench(layby: layby, scratch: scratch, rounds: options.rounds ?? 5).run()
    case StoredBench.name: rows += try StoredBench(layby: layby, scratch: scratch, tracks: options.tracks).run()
    case RunsBench.name:
      rows += try RunsBench(layby: layby, scratch: scratch, rounds: options.rounds ?? 10_000).run()
    case SealBench.name: rows += try SealBench(scratch: scratch, rounds: rounds).run()
    case DepotBench.name: rows += try DepotBench(layby: layby, scratch: scratch, rounds: options.rounds ?? 3).run()
    case LicenceBench.name: rows += try LicenceBench(scratch: scratch, rounds: rounds).run()
    case GaplessBench.name: rows += try GaplessBench(layby: layby, scratch: scratch).run()
    default: rows += try DecodeBench(layby: layby, scratch: scratch, rounds: rounds).run()
    }
  }
  return rows
}

private func player(_ options: BenchOptions) throws(Fault) -> String {
  let layby: String
  if let given = options.layby { layby = given } else { layby = "\(try programFolder() / "layby")" }
  // These benches need no player: they measure code that is linked into this program.
  let withoutPlayer: Set = [
    DownloadBench.name, StreamBench.name, PlannerBench.name, EffectsBench.name, PanelBench.name, InputBench.name,
  ]
  guard access(layby, X_OK) == 0 || withoutPlayer.isSuperset(of: options.names) else {
    throw Fault.system("B-105", doing: "run \(layby)")
  }
  return layby
}

/// The folder of this program's own file.
func programFolder() throws(Fault) -> FilePath {
  var space = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink("/proc/self/exe", &space, space.count)
  let own = FilePath(bytes: space.prefix(max(count, 0)).map { UInt8(bitPattern: $0) })
  guard let own else { throw Fault.system("B-106", doing: "find out where this program lies") }
  return own.folder
}
