import Runtime
import Testing

@testable import Offline

@Suite("Names of what is fetched")
struct NamingTests {
  @Test(
    "four minutes are as long as people are told, a twentieth added",
    arguments: [
      (Quality.low, 720_000 as Int64), (.normal, 2_880_000), (.high, 4_800_000), (.veryHigh, 9_600_000),
      (.lossless, 30_000_000),
    ])
  func estimates(quality: Quality, bytes: Int64) {
    #expect(quality.estimate(of: .seconds(240)) == bytes * 105 / 100)
  }

  @Test("a length that nobody knows, or that makes no sense, is no reason to end the program")
  func lengths() {
    #expect(Quality.lossless.estimate(of: .zero) == 0)
    #expect(Quality.lossless.estimate(of: .seconds(-5)) == 0)
    #expect(Quality.lossless.estimate(of: .seconds(Int64.max)) > 0)
  }

  @Test("qualities are ordered as they sound")
  func order() { #expect(Quality.allCases.sorted() == [.low, .normal, .high, .veryHigh, .lossless]) }

  @Test("every wait has a code of its own and plain words")
  func waits() {
    #expect(Set(WaitReason.allCases.map(\.code)).count == WaitReason.allCases.count)
    #expect(Set(WaitReason.allCases.map(\.words)).count == WaitReason.allCases.count)
  }

  @Test("a wait is known by its code, and what waits for a person is not what passes by itself")
  func owners() {
    for reason in WaitReason.allCases { #expect(WaitReason(code: reason.code) == reason) }
    #expect(WaitReason(code: "O-999") == nil)
    let persons: Set<WaitReason> = [.space, .limit, .signIn, .untrusted, .portal, .otherDisk, .owner]
    #expect(Set(WaitReason.allCases.filter(\.isOwners)) == persons)
    #expect(WaitReason.allCases.filter(\.isTrouble) == [.server, .source, .disk])
  }

  static let troubles: [Trouble] =
    Trouble.Network.allCases.map { .network($0) } + Trouble.TLS.allCases.map { .tls($0) }
    + Trouble.Redirect.allCases.map { .redirect($0) } + Trouble.DiskStep.allCases.map { .disk($0) }
    + [
      .stalled, .clockWrong, .portal, .httpStatus(404), .httpStatus(503), .nonsense, .notMusic, .encoded, .tooLarge,
      .wrongRange, .wrongLength, .changed, .wrongHash, .noSpace, .notThere, .denied, .signIn, .lost, .unknown,
      .source, .page,
    ]

  @Test("every trouble has a name that brings it back, a code of its own, and plain words")
  func troubles() {
    for trouble in Self.troubles { #expect(Trouble(named: trouble.name) == trouble) }
    #expect(Set(Self.troubles.map(\.code)).count == Self.troubles.count)
    #expect(Set(Self.troubles.map(\.words)).count == Self.troubles.count)
  }

  @Test(
    "what another version has stored is an unknown trouble",
    arguments: ["", "http", "http.x", "network.gone", "disk.", ".reset", "weather"])
  func strange(name: String) { #expect(Trouble(named: name) == .unknown) }

  @Test("states are stored by names that bring them back")
  func states() {
    for state in DownloadRecord.State.all { #expect(DownloadRecord.State(named: state.name) == state) }
    #expect(DownloadRecord.State(named: "downloading") == nil)
  }

  @Test("an item's address is read back as the item, whatever it is called, and a file is none")
  func addresses() {
    for name in ["far/1.mp3", "1", "a//b", "über/Ölung 1.flac", "a:b"] {
      let item = ItemKey(source: "kiosk", item: name)
      #expect(ItemKey(address: item.address) == item)
      #expect(!item.address.isAbsolute)
    }
    for text in ["/source:kiosk/1", "source:", "source:kiosk", "source:kiosk/", "source:/1", "kiosk/1", "source"] {
      #expect(ItemKey(address: FilePath(text)) == nil, "\(text)")
    }
    #expect(FilePath(bytes: Array("source:a/".utf8) + [0xFF]).flatMap { ItemKey(address: $0) } == nil)
  }
}
