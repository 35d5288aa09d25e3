import Glibc
import Runtime

/// The board's knob and buttons on GPIO lines: makes of their edges what a person did, and delivers it in the order of
/// the kernel's timestamps. It lives on the main loop; the source may take edges from the kernel on a thread of its
/// own, as `EagerLines` does, and the main loop fetches them from there.
///
/// Lines that cannot be opened are reported once, and tried again after growing pauses or as soon as a chip appears. The
/// other lines work meanwhile. When a chip is unplugged, that is reported, and it is opened again when it is back. None of
/// this ends the part.
@MainLoop
package final class LinesPart: Part {
  nonisolated package let name = "lines"
  private(set) var plan: LinePlan
  let source: any LineSource
  let tell: @MainLoop (Fault) -> Void
  private let deliver: @MainLoop (Input, Moment) -> Void
  private let folder: FilePath
  let log = Log("lines")

  var opened: [Request] = []
  /// Groups of wires (see `LinePlan.groups`) that are not open, and the fault that was told of each.
  var missing: [[Int]]
  var told: [[Int]: Fault] = [:]
  var inputs: LineInputs
  /// As the board's file has it.
  let boardsKnob: KnobForm
  /// Called with the form that a calibration has found, so that it is kept, and with nil when it is to be forgotten.
  package var knobHasChanged: (@MainLoop (KnobForm?) -> Void)?
  var calibrating: Calibrating?
  var bell: Bell?
  private var pause = LinesPart.firstPause
  private var nextTry: Moment?
  private var nextLook: Moment?

  /// The caller that asked for the calibration, and the progress that it was told last.
  struct Calibrating {
    let progress: @MainLoop (KnobCalibration.Progress) -> Void
    let done: @MainLoop (Result<KnobForm, Fault>) -> Void
    var told: KnobCalibration.Progress?
  }

  /// Lines that were asked for together.
  struct Request {
    let lines: any OpenedLines
    let chip: FilePath
    let groups: [[Int]]
    /// By the order of the wish.
    let wires: [Int]
    let wireAt: [Int: Int]
  }

  nonisolated package static let firstPause: Duration = .seconds(1)
  nonisolated package static let longestPause: Duration = .seconds(30)
  /// A chip's lines can be opened only a moment after its name has appeared.
  nonisolated static let settling: Duration = .milliseconds(100)
  /// The kernel may report an edge this much later than the level that it led to.
  nonisolated package static let secondLook: Duration = .milliseconds(5)

  /// `folder` is where chips appear. `boardsKnob` is the knob's form by the board's file, if the plan has one that a
  /// calibration found.
  package init(
    plan: LinePlan, boardsKnob: KnobForm? = nil, from source: any LineSource = KernelLines(),
    folder: FilePath = FilePath("/dev"),
    tell: @escaping @MainLoop (Fault) -> Void, deliver: @escaping @MainLoop (Input, Moment) -> Void
  ) {
    self.plan = plan
    self.boardsKnob = boardsKnob ?? plan.knob
    self.source = source
    self.folder = folder
    self.tell = tell
    self.deliver = deliver
    missing = plan.groups
    inputs = LineInputs(plan)
  }

  package func run() async throws(Fault) {
    let group = try DescriptorGroup(code: "H-211")
    let watch = try FolderWatch(folder, code: "H-212")
    let bell = try Bell()
    try group.add(watch.number, code: "H-212")
    try group.add(bell.number, code: "H-211")
    self.bell = bell
    defer {
      MainLoop.loop.forget(group.number)
      self.bell = nil
      opened = []
      missing = plan.groups
      inputs = LineInputs(plan)
      endCalibration(.failure(Self.unread))
    }
    tryMissing(group)
    while !Task.isCancelled {
      let moments = [inputs.due, nextTry, nextLook].compactMap { $0 }
      let limit = moments.min().map { max($0 - MainLoop.loop.now, .zero) }
      _ = await MainLoop.loop.readable(group.number, within: limit)
      if Task.isCancelled { return }
      bell.hush()
      if watch.changed("gpiochip") { folderChanged(group) }
      // Not by the time after reading: a contact may have bounced between the two.
      let until = read(group)
      give(inputs.settle(by: until))
      if let moment = nextLook, moment <= until { compareLevels(group, isSecond: true, at: until) }
      if let moment = nextTry, moment <= MainLoop.loop.now { tryMissing(group) }
      tellCalibration()
    }
  }

  /// Decodes the knob by this form from now on.
  package func shape(_ form: KnobForm) {
    plan.knob = form
    inputs.shape(form)
  }

  private func give(_ all: [TimedInput]) {
    for input in all { deliver(input.input, input.at) }
  }

  // MARK: Opening

  private func tryMissing(_ group: borrowing DescriptorGroup) {
    nextTry = nil
    openMissing(group)
    guard !missing.isEmpty else { return pause = Self.firstPause }
    nextTry = MainLoop.loop.now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  /// A chip came or went. Lines of one that went tell nothing by themselves, so they are asked.
  private func folderChanged(_ group: borrowing DescriptorGroup) {
    for request in opened {
      do throws(Fault) { _ = try request.lines.levels() } catch { lose(request, error, group) }
    }
    guard !missing.isEmpty else { return }
    pause = Self.firstPause
    nextTry = MainLoop.loop.now + Self.settling
  }

  private func lose(_ request: Request, _ fault: Fault, _ group: borrowing DescriptorGroup) {
    for descriptor in request.lines.descriptors { group.remove(descriptor) }
    opened.removeAll { $0.lines === request.lines }
    give(inputs.end(request.wires, at: MainLoop.loop.now))
    missing += request.groups
    if !Set(request.wires).isDisjoint(with: plan.knobWires) { endCalibration(.failure(Self.unread)) }
    let list = request.wires.map { plan.wires[$0].name.description }.joined(separator: ", ")
    tell(Fault(.missing, "H-210", "lines \(list) of \(request.chip) are gone (\(fault.message)); they are looked for"))
    pause = Self.firstPause
    nextTry = MainLoop.loop.now + Self.settling
  }

  // MARK: Reading

  /// Takes the edges that have come. Returns the moment up to which no edge is missing.
  private func read(_ group: borrowing DescriptorGroup) -> Moment {
    var until = MainLoop.loop.now
    var edges: [(wire: Int, edge: LineEdge)] = []
    var isWhole = true
    for request in opened {
      do throws(Fault) {
        let (found, all, end) = try request.lines.edges()
        edges += found.compactMap { edge in request.wireAt[edge.offset].map { ($0, edge) } }
        if !all { isWhole = false }
        until = min(until, end)
      } catch { lose(request, error, group) }
    }
    guard !edges.isEmpty || !isWhole else { return until }
    give(inputs.take(edges, isWhole: isWhole))
    if inputs.mustLook || inputs.looksAlways || opened.contains(where: { !$0.lines.countsAndDebounces }) {
      compareLevels(group, isSecond: false, at: until)
    }
    return until
  }

  /// Compares the levels with what the edges led to. A difference counts only when it is still there a moment later
  /// and no edge came: edges that are on their way are no loss.
  private func compareLevels(_ group: borrowing DescriptorGroup, isSecond: Bool, at moment: Moment) {
    nextLook = nil
    var levels: [Int: Bool] = [:]
    for request in opened {
      do throws(Fault) {
        for (wire, level) in zip(request.wires, try request.lines.levels()) { levels[wire] = level }
      } catch { lose(request, error, group) }
    }
    let agrees = inputs.compare(with: levels)
    guard isSecond || !agrees || inputs.mustLook else { return }
    guard isSecond else { return nextLook = MainLoop.loop.now + Self.secondLook }
    if !agrees { log.info("edges were missed; the levels count") }
    give(inputs.see(levels, at: moment))
  }
}
