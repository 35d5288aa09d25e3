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
    depot licence DEPOT DEVICE [--days N | --for-good] [--from YYYY-MM-DD]
                                       give a device licences for all that is in it; DEVICE is the file
                                       that layby rights device prints. 30 days from now unless said
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
      case (nil, _), ("help", _), ("--help", _): print(Self.help)
      default: throw Fault(.malformed, "D-101", "that is nothing a depot does\n\(Self.help)")
      }
      return EX_OK
    } catch {
      Self.complain(error)
      return error.kind == .malformed ? EX_USAGE : EX_SOFTWARE
    }
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

/// From when to when licences hold.
struct LicenceTerms {
  let from: Int64
  let until: Int64?

  private static let day: Int64 = 86_400

  init(_ words: [String], now: Int64 = Int64(time(nil))) throws(Fault) {
    var (from, days, rest) = (now, Int64?.some(30), words[...])
    while let word = rest.popFirst() {
      switch word {
      case "--for-good": days = nil
      case "--days":
        guard let count = rest.popFirst().flatMap({ Int64($0) }), (1...36_500).contains(count) else {
          throw Fault(.malformed, "D-102", "--days needs a number from 1 to 36500")
        }
        days = count
      case "--from":
        guard let seconds = rest.popFirst().flatMap(Self.seconds) else {
          throw Fault(.malformed, "D-103", "--from needs a day, such as 2026-11-28")
        }
        from = seconds
      default: throw Fault(.malformed, "D-104", "\(shownBriefly(word)) is nothing that can be said of licences")
      }
    }
    (self.from, until) = (from, days.map { from + $0 * Self.day })
  }

  private static func seconds(of day: String) -> Int64? {
    let parts = day.split(separator: "-").compactMap { Int32($0) }
    guard parts.count == 3, (1_970...9_999).contains(parts[0]), (1...12).contains(parts[1]), (1...31).contains(parts[2])
    else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (parts[0] - 1_900, parts[1] - 1, parts[2])
    return Int64(timegm(&date))
  }
}
