import Glibc
import Runtime
import TestSupport
import Testing
import VirtualBoard

/// Where the image lies, and whether these tests are to run: they take minutes and an emulator.
enum Board {
  static let top = FilePath(String(#filePath.dropLast("/Tests/BoardTests/Board.swift".count)))

  static let image = {
    let build = variable("LAYBY_BUILD").map { FilePath($0) } ?? top / ".build"
    return BoardImage(at: build / "image/virtual", machine: top / "board/virtual/machine")
  }()

  static var isWanted: Bool { variable("LAYBY_BOARD") == "1" }
  static let whyNot: Comment = "LAYBY_BOARD=1 is not set"
  static var isLong: Bool { variable("LAYBY_LONG") == "1" }
  static let whyNotLong: Comment = "LAYBY_LONG=1 is not set"

  /// A program that the build made beside this test.
  static func program(_ name: String) -> FilePath { BuildProducts.folder / name }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Two guests at once, and not more: each keeps a processor busy, and sound must not wait.
  private static let places = 2
  private static let gate = Gate(places: places)

  /// Gives `body` a board of its own. Whatever goes wrong is told with the board's last words. `alone`: no other guest
  /// runs meanwhile, because every frame of its sound is looked at.
  static func with<Result: Sendable>(
    _ start: VirtualBoard.Start, logged: Bool = false, alone isAlone: Bool = false,
    _ body: (VirtualBoard) throws -> Result
  ) async throws -> Result {
    try await inTurn(alone: isAlone) { try run(start, logged: logged, body) }
  }

  /// For what starts an emulator. A missing image is a failure: whoever asked for these tests has not seen them pass.
  static func inTurn<Result: Sendable>(
    alone isAlone: Bool = false, _ body: () throws -> Result
  ) async throws -> Result {
    let missing = image.missing(withTools: true)
    guard missing.isEmpty else {
      throw Fault(
        .missing, "T-94",
        "LAYBY_BOARD=1 is set, but there is no \(missing.map(\.description).joined(separator: ", ")); "
          + "image/build virtual --tools makes it")
    }
    let places = isAlone ? Self.places : 1
    await gate.take(places)
    do {
      let result = try body()
      await gate.give(places)
      return result
    } catch {
      await gate.give(places)
      throw error
    }
  }

  private static func run<Result>(
    _ start: VirtualBoard.Start, logged: Bool, _ body: (VirtualBoard) throws -> Result
  ) throws -> Result {
    let board = try VirtualBoard(start, of: image, logged: logged)
    do {
      return try body(board)
    } catch let fault as Fault {
      throw Fault(
        fault.kind, fault.code, "\(fault.message)\nlayby's log: \(lastLog(board))\nconsole: \(board.consoleSays)")
    }
  }

  private static func lastLog(_ board: VirtualBoard) -> String {
    do {
      // An emulator makes many jobs long ones.
      let lines = try board.journalOfBoot(400).split(separator: "\n").filter { !$0.contains("\"a long job\"") }
      return lines.suffix(12).joined(separator: "\n")
    } catch { return "(the board does not answer)" }
  }
}

/// Places are given in the order in which they were asked for, so that who needs all of them gets them.
private actor Gate {
  private var free: Int
  private var waiting: [(count: Int, go: CheckedContinuation<Void, Never>)] = []

  init(places: Int) { free = places }

  func take(_ count: Int) async {
    await withCheckedContinuation { go in
      waiting.append((count, go))
      letIn()
    }
  }

  func give(_ count: Int) {
    free += count
    letIn()
  }

  private func letIn() {
    while let first = waiting.first, first.count <= free {
      free -= first.count
      waiting.removeFirst().go.resume()
    }
  }
}
