import Glibc
import Runtime

extension SettingType<String> {
  /// One zone out of a list that is too long to be printed.
  package static var timeZone: Self {
    let names = [TimeZones.ofSystem] + TimeZones.names
    let all = Set(names)
    return SettingType(
      expected: "\(TimeZones.ofSystem) or a time zone of the tz database, such as Europe/Berlin", choices: names,
      form: ["type": "time zone"], parse: { all.contains($0) ? $0 : nil }, format: { $0 }, example: "Europe/Berlin")
  }
}

extension Setting<String> {
  package static var timeZone: Self {
    Setting(
      .owner, "clock", "zone", .timeZone, TimeZones.ofSystem,
      "The time zone of the clock, of alarms and of all hours that are set.", appliesAtOnce: true)
  }
}

extension Setting<[String]> {
  package static var timeServers: Self {
    Setting(
      .owner, "clock", "servers", .hostNames, [],
      "Where the time is asked for, in place of the servers that the network names and Debian's own.",
      example: "ptbtime1.ptb.de, pool.ntp.org", isForFiles: true)
  }
}

extension SettingType<[String]> {
  /// Names or addresses of computers. They become a line of another program's file, so nothing else passes.
  package static var hostNames: Self {
    SettingType(
      expected: "up to 8 names or addresses of servers, with commas between them",
      form: ["type": "names", "maximum": 8],
      parse: { text in
        if trimmed(text).isEmpty { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        return names.count <= 8 && names.allSatisfy(isHostName) ? names : nil
      },
      format: { $0.joined(separator: ", ") })
  }

  private static func isHostName(_ name: String) -> Bool {
    (1...253).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"): true
        default: false
        }
      }
  }
}

/// The zone in which this process tells the time of day.
package enum ProcessTimeZone {
  /// First called before there is a second thread. Later calls put another text in the place of the one that is there,
  /// which the C library neither frees nor moves, so whoever reads it meanwhile has one or the other.
  package static func use(_ zone: String) {
    let system = ofSurroundings ?? ":/etc/localtime"
    let text = zone == TimeZones.ofSystem ? system : zone
    setenv("TZ", text, 1)
    tzset()
  }

  /// What the surroundings say, read before anything is changed.
  private static let ofSurroundings = EnvironmentVariable.timeZone.text
}
