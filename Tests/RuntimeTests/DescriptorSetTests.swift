import Glibc
import Runtime
import Testing

@Suite("Many descriptors are waited for as one")
struct DescriptorSetTests {
  private struct Ends {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    func close() {
      Glibc.close(reading)
      Glibc.close(writing)
    }
  }

  private func isReadable(_ number: Int32) -> Bool {
    var slot = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&slot, 1, 0) == 1
  }

  @Test("it is readable when something has happened to one of them, and says which and what")
  func happened() throws {
    let (one, two) = (try Ends(), try Ends())
    defer { for ends in [one, two] { ends.close() } }
    let set = try DescriptorSet()
    set.watch(one.reading, for: .reading)
    set.watch(two.reading, for: .reading)
    #expect(!isReadable(set.number) && set.happened().isEmpty)
    #expect(write(two.writing, "a", 1) == 1)
    #expect(isReadable(set.number))
    let told = set.happened()
    #expect(told.map(\.descriptor) == [two.reading] && told.map(\.what) == [.reading])
    // It is told again as long as it is so.
    #expect(set.happened().count == 1)
  }

  @Test("what is wanted of one can change, and it can be forgotten")
  func changes() throws {
    let ends = try Ends()
    defer { ends.close() }
    let set = try DescriptorSet()
    set.watch(ends.writing, for: .reading)
    #expect(set.happened().isEmpty)
    set.watch(ends.writing, for: [.reading, .writing])
    #expect(set.happened().map(\.what) == [.writing])
    set.forget(ends.writing)
    #expect(set.happened().isEmpty && !isReadable(set.number))
  }

  @Test("an end that is gone is told unasked")
  func gone() throws {
    let ends = try Ends()
    let set = try DescriptorSet()
    set.watch(ends.writing, for: [])
    close(ends.reading)
    #expect(set.happened().map(\.what) == [.failing])
    close(ends.writing)
  }
}
