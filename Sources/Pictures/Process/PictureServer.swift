import DecoderProtocol
import Glibc
import Runtime

/// What the process does that decodes the player's pictures: it shuts itself in before it sees the first foreign byte,
/// and then answers until the player hangs up.
///
/// It is the player's own program, started with another word: its code is in memory already, it is there on every
/// board, and never of another version. Of what the player knows it has nothing, since it begins anew.
package enum PictureServer {
  /// The word, behind the program's name.
  package static let verb = "decode-pictures"
  /// Where the player's socket arrives.
  private static let socket: Int32 = 3

  /// `--try WHAT` proves that it is shut in: it must die of WHAT (open, socket, exec, fork, kill, execmem).
  package static func run(_ arguments: [String]) -> Int32 {
    warmUp()
    let refused = Sandbox.enter()
    if arguments.count == 2, arguments[0] == "--try" {
      if refused != 0 { return EX_UNAVAILABLE }
      Sandbox.attempt(arguments[1])
      return 1
    }
    // Nothing is decoded outside, and the player says so.
    guard refused == 0 else { return EX_UNAVAILABLE }
    serve(socket)
    return EX_OK
  }

  /// What the libraries look up once (which processor this is) is looked up while that is still allowed: with pictures of
  /// 2 x 2 pixels of our own.
  private static func warmUp() {
    for text in [tinyJPEG, tinyPNG, tinyWebP] {
      let digits = Array(text.utf8)
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { at in
        UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16)
      }
      _ = try? Picture.decode(bytes, named: "", as: .square(1))  // only what it looks up matters
    }
  }

  static func serve(_ socket: Int32) {
    let envelope = Envelope()
    while envelope.receive(from: socket) {
      guard let request = PictureRequest(envelope), let bytes = receive(request.byteCount, envelope, socket) else {
        return
      }
      let picture: Picture
      do throws(Fault) {
        picture = try Picture.decode(bytes, named: request.name, as: request.frame, limits: request.limits)
      } catch {
        PictureReply.fault(error).write(to: envelope)
        guard envelope.send(to: socket) else { return }
        continue
      }
      PictureReply.size(picture.size).write(to: envelope)
      guard envelope.send(to: socket), send(picture, envelope, socket) else { return }
    }
  }

  private static func receive(_ count: Int, _ envelope: Envelope, _ socket: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard envelope.receive(from: socket), envelope.head.kind == PictureRequest.bytesKind,
        !envelope.content.isEmpty, envelope.content.count <= count - bytes.count
      else { return nil }
      bytes += envelope.content
    }
    return bytes
  }

  private static func send(_ picture: Picture, _ envelope: Envelope, _ socket: Int32) -> Bool {
    picture.pixels.withUnsafeBytes { pixels in
      var sent = 0
      while sent < pixels.count {
        let count = min(pixels.count - sent, Envelope.most)
        envelope.space.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[sent..<sent + count]))
        envelope.close(.init(kind: PictureReply.pixelsKind), size: count)
        guard envelope.send(to: socket) else { return false }
        sent += count
      }
      return true
    }
  }

  private static let tinyJPEG = """
    FFD8FFFE00104C61766335392E33372E31303000FFDB00430008040404040405050505050506060606060606060606060606\
    07070708080807070706060707080808080909090808080809090A0A0A0C0C0B0B0E0E0E111114FFC4006600010100000000\
    0000000000000000000004070101010000000000000000000000000000040310000202020203010000000000000000000203\
    050104070600B57637211100020202010305010000000000000000030204010500062112113375B172B436FFC00011080002\
    000203011200021200031200FFDA000C03010002110311003F00AC6B78183C9D77C39EF8B8E735BC76118D6B3131CD8C338F\
    41119992EC8888AEEC8AEEEEEFF6FABD63F35E15EB305E3B1FB4E51C7B002E4D9B18F138C444C9CF5445871D55556492A956\
    A87E2AAABA55574AD672CFEA73DEEB90FD44D1930B879EED2E5E3604A9325ACF2241E280C7398B7DE4294A44672108F76CEE\
    D76CCD77777E7520F405F44F8ADFFFD9
    """
  private static let tinyPNG = """
    89504E470D0A1A0A0000000D4948445200000002000000020802000000FDD49A730000000970485973000000000000000100\
    847917730000001249444154789C63F8CFC0C000C20CFF8100001FEE05FB0BD9688B0000000049454E44AE426082
    """
  private static let tinyWebP = """
    524946463800000057454250565038202C0000009001009D012A0200020002003425A40002E74F8CC000FEF293ED6769B1FF\
    86BFFE7DC030C1FC018386480000
    """
}
