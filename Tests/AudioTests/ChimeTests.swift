import Runtime
import Testing

@testable import Audio

@Suite("The ready sound")
struct ChimeTests {
  private func frames(of chime: Chime, in portion: Int) throws -> [Int32] {
    var all: [Int32] = []
    let buffer = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * portion)
    defer { buffer.deallocate() }
    while case let count = try chime.read(into: buffer, count: portion), count > 0 {
      all += UnsafeBufferPointer(start: buffer, count: 2 * count)
    }
    return all
  }

  @Test("begins and ends in silence, is soft, and as long as it says")
  func shape() throws {
    let chime = Chime()
    let all = try frames(of: chime, in: 1_000)
    #expect(Int64(all.count) == 2 * (chime.length ?? 0))
    #expect(all.first == 0)
    #expect(abs(all.last ?? .max) < 32 << 16)
    let peak = all.map { $0.magnitude }.max() ?? 0
    #expect(peak > UInt32(Int32.max) / 20 && peak < UInt32(Int32.max) / 4)
    let leap = zip(all, all.dropFirst(2)).map { ($0 &- $1).magnitude }.max() ?? 0
    #expect(leap < UInt32(Int32.max) / 30, "no click: no sample is far from the one before")
  }

  @Test("is the same in whatever portions it is read, and from wherever")
  func portions() throws {
    let all = try frames(of: Chime(), in: 4_096)
    #expect(try frames(of: Chime(), in: 7) == all)
    let later = Chime()
    try later.seek(toFrame: 5_000)
    #expect(try frames(of: later, in: 333) == Array(all.dropFirst(10_000)))
    try later.seek(toFrame: .max)
    #expect(try frames(of: later, in: 333).isEmpty)
  }
}
