import Files
import Runtime

/// What one copy has in hand.
struct CopyRun {
  let wish: CopyWish
  /// What its growing file and its note are called by; nil for a plan.
  let number: Int?
  let sign: StopSign
  private let loop: EventLoop
  let told: @Sendable (CopyProgress) -> Void
  var progress: CopyProgress
  /// Which folder the source's root is, wherever its path leads by now.
  var place = ImportRun.FolderIdentity(device: 0, node: 0)
  var rule = TargetNames.Rule.any
  var lastTold: Moment
  /// Files that the device did not take, without one between them that it took.
  var refusedInARow = 0

  init(
    _ wish: CopyWish, _ number: Int?, to music: FilePath, _ sign: StopSign, on loop: EventLoop, began: Moment,
    told: @escaping @Sendable (CopyProgress) -> Void
  ) {
    self.wish = wish
    self.number = number
    self.sign = sign
    self.loop = loop
    self.told = told
    progress = CopyProgress(from: wish.from.root, to: music)
    lastTold = began
  }

  /// Somebody looks at the progress, but not more often.
  private static let toldEvery: Duration = .milliseconds(250)

  mutating func tell(at now: Moment) {
    guard now - lastTold >= Self.toldEvery else { return }
    lastTold = now
    told(progress)
  }

  /// A folder that cannot be looked at is not there.
  var isStillThere: Bool { (try? Importer.identity(of: wish.from.root)) == place }

  func checkStop() throws(Fault) {
    loop.getsOn()
    guard sign.isRaised else { return }
    throw Fault(.passing, Copier.stopped, "the copy of \(wish.from.root) was stopped")
  }
}
