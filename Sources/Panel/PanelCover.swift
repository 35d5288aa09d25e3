import Canvas
import Library
import Pictures
import Runtime

/// The cover of what plays, asked of the shelf and taken when it comes; nothing waits for it. Lives on the main loop.
@MainLoop
final class PanelCover {
  private struct Request: Equatable {
    let music: FilePath
    let side: Int
  }

  private let shelf: ArtShelf
  private var request: Request?
  private var ticket: ArtShelf.Ticket?
  private(set) var picture: Picture? { didSet { if picture == nil { palette = nil } } }
  /// Found beside the main loop, once a cover.
  private(set) var palette: CoverPalette?
  /// The picture that belongs to what plays has come late.
  var hasCome: @MainLoop () -> Void = {}

  init(_ shelf: ArtShelf) { self.shelf = shelf }

  /// What plays now, and how large its cover is drawn. Asking again for the same costs nothing.
  func follow(_ music: FilePath?, side: Int?) {
    let next = music.flatMap { music in side.map { Request(music: music, side: $0) } }
    guard next != request else { return }
    if let ticket { shelf.cancel(ticket) }
    // An album's tracks mostly have one cover: it stays until it is known to be another, and does not blink.
    if next?.music.folder != request?.music.folder || next?.side != request?.side { picture = nil }
    (request, ticket) = (next, nil)
    guard let next else { return }
    let frame = PictureFrame.square(next.side)
    if let known = shelf.picture(of: next.music, as: frame), known != picture {
      (picture, palette) = (known, CoverPalette(known))
    }
    ticket = shelf.ask(next.music, as: frame) { [weak self] found in
      let palette = found.flatMap { CoverPalette($0) }
      MainLoop.start { self?.take(found, palette, for: next) }
    }
  }

  private func take(_ found: Picture?, _ palette: CoverPalette?, for asked: Request) {
    guard asked == request else { return }
    ticket = nil
    guard found != picture else { return }
    (picture, self.palette) = (found, palette)
    hasCome()
  }

  func stop() { follow(nil, side: nil) }
}
