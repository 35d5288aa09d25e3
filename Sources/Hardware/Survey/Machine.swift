import Runtime

/// Facts about this machine from /proc, /sys and /dev. `Survey` judges them.
package struct Machine: Equatable, Sendable {
  /// A file under /dev, and what this user may do with it.
  package struct Device: Equatable, Sendable {
    package var path: String
    /// What the kernel calls the thing behind it; empty when it does not say.
    package var label = ""
    package var isReadable = true
    package var isWritable = true
    /// The group to which it belongs, when that group may read and write it.
    package var openTo: String?

    package var isUsable: Bool { isReadable && isWritable }
  }

  package struct SoundCard: Equatable, Sendable {
    package var number: Int
    package var id: String
    package var driver: String
    package var name: String
    /// Its outputs; none when it can only record.
    package var outputs: [Device] = []

    /// Made of software: nobody hears it.
    package var isSilent: Bool { driver == "Loopback" || driver == "Dummy" }
  }

  package struct Framebuffer: Equatable, Sendable {
    package var device: Device
    package var width: Int
    package var height: Int
    package var bitsPerPixel: Int
  }

  package struct PowerSupply: Equatable, Sendable {
    package var name: String
    /// The kernel's word: Battery, Mains, USB.
    package var type: String
    package var status: String?
    package var percent: Int?
    package var isOnline: Bool?
  }

  package struct NetworkInterface: Equatable, Sendable {
    package var name: String
    package var isWireless: Bool
    package var isUp: Bool
  }

  package enum FolderState: Equatable, Sendable {
    case usable
    /// It is not there; whoever starts first makes it.
    case canBeMade
    case isNoFolder
    /// This folder (it, or the one above that is there) cannot be written.
    case closed(at: String)
  }

  /// A file with a PIN or a password that is there.
  package struct SecretFile: Equatable, Sendable {
    package var path: String
    /// As `ls` shows it, in the lowest nine bits.
    package var mode: UInt32
    package var owner: UInt32
    /// The owner's name, where /etc/passwd has one.
    package var ownerName: String
  }

  package struct Font: Equatable, Sendable {
    package var path: String
    package var isReadable: Bool
  }

  package struct Screen: Equatable, Sendable {
    /// 24 bits of colour.
    package var hasAllColours: Bool
    package var columns: Int
    package var rows: Int

    package init(hasAllColours: Bool, columns: Int, rows: Int) {
      self.hasAllColours = hasAllColours
      self.columns = columns
      self.rows = rows
    }
  }

  package var userName = ""
  package var user: UInt32 = 0
  package var soundCards: [SoundCard] = []
  package var gpioChips: [Device] = []
  /// Their lines; looked at only when some are wished for.
  package var lines = LineDirectory()
  package var inputs: [Device] = []
  package var framebuffer: Framebuffer?
  package var graphicsCards: [Device] = []
  package var powerSupplies: [PowerSupply] = []
  package var watchdog: Device?
  package var networks: [NetworkInterface] = []
  /// Links, addresses and routes; nil when the kernel could not be asked.
  package var network: NetworkReading?
  package var clock: String?
  /// Seconds since 1970, as the system has it.
  package var date: Int64 = 0
  package var realTimePriority = 0
  package var memoryTotal: Int64?
  package var memoryAvailable: Int64?
  package var state = FolderState.usable
  package var freeBytes: Int64?
  package var fonts: [Font] = []
  package var secrets: [SecretFile] = []
  package var hasSystemd = false
  package var hasJournal = false
  /// Nil when nobody looks: standard output is no terminal.
  package var screen: Screen?

  package init() {}
}
