import Glibc
import Runtime

/// A player with a device of the bench's, told by its own protocol what to do. Its queue is `SidedMusic`.
struct LatencyPlayer {
  enum Command { case play, stop, first, next, seek }

  let name: String
  let device: SoundDevice
  let music: SidedMusic
  let tell: (Command) throws(Fault) -> Void
  let end: () throws(Fault) -> Void

  static func layby(_ program: String, _ music: SidedMusic, home: FilePath, libraryIn folder: FilePath) throws(Fault)
    -> LatencyPlayer
  {
    let device = try SoundDevice(in: home, libraryIn: folder)
    let player = try Layby(program, home: home, environment: device.environment)
    let run = try player.launch([
      "--output", "alsa:\(SoundDevice.name)", "--play", "\(music.first)", "\(music.second)",
    ])
    try run.waitUntilReady()
    let tell = { (wish: Command) throws(Fault) -> Void in
      switch wish {
      case .play: _ = try run.ask("play")
      case .stop: _ = try run.ask("stop")
      case .first: _ = try run.ask("queue", ["jump", "1"])
      case .next: _ = try run.ask("next")
      case .seek: _ = try run.ask("seek", ["\(SidedMusic.far)"])
      }
    }
    return LatencyPlayer(
      name: "layby", device: device, music: music, tell: tell, end: { () throws(Fault) in try run.child.stop() })
  }

  /// Nil when it is not installed.
  static func mpd(_ music: SidedMusic, home: FilePath, libraryIn folder: FilePath) throws(Fault) -> LatencyPlayer? {
    let device = try SoundDevice(in: home, libraryIn: folder)
    guard let daemon = try MPD(home: home, device: device)?.start().daemon else { return nil }
    try daemon.queue([music.first, music.second])
    try daemon.ask("play 0")
    let tell = { (wish: Command) throws(Fault) -> Void in
      switch wish {
      case .play: _ = try daemon.ask("play")
      case .stop: _ = try daemon.ask("stop")
      case .first: _ = try daemon.ask("play 0")
      case .next: _ = try daemon.ask("next")
      case .seek: _ = try daemon.ask("seekcur \(SidedMusic.far)")
      }
    }
    return LatencyPlayer(
      name: "mpd", device: device, music: music, tell: tell, end: { () throws(Fault) in try daemon.child.stop() })
  }
}
