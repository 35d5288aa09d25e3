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
  private(set) var picture: Picture?
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
    if let known = shelf.picture(of: next.music, as: frame) { picture = known }
    ticket = shelf.ask(next.music, as: frame) { [weak self] found in
      MainLoop.start { self?.take(found, for: next) }
    }
  }

  private func take(_ found: Picture?, for asked: Request) {
    guard asked == request else { return }
    ticket = nil
    guard found != picture else { return }
    picture = found
    hasCome()
  }

  func stop() { follow(nil, side: nil) }
}
