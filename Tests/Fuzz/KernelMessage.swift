import Hardware

/// What comes from the kernel, part of it straight from the air: an access point says of itself what it likes.
@Sendable func kernelMessage(_ bytes: [UInt8]) {
  let messages = NetlinkMessage.all(in: bytes[...]).messages
  let length = messages.reduce(0) { $0 + NetlinkMessage.headerLength + $1.body.count }
  precondition(length <= bytes.count, "more was read than is there")
  let links = messages.compactMap { LinkFacts($0) }
  let addresses = messages.compactMap { AddressFacts($0) }
  let routes = messages.compactMap { DefaultRoute($0) }
  for link in links {
    let name = link.name.utf8
    precondition((1...15).contains(name.count) && !name.contains(0x2F), "a name that is no file's")
  }
  let reading = NetworkReading(links: links, addresses: addresses, routes: routes, marks: [:], wireless: [:])
  if let active = reading.active { precondition(active.facts.isUp && !active.addresses.isEmpty, "a way that is none") }
  for ssid in [Wireless.joined(in: messages)?.ssid] + Wireless.clients(in: messages).values.map({ $0 }) {
    if let ssid { precondition((1...32).contains(ssid.count), "no network has such a name") }
  }
  _ = Wireless.connection(in: messages)
  _ = Wireless.familyNumber(in: messages)
  var answer = NetlinkAnswer(to: messages.first?.sequence ?? 0)
  if answer.take(bytes[...]) == .whole { precondition(answer.messages.count <= messages.count, "more than was said") }
  if let event = KernelEvent(bytes[...]) { precondition(event.device.utf8.first == 0x2F, "a device that is no path") }
}
