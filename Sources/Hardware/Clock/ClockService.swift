import Runtime

/// What systemd-timesyncd, which sets the clock from the network, is told.
package enum ClockService {
  /// Those of the owner come first; without any, it asks those that the network names, and its own.
  package static func file(servers: [String]) -> [UInt8] {
    let line = servers.isEmpty ? "" : "NTP=\(servers.joined(separator: " "))\n"
    return Array("# Written by layby network-settings from what the owner has set.\n[Time]\n\(line)".utf8)
  }
}
