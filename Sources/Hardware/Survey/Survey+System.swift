import Runtime

extension Survey {
  /// A clock before this (1 January 2026) was never set.
  static let earliestDate: Int64 = 1_767_225_600
  /// The whole player stays below a tenth of it.
  static let littleMemory: Int64 = 128_000_000

  var realTime: Finding {
    if machine.realTimePriority > 0 {
      return Finding("real-time priority", .works, "up to \(machine.realTimePriority)")
    }
    return Finding(
      "real-time priority", .forbidden, "this user may not ask for it; sound may stutter under heavy load",
      advice: "its service has it; for this user, write \"\(machine.userName) - rtprio 40\" into "
        + "/etc/security/limits.d/layby.conf, then log in again")
  }

  /// Files with a PIN or a password belong to whoever runs the player, or to root, and are closed to all others; a group
  /// may read them and not write. Nil when there is none.
  var secrets: Finding? {
    guard !machine.secrets.isEmpty else { return nil }
    func finding(_ verdict: Finding.Verdict, _ seen: String, _ advice: String? = nil) -> Finding {
      Finding("files with secrets", verdict, seen, advice: advice)
    }
    for file in machine.secrets where file.owner != machine.user && file.owner != 0 {
      return finding(
        .limited, "\(file.path) belongs to \(file.ownerName), who can change it",
        "give it to this user: sudo chown \(machine.userName) \(file.path)")
    }
    for file in machine.secrets where file.mode & 0o027 != 0 {
      let who = file.mode & 0o005 != 0 ? "everybody can read" : file.mode & 0o002 != 0 ? "everybody can change" : nil
      return finding(
        .limited, "\(file.path): \(who ?? "its group can change") the PIN and the passwords in it",
        "sudo chmod u=rw,g=r,o= \(file.path)")
    }
    let isOne = machine.secrets.count == 1
    return finding(.works, "\(Self.list(machine.secrets.map(\.path))) \(isOne ? "is" : "are") closed to others")
  }

  var memory: Finding {
    guard let total = machine.memoryTotal, let available = machine.memoryAvailable else {
      return Finding("memory", .limited, "how much there is cannot be seen")
    }
    let seen = "\(Self.size(available)) of \(Self.size(total)) available"
    guard available < Self.littleMemory else { return Finding("memory", .works, seen) }
    return Finding("memory", .limited, seen, advice: "stop what else runs on this machine")
  }

  var power: Finding {
    let batteries = machine.powerSupplies.filter { $0.type == "Battery" }
    let lines = machine.powerSupplies.filter { $0.type != "Battery" }
    let seen = (batteries + lines).map { supply in
      let percent = supply.percent.map { "\($0) %" }
      let online = supply.isOnline.map { $0 ? "connected" : "not connected" }
      let facts = [percent, supply.status ?? online].compactMap { $0 }
      return facts.isEmpty ? supply.name : "\(supply.name) (\(facts.joined(separator: ", ")))"
    }
    if batteries.isEmpty {
      return Finding(
        "battery", .missing, seen.isEmpty ? "none" : "none; power comes from \(Self.list(seen))",
        advice: "when the power goes, the music stops at once; it goes on from there when it is back")
    }
    return Finding("battery", .works, Self.list(seen))
  }

  var watchdog: Finding {
    guard let device = machine.watchdog else {
      return Finding(
        "watchdog", .missing, "no /dev/watchdog",
        advice: "nothing resets this machine when it hangs; most boards have one that their kernel can load")
    }
    let seen = device.label.isEmpty ? device.path : "\(device.path) (\(device.label))"
    if device.isWritable { return Finding("watchdog", .works, seen) }
    return Finding(
      "watchdog", .forbidden, "this user may not use \(seen)",
      advice: "leave it to the service manager: RuntimeWatchdogSec=30 in /etc/systemd/system.conf")
  }

  var date: Finding {
    let isSet = machine.date >= Self.earliestDate
    switch (machine.clock, isSet) {
    case (let clock?, true): return Finding("clock", .works, "\(clock), and the date is set")
    case (let clock?, false):
      return Finding(
        "clock", .limited, "\(clock), but the date is wrong (before 2026)",
        advice: "set it once with the network there, then: sudo hwclock --systohc; an empty clock battery forgets it")
    case (nil, true):
      return Finding(
        "clock", .limited, "no clock that runs without power; the date is set now",
        advice:
          "after each start the date is right only once the network was there; a clock with a battery can be wired")
    case (nil, false):
      return Finding(
        "clock", .missing, "no clock that runs without power, and the date is wrong (before 2026)",
        advice: "connect it to the network once, or wire a clock with a battery (such as a DS3231)")
    }
  }

  var wireless: Finding {
    let wireless = machine.networks.filter(\.isWireless)
    func seen(_ interfaces: [Machine.NetworkInterface]) -> String {
      Self.list(interfaces.map { "\($0.name) (\($0.isUp ? "connected" : "not connected"))" })
    }
    guard wireless.isEmpty else { return Finding("Wi-Fi", .works, seen(wireless)) }
    let wired = machine.networks.isEmpty ? "no network" : "none; by wire: \(seen(machine.networks))"
    return Finding(
      "Wi-Fi", .missing, wired, advice: "plug in a USB Wi-Fi stick, if music shall be fetched through the air")
  }

  /// Nil where it cannot be seen.
  var network: Finding? {
    guard let reading = machine.network else { return nil }
    guard let link = reading.active else {
      return Finding(
        "network", .missing, "nothing leads out of here",
        advice: "what is on the device plays without; to fetch music, plug in a cable or join a Wi-Fi")
    }
    let ssid = link.wireless?.ssid.map { "\"\(shownPlain(String(decoding: $0, as: UTF8.self)))\"" }
    let signal = link.wireless?.dBm.map { "\($0) dBm" }
    let facts = [link.kind.rawValue, ssid, signal, link.addresses.first].compactMap { $0 }
    return Finding("network", .works, "\(link.facts.name) (\(facts.joined(separator: ", ")))")
  }

  var service: Finding {
    switch (machine.hasSystemd, machine.hasJournal) {
    case (true, true): return Finding("service manager", .works, "systemd, and its journal keeps the log")
    case (true, false):
      return Finding("service manager", .limited, "systemd without its journal; the log goes to standard error")
    case (false, _):
      return Finding(
        "service manager", .missing, "no systemd",
        advice: "nobody starts Layby again when it dies, and its log goes to standard error only")
    }
  }
}
