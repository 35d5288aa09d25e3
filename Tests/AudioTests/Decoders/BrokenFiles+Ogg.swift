import TestSupport

/// Ogg with Vorbis, Opus and FLAC in it.
extension BrokenFile {
  private typealias Page = OggPages.Page

  /// The same pages with one of them changed, its sum right again.
  private static func changed(_ bytes: [UInt8], _ index: Int, _ change: (inout OggPages.Page) -> Void) -> [UInt8] {
    var ogg = OggPages(bytes)
    change(&ogg.pages[index])
    return ogg.bytes
  }

  /// What is wrong with any Ogg file is wrong with all.
  private static func pages(_ format: String, _ bytes: [UInt8], headers: Int, least: Int) -> [BrokenFile] {
    let ogg = OggPages(bytes)
    let last = ogg.pages.count - 1
    func file(_ name: String, _ fate: Fate, _ change: (inout OggPages) -> Void) -> BrokenFile {
      var changed = ogg
      change(&changed)
      return BrokenFile("\(format): \(name)", fate, changed.bytes)
    }
    var wrongSum = bytes
    wrongSum[bytes.count - 30] ^= 0x55
    let endless = (0..<300).map { index in
      var page = Page(packet: [UInt8](repeating: 0x11, count: 254), serial: ogg.pages[0].serial)
      page.lacing = [UInt8](repeating: 255, count: 255)
      page.body = [UInt8](repeating: 0x22, count: 255 * 255)
      page.granule = -1
      page.flags = index == 0 ? 0 : Page.continued
      return page
    }
    let stranger = Page(packet: [UInt8].noise(200), flags: Page.first, serial: 4_711)
    return [
      file("the first page alone", .refused(["A-120", "A-183", "A-187"])) { $0.pages.removeLast(last) },
      file("headers and nothing else", .either) { $0.pages.removeLast(last + 1 - headers) },
      file("the second page is gone", .either) { $0.pages.remove(at: 1) },
      file("a page is gone", .plays(least)) { $0.pages.remove(at: headers + 1) },
      file("two pages change places", .plays(least)) { $0.pages.swapAt(headers, headers + 1) },
      file("all pages come twice", .either) { ogg in ogg.pages = ogg.pages.flatMap { [$0, $0] } },
      file("places that go back", .either) { ogg in ogg.pages[last].granule = 5 },
      file("places beyond all bounds", .either) { ogg in ogg.pages[last].granule = .max },
      file("places before the beginning", .either) { ogg in
        for index in headers...last { ogg.pages[index].granule = .min + 3 + Int64(index) }
      },
      file("no places at all", .either) { ogg in for index in headers...last { ogg.pages[index].granule = -1 } },
      file("another number halfway", .either) { ogg in for index in last / 2...last { ogg.pages[index].serial = 99 } },
      file("a packet without end", .either) { $0.pages.insert(contentsOf: endless, at: headers + 1) },
      file("a stranger beside it", .plays(least)) { $0.pages.insert(stranger, at: 1) },
      BrokenFile("\(format): a torn page", .either, wrongSum),
      BrokenFile("\(format): cut in a page", .either, Array(bytes[..<(bytes.count * 3 / 4)])),
      BrokenFile("\(format): cut in the first page", .either, Array(bytes[..<40])),
      BrokenFile(
        "\(format): garbage between pages", .plays(least),
        Array(bytes[..<(bytes.count / 2)]) + .noise(200_000) + bytes[(bytes.count / 2)...]),
      BrokenFile("\(format): the same stream again", .either, bytes + bytes),
    ]
  }

  /// So many streams one behind the other, of the first pages of `bytes`, and then one that is whole.
  private static func chain(_ bytes: [UInt8], pages: Int, links: Int, before last: [UInt8]) -> [UInt8] {
    let first = Array(OggPages(bytes).pages[..<pages])
    var chain: [UInt8] = []
    for link in 0..<links {
      for page in first {
        var page = page
        page.serial = UInt32(1_000 + link)
        chain += page.bytes
      }
    }
    return chain + last
  }

  static func vorbis(_ whole: WholeFiles) -> [BrokenFile] {
    let vorbis = whole.vorbis
    let refused = Fate.refused(["A-180", "A-181", "A-182", "A-183"])
    func head(_ name: String, _ bytes: [UInt8], at index: Int, _ fate: Fate = refused) -> BrokenFile {
      BrokenFile("Vorbis: \(name)", fate, changed(vorbis, 0) { $0.body = $0.body.with(bytes, at: index) })
    }
    func second(_ name: String, _ fate: Fate, _ change: (inout [UInt8]) -> Void) -> BrokenFile {
      BrokenFile("Vorbis: \(name)", fate, changed(vorbis, 1) { change(&$0.body) })
    }
    return pages("Vorbis", vorbis, headers: 2, least: 5_000) + [
      head("no channels", [0], at: 11), head("255 channels", [255], at: 11),
      head("no rate", [0, 0, 0, 0], at: 12), head("4 GHz", [255, 255, 255, 255], at: 12),
      head("blocks that grow smaller", [0x6B], at: 28), head("blocks of one frame", [0], at: 28),
      head("a version to come", [9], at: 7),
      second("four thousand million comments", .either) { body in
        let vendor = Int(body[7]) | Int(body[8]) << 8
        body = body.with([255, 255, 255, 255], at: 11 + vendor)
      },
      second("a maker's name of 4 GB", .either) { $0 = $0.with([255, 255, 255, 255], at: 7) },
      second("a setup of noise", .either) { $0 = $0.with([UInt8].noise(2_000), at: $0.count - 2_000) },
      second("a setup of zeros", .either) { $0 = $0.with([UInt8].zeros(2_000), at: $0.count - 2_000) },
      BrokenFile("Vorbis: sound of noise", .either, changed(vorbis, 2) { $0.body = .noise($0.body.count) }),
      BrokenFile(
        "Vorbis: a chain of 20 empty streams", .plays(frames), chain(vorbis, pages: 2, links: 20, before: vorbis)),
      BrokenFile(
        "Vorbis: a chain of 1,000 empty streams", .plays(frames), chain(vorbis, pages: 2, links: 1_000, before: vorbis)),
      BrokenFile(
        "Vorbis: a chain of 1,000 streams of one frame", .plays(frames + 1_000),
        chain(whole.shortVorbis, pages: 3, links: 1_000, before: vorbis)),
    ]
  }

  static func opus(_ whole: WholeFiles) -> [BrokenFile] {
    let opus = whole.opus
    let refused = Fate.refused(["A-186", "A-187"])
    func head(_ name: String, _ bytes: [UInt8], at index: Int, _ fate: Fate = refused) -> BrokenFile {
      BrokenFile("Opus: \(name)", fate, changed(opus, 0) { $0.body = $0.body.with(bytes, at: index) })
    }
    func replaced(_ name: String, page index: Int, _ fate: Fate, _ packet: [UInt8]) -> BrokenFile {
      BrokenFile(
        "Opus: \(name)", fate,
        changed(opus, index) { page in
          let old = page
          page = Page(
            packet: packet, flags: old.flags, granule: old.granule, serial: old.serial, sequence: old.sequence)
        })
    }
    let tags = Array("OpusTags".utf8)
    let family = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0]
    return pages("Opus", opus, headers: 2, least: 5_000) + [
      head("a version to come", [0xFF], at: 8), head("no channels", [0], at: 9),
      head("200 channels", [200], at: 9), head("all of it is skipped", [255, 255], at: 10, .either),
      head("128 dB too loud", [0xFF, 0x7F], at: 16, .plays(frames)),
      head("128 dB too soft", [0, 0x80], at: 16, .plays(frames)),
      head("a family that nobody knows", [7], at: 18, .either),
      replaced("channels of no known place", page: 0, .either, family + [255, 1, 1, 0, 1]),
      replaced("channels that lead nowhere", page: 0, .either, family + [1, 1, 1, 200, 201]),
      replaced("more coupled streams than streams", page: 0, .either, family + [1, 1, 9, 0, 1]),
      replaced("four thousand million comments", page: 1, refused, tags + [0, 0, 0, 0, 255, 255, 255, 255]),
      replaced("a maker's name of 4 GB", page: 1, refused, tags + [255, 255, 255, 255]),
      replaced(
        "half a megabyte of comment", page: 1, .either,
        tags + [0, 0, 0, 0, 1, 0, 0, 0, 0, 0xF0, 0, 0] + [UInt8](repeating: 0x41, count: 0xF000)),
      replaced("a packet of nothing", page: 2, .either, []),
      replaced("packets of noise", page: 2, .either, .noise(5_000)),
      // libopusfile takes no stream without sound.
      BrokenFile("Opus: a chain of 20 empty streams", .either, chain(opus, pages: 2, links: 20, before: opus)),
      BrokenFile(
        "Opus: a chain of 2,000 empty streams", .either, chain(opus, pages: 2, links: 2_000, before: opus)),
      BrokenFile(
        "Opus: a chain of 2,000 streams of one frame", .plays(frames + 2_000),
        chain(whole.shortOpus, pages: 3, links: 2_000, before: opus)),
    ]
  }

  static func oggFLAC(_ whole: WholeFiles) -> [BrokenFile] {
    let ogg = whole.oggFLAC
    // Each block of the header has a page of its own.
    let headers = OggPages(ogg).pages.firstIndex { $0.granule > 0 } ?? 0
    return pages("Ogg FLAC", ogg, headers: headers, least: 1_000) + [
      BrokenFile("Ogg FLAC: the mark inside is wrong", .either, changed(ogg, 0) { $0.body[9] = 0x66 })
    ]
  }
}
