import Audio
import Glibc
import Hardware
import Playback
import Runtime

/// What `Health` reads from the rest of the program. A member is nil if the board does not have it or it has not
/// started yet.
@MainLoop
package protocol HealthSource: AnyObject {
  /// The name that the owner gave the device; empty if there is none.
  var boardName: String { get }
  var flags: Flags { get }
  /// In the order in which they were started.
  var parts: [Health.Part] { get }
  /// What the panel's own display said; nil on a board that has none.
  var display: DeviceAnswer? { get }
  var network: NetworkPart? { get }
  var power: PowerPart? { get }
  var alarms: BoardAlarms? { get }
  var switchOff: SwitchOffPart? { get }
  var lights: LightsPart? { get }
}

/// The state of the device: its parts, sound, disk, network, power, and which features are switched on. It changes
/// nothing.
@MainLoop
package final class Health {
  /// A service that runs until the program stops.
  package struct Part: Equatable, Sendable {
    package enum State: String, Sendable { case starting, running, restarting, degraded, ended }

    package let name: String
    package let state: State
    package let restarts: Int

    package init(_ name: String, _ state: State, restarts: Int) {
      (self.name, self.state, self.restarts) = (name, state, restarts)
    }
  }

  package struct Sound: Equatable, Sendable {
    /// The output thread answers.
    package let isAlive: Bool
    /// What the device said when it was last asked; nil before that.
    package let device: DeviceAnswer?
    /// The device is open and music is to be heard, so `played` grows.
    package let isPlaying: Bool
    /// Frames that the device has played, silence included.
    package let played: Int64
    package let underruns: UInt64
    package let starvations: UInt64
    /// How much faster the device's clock runs than the system's, in parts per million; nil until it was measured.
    package let drift: Double?
  }

  package struct Network: Sendable {
    package let state: NetworkState
    /// Wireless facts by the name of the network interface.
    package let radios: [String: WirelessFacts]
    /// Whether a server is asked if the internet can be reached. If not, only the link's state is known.
    package let isProbed: Bool
    /// Bits a second; nil until it was measured.
    package let bandwidth: Int64?
  }

  package struct Power: Sendable {
    package let state: PowerState
    package let supplies: [PowerSupply]
    /// Whether the board is going to be switched off.
    package let outlook: SwitchOffPart.Outlook?
    /// How bright the panel is; nil if its light cannot be set.
    package let panelLight: Brightness.Level?
    /// Nil until the board's sensors are read.
    package let alarms: BoardAlarms?

    package init(
      state: PowerState, supplies: [PowerSupply], outlook: SwitchOffPart.Outlook?, panelLight: Brightness.Level?,
      alarms: BoardAlarms?
    ) {
      (self.state, self.supplies, self.outlook) = (state, supplies, outlook)
      (self.panelLight, self.alarms) = (panelLight, alarms)
    }
  }

  /// Facts that do not change while the program runs.
  package struct Program: Sendable {
    package let version: String
    /// The state folder, with the queue and the library.
    package let folder: FilePath
    /// Why the state folder cannot be used; nil when it can.
    package let unusable: Fault?

    package init(version: String, folder: FilePath, unusable: Fault?) {
      (self.version, self.folder, self.unusable) = (version, folder, unusable)
    }
  }

  private let source: any HealthSource
  private let program: Program
  private let transport: Transport
  private let path: SoundPath?

  /// Without `sound` there are no figures of the sound device.
  package init(_ source: any HealthSource, _ program: Program, _ transport: Transport, sound path: SoundPath?) {
    (self.source, self.program, self.transport, self.path) = (source, program, transport, path)
  }

  package var version: String { program.version }
  package var boardName: String { source.boardName }
  package var parts: [Part] { source.parts }
  package var display: DeviceAnswer? { source.display }
  package var flags: Flags { source.flags }

  /// Why the queue and the place are not saved; nil while they are.
  package var unsaved: Fault? { program.unusable ?? transport.unsaved }

  package var sound: Sound? {
    path.map {
      Sound(
        isAlive: $0.isOutputAlive, device: $0.device, isPlaying: $0.isDeviceOpen && transport.status.wish == .playing,
        played: $0.played, underruns: $0.underruns, starvations: $0.starvations, drift: $0.driftPartsPerMillion)
    }
  }

  package var network: Network? {
    source.network.map {
      Network(state: $0.state, radios: $0.radios, isProbed: $0.isProbed, bandwidth: $0.bandwidth.bitsPerSecond)
    }
  }

  /// The address at which other devices of the network reach this one.
  package var address: String? { network?.state.active?.addresses.first }

  package var power: Power? {
    source.power.map {
      Power(
        state: $0.state, supplies: $0.supplies, outlook: source.switchOff?.outlook, panelLight: source.lights?.level,
        alarms: source.alarms)
    }
  }

  /// Free bytes on the disk of the state folder; nil if that cannot be found out.
  package var free: Int64? {
    var status = statvfs()
    guard program.folder.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail)) * Int64(clamping: UInt64(status.f_frsize))
  }
}
