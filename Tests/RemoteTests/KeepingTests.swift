import Application
import Runtime
import TestSupport
import Testing

@testable import Remote

@Suite("How far music that is kept offline is")
struct KeepingTests {
  @Test("what keeps it from opening is what whoever asks is told, and whoever waits for it")
  func broken() async throws {
    let (health, heard, thrown) = await onMainLoop {
      let (keeping, changes) = (Keeping(), Mailbox<Keeping.Availability>())
      keeping.availability = .opening
      keeping.follow(changes)
      var thrown: [String] = []
      for code in ["T-1", "T-2"] {
        do throws(Fault) {
          try await keeping.open { () async throws(Fault) in throw Fault(.passing, code, "the disk is not there") }
        } catch { thrown.append(error.code) }
      }
      var heard: [String] = []
      while let availability = changes.tryReceive() {
        if case .broken(let fault) = availability { heard.append(fault.code) }
      }
      return (await KeepingVerbs(keeping: keeping).health(), heard, thrown)
    }
    #expect(health["fault"]?["code"] == "T-2")
    #expect(heard == ["T-1", "T-2"] && thrown == ["T-1", "T-2"])
  }
}
