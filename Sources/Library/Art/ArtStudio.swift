import Pictures
import Runtime

/// Makes the picture of a music file: from what is stored, or else from the file, and stores it then. What cannot be
/// decoded is known as such for the run. Belongs to the worker's thread.
struct ArtStudio {
  private var finder = ArtFinder()
  private var disk: ArtDisk?
  private let decoding: ArtShelf.Decoding
  /// Lives as long as there is something to do, and a little longer.
  private var process: PictureProcess?
  private let limits: PictureLimits
  /// Which picture lies where, so that its bytes are not read only to find that out.
  private var identities: [ArtFinder.Location: ArtIdentity] = [:]
  private var broken: Set<ArtIdentity> = []
  private let log = Log("art")
  /// How often the decoders were asked, for tests.
  private(set) var decoded = 0

  private static let mostKnown = 4_096

  init(storing folder: FilePath?, budget: Int, limits: PictureLimits, decoding: ArtShelf.Decoding) {
    disk = folder.map { ArtDisk(in: $0, budget: budget) }
    self.decoding = decoding
    self.limits = limits
  }

  enum Outcome {
    case picture(Picture, ArtKey)
    case none
    case unwanted
  }

  /// `remembered` is the first tier.
  mutating func picture(
    of music: FilePath, as frame: PictureFrame, remembered: (ArtKey) -> Picture?, isWanted: () -> Bool
  ) -> Outcome {
    for place in finder.places(of: music) {
      guard isWanted() else { return .unwanted }
      do throws(Fault) {
        if let found = try picture(at: place, as: frame, remembered, isWanted) { return found }
      } catch {
        // Not the picture's fault, or told already: the next one may do.
        if error.code == "K-146" { return .unwanted }
        log.info("a picture is passed over", ["reason": error.message])
      }
    }
    return .none
  }

  private mutating func picture(
    at place: ArtFinder.Location, as frame: PictureFrame, _ remembered: (ArtKey) -> Picture?, _ isWanted: () -> Bool
  ) throws(Fault) -> Outcome? {
    var bytes: [UInt8]?
    if identities[place] == nil {
      let loaded = try finder.load(place)
      if identities.count >= Self.mostKnown { identities = [:] }
      identities[place] = ArtIdentity(of: loaded)
      bytes = loaded
    }
    guard let identity = identities[place], !broken.contains(identity) else { return nil }
    let key = ArtKey(identity: identity, frame: frame)
    if let picture = remembered(key) ?? disk?.picture(key) { return .picture(picture, key) }
    do throws(Fault) {
      let source: [UInt8]
      if let bytes { source = bytes } else { source = try finder.load(place) }
      decoded += 1
      let picture = try decode(source, named: place.name, as: frame, isWanted)
      disk?.keep(picture, as: key)
      return .picture(picture, key)
    } catch {
      if [.malformed, .unsupported].contains(error.kind) {
        if broken.count >= Self.mostKnown { broken = [] }
        broken.insert(identity)
      }
      throw error
    }
  }

  private mutating func decode(
    _ bytes: [UInt8], named name: String, as frame: PictureFrame, _ isWanted: () -> Bool
  ) throws(Fault) -> Picture {
    switch decoding {
    case .here: return try Picture.decode(bytes, named: name, as: frame, limits: limits, isWanted: isWanted)
    case .process(let words):
      let process = process ?? PictureProcess(words)
      self.process = process
      return try process.decode(bytes, named: name, as: frame, limits: limits, isWanted: isWanted)
    }
  }

  /// Something is held that costs memory, in case there is more to do soon.
  var isReady: Bool { process != nil }

  mutating func rest() { process = nil }
}
