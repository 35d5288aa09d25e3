/// Counts since the start, as Prometheus reads them. Names and numbers alone: nothing of who asked for what.
struct ServiceMetrics {
  private struct Key: Hashable {
    let route: String
    let status: Int
  }

  private var requests: [Key: Int64] = [:]
  private var nanoseconds: [String: Int64] = [:]
  private var bytes: Int64 = 0
  private var broken: Int64 = 0

  mutating func add(_ route: String, _ status: Int, bytes count: Int64, nanoseconds: Int64, isWhole: Bool) {
    requests[Key(route: route, status: status), default: 0] += 1
    self.nanoseconds[route, default: 0] += nanoseconds
    if isWhole { bytes += count } else { broken += 1 }
  }

  func text(connections: Int, devices: Int64) -> String {
    var lines = ["# TYPE layby_depot_requests_total counter"]
    let sorted = requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
    for (key, count) in sorted {
      lines.append("layby_depot_requests_total{route=\"\(key.route)\",status=\"\(key.status)\"} \(count)")
    }
    lines.append("# TYPE layby_depot_request_seconds_total counter")
    for (route, spent) in nanoseconds.sorted(by: { $0.key < $1.key }) {
      lines.append("layby_depot_request_seconds_total{route=\"\(route)\"} \(Double(spent) / 1e9)")
    }
    lines += ["# TYPE layby_depot_answer_bytes_total counter", "layby_depot_answer_bytes_total \(bytes)"]
    lines += ["# TYPE layby_depot_broken_off_total counter", "layby_depot_broken_off_total \(broken)"]
    lines += ["# TYPE layby_depot_connections gauge", "layby_depot_connections \(connections)"]
    lines += ["# TYPE layby_depot_devices gauge", "layby_depot_devices \(devices)"]
    return lines.joined(separator: "\n") + "\n"
  }
}
