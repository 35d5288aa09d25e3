import Runtime
import Services

/// All that the engine has in hand of one download. What is in here is gone with the power; the record and the files
/// are enough.
final class ActiveDownload {
  var download: Download
  /// As it was last stored: what a power cut would leave.
  var stored: DownloadRecord
  /// What has happened and was not listened to yet; bytes stand with the event that tells of them.
  var inbox: [(event: Download.Event, bytes: [UInt8])] = []
  var isBusy = false
  var part: PartFile?
  var transfer = Transfer()
  var waits = Waits()
  var listeners = Listeners()
  /// When something last happened to it.
  var lastNews = Moment(nanoseconds: 0)
  /// Nobody wants it any more: when it is cancelled, nothing is left of it here either.
  var isDropped = false
  /// The file is kept only until the quality that is wanted is complete.
  var standsIn = false

  /// Where it comes from.
  struct Transfer {
    var place: MediaPlace?
    var fetch: (ticket: Download.Ticket, running: any MediaFetch)?
  }

  /// What it waits for.
  struct Waits {
    /// Since when it waits for something of its own, and what the disk had left then.
    var since = Moment(nanoseconds: 0)
    var freeThen: Int64 = 0
    /// Since when nothing has come of it but trouble.
    var failingSince: Moment?
    /// Until when it lets time go by before it is tried again.
    var dueAt: Moment?
  }

  /// The streams that read the file while it is fetched.
  struct Listeners {
    /// By number; and those that wait for more of it.
    var streams: Set<Int> = []
    var readers = Waiters()
    /// Up to where the last of them has read, and how far fetching may go beyond that.
    var heardTo: Int64 = 0
    var ahead = RunAhead()
    /// See `StreamKeeping`.
    var cameAtCost = false
    /// The part that a stream asked for ahead of its turn, by seeking.
    var window: StreamWindow?
    var windowRestsUntil = Moment(nanoseconds: 0)
  }

  init(_ download: Download) {
    self.download = download
    stored = download.record
  }

  var key: MediaKey { download.key }
  /// What its files are called. Nil where no sum can be made: then it has no file, and a step that needs one fails.
  private(set) lazy var name: MediaFolder.Name? = try? MediaFolder.Name(of: download.key)
}

extension Trouble {
  /// What a disk says.
  init(_ fault: Fault, at step: DiskStep) { self = fault.kind == .full ? .noSpace : .disk(step) }

  /// What a source says.
  init(_ failure: MediaFailure) {
    self =
      switch failure.reason {
      case .page, .status(511): .portal
      case .network: failure.cause.map { Trouble(named: $0) } ?? .network(.unreachable)
      case .signIn: .signIn
      // Of the item itself it has not said anything.
      case _ where failure.isOfSource: .source
      case .notThere: .notThere
      case .status(let status): .httpStatus(status)
      case .malformed: .nonsense
      }
  }
}
