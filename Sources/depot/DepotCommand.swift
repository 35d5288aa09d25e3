import Glibc
import Runtime

/// `depot VERB ...`. What it does is done when it returns.
struct DepotCommand {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  private static let help = """
    depot new DEPOT                    make a depot: a folder with keys of its own
    depot root DEPOT                   print its root key, for a line trust in layby.conf
    depot import DEPOT FOLDER          seal the music of a folder in which layby index has written an index
    depot licence DEPOT DEVICE [--days N | --for-good] [--from YYYY-MM-DD] [--subscription]
                  [--play-days N] [--streaming]
                                       give a device licences for all that is in it; DEVICE is the file
                                       that layby rights device prints. 30 days from now unless said
    depot revoke DEPOT WHAT... --why TEXT
                                       take back devices, albums or tracks; --undo gives them again

    depot serve DEPOT [--port N] [--name TEXT] [--listen ADDRESS] [--url https://...] [--behind-proxy]
                [--days N | --for-good] [--rate N] [--needs-integrity]
                                       answer devices, at 127.0.0.1 and port 8090 unless said
    depot account DEPOT add NAME [--password-from FILE|-]    (FILE's first line; else it makes one)
    depot account DEPOT password NAME [--password-from FILE|-] | remove NAME | list
    depot account DEPOT quality NAME low|normal|high|very_high|all    (the best that its licences are for)
    depot subscription DEPOT ACCOUNT active | lapsed [--grace-days N] | cancelled | free | none
    depot list DEPOT ACCOUNT NAME --every day|week [--tracks N] | PATH... | --remove
    depot flag DEPOT NAME on | off [--share PERCENT] | remove
    depot --demo [--state DIR] [--port N]
                                       a depot with a short album, an account and lists, that answers
    What a web server gives out is DEPOT/public. DEPOT/secret is for nobody else.
    """

  func run() -> Int32 {
    do throws(Fault) {
      switch (words.first, words.count) {
      case ("new", 2): print(try Depot.make(at: FilePath(words[1])).root)
      case ("root", 2): print(try Depot(at: FilePath(words[1])).root)
      case ("import", 3):
        var depot = try Depot(at: FilePath(words[1]))
        let made = try depot.take(FilePath(words[2]), told: Self.tell)
        print("\(made.sealed) files sealed, \(made.known) were there already")
      case ("licence", 3...):
        var depot = try Depot(at: FilePath(words[1]))
        let made = try depot.license(FilePath(words[2]), try LicenceTerms(Array(words.dropFirst(3))))
        print("\(made.count) licences: \(made.file)")
      case ("serve", 2...):
        try ServeCommand.run(FilePath(words[1]), try ServeSettings(Array(words.dropFirst(2))))
      case ("account", 3...): try tell { command throws(Fault) in try command.account(rest) }
      case ("subscription", 3...): try tell { command throws(Fault) in try command.subscription(rest) }
      case ("list", 3...): try tell { command throws(Fault) in try command.list(rest) }
      case ("flag", 3...): try tell { command throws(Fault) in try command.flag(rest) }
      case ("revoke", 3...): try tell { command throws(Fault) in try command.revoke(rest) }
      case ("--demo", _): try DemoCommand(Array(words.dropFirst())).run()
      case (nil, _), ("help", _), ("--help", _): print(Self.help)
      default: throw Fault(.malformed, "D-101", "that is nothing a depot does\n\(Self.help)")
      }
      return EX_OK
    } catch {
      Self.complain(error)
      return error.kind == .malformed ? EX_USAGE : EX_SOFTWARE
    }
  }

  /// Behind the verb and the depot.
  private var rest: [String] { Array(words.dropFirst(2)) }

  private func tell(_ body: (AccountCommand) throws(Fault) -> String) throws(Fault) {
    let said = try body(try AccountCommand(FilePath(words[1])))
    if !said.isEmpty { print(said) }
  }

  private static func complain(_ fault: Fault) { say("depot: \(fault.message)\n") }

  /// To whoever looks on.
  private static func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  /// A line that is written over.
  private static func tell(_ done: Int, of all: Int) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    say(done == all ? "\r\u{1B}[K" : "\r\u{1B}[K\(done) of \(all)")
  }
}
