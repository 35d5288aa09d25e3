import Kit
import Runtime
import Testing

@testable import Remote

@Suite("How far music that is kept offline is")
struct OfflineServiceTests {
  @Deck
  private final class Heard { var codes: [String] = [] }

  @Test("what keeps it from opening is what whoever asks is told, and whoever waits for it")
  func broken() async throws {
    let (health, heard, thrown) = await onDeck {
      let (service, heard) = (OfflineService(), Heard())
      service.standing = .opening
      service.changed = { standing in
        if case .broken(let fault) = standing { heard.codes.append(fault.code) }
      }
      var thrown: [String] = []
      for code in ["T-1", "T-2"] {
        do throws(Fault) {
          try await service.open { () async throws(Fault) in throw Fault(.passing, code, "the disk is not there") }
        } catch { thrown.append(error.code) }
      }
      return (await service.health(), heard.codes, thrown)
    }
    #expect(health["fault"]?["code"] == "T-2")
    #expect(heard == ["T-1", "T-2"] && thrown == ["T-1", "T-2"])
  }
}
