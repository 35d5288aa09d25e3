import DecoderProtocol
import Formats
import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Audio

/// A file of a terabyte without anything in it.
private final class SparseSource: ByteSource {
  let name = "a file with a hole"
  let length: Int64? = 1 << 40
  private(set) var position: Int64 = 0
  private(set) var bytesRead = 0
  /// Called after each read.
  var afterRead: () -> Void = {}

  func seek(to position: Int64) { self.position = position }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = Int(min(Int64(buffer.count), (1 << 40) - position))
    UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
    position += Int64(count)
    bytesRead += count
    afterRead()
    return count
  }
}

/// A decoder of foreign formats that searches a hole reads it through the player, which gives it so much and no more.
@Suite("Searching a damaged foreign file")
struct ForeignSearchTests {
  enum Order: CaseIterable, Sendable { case unwanted, mustStop, shouldStop }

  private func open(
    _ lie: String, _ source: SparseSource, _ help: ForeignHelp = ForeignHelp()
  ) throws -> ForeignDecoder {
    var help = help
    help.program = [NonsenseTests.program, lie]
    let opening = try ForeignDecoder.open(InterruptibleSource(source, help), with: help)
    guard case .decoder(let decoder) = opening else { throw Tool.Failed(description: "refused") }
    return decoder
  }

  @Test("ends at a bound, and so does its process", arguments: [("read-hole", 16), ("seek-hole", 256)])
  func givesUp(lie: String, megabytes: Int) throws {
    let source = SparseSource()
    let decoder = try open(lie, source)
    let fault = try faultOf {
      if lie == "seek-hole" { try decoder.seek(toFrame: 5_000) } else { _ = try decoder.readSome(1_000) }
    }
    #expect(fault.code == "A-211" && fault.kind == .damaged, "\(fault)")
    #expect(source.bytesRead <= megabytes << 20, "\(source.bytesRead)")
    // Nothing is asked of it any more.
    let read = source.bytesRead
    #expect(try faultOf { try decoder.readSome(10) }.code == "A-211")
    #expect(source.bytesRead == read)
  }

  @Test("ends with the next piece when something else is to be played", arguments: Order.allCases)
  func isInterrupted(order: Order) throws {
    let source = SparseSource()
    let isGivenUp = Flag()
    var readBefore = 0
    source.afterRead = {
      guard source.bytesRead > 600_000, !isGivenUp.isSet else { return }
      readBefore = source.bytesRead
      isGivenUp.isSet = true
    }
    var help = ForeignHelp()
    if order == .unwanted { help.isUnwanted = { isGivenUp.isSet } }
    if order == .mustStop { help.mustStop = { isGivenUp.isSet } }
    let decoder = try open("seek-hole", source, help)
    do throws(Fault) {
      let isThere = try decoder.seek(toFrame: 5_000) { order == .shouldStop && isGivenUp.isSet }
      #expect(!isThere)
    } catch { #expect(error.isGivingUp, "\(error)") }
    let after = source.bytesRead - readBefore
    #expect(readBefore > 0 && after < 2 * InterruptibleSource.step, "\(after) bytes were read")
    #expect(try faultOf { try decoder.readSome(10) }.isGivingUp)
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
