import Glibc
import Hardware
import Panel
import Runtime

/// `layby hotspot-begin --wish FILE --told DIR`: for the unit layby-hotspot.service, before the radio becomes an access
/// point. It runs as root.
func beginHotspot(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.hotspotBegin)
  guard let wish = options.path("--wish"), let told = options.path("--told"), options.others.isEmpty else {
    throw Fault(.malformed, "X-286", "expected: \(ProgramVerb.hotspotBegin.wholeUsage)")
  }
  try HotspotTaker(wish: wish, told: told).run { seenBeforehand() }
  return EX_OK
}

/// What the radios have seen; if that is nothing, they look around first, which takes a few seconds. Without any the page
/// has a field for the name.
private func seenBeforehand() -> [SeenNetwork] {
  do throws(Fault) {
    let surroundings = NetworkSurroundings()
    var seen = try surroundings.seenNetworks()
    guard seen.isEmpty else { return seen }
    try RadioCommand.lookAround()
    let until = Moment.now + .seconds(6)
    while seen.isEmpty, Moment.now < until {
      usleep(500_000)
      seen = try surroundings.seenNetworks()
    }
    return seen
  } catch {
    Log("hotspot").warning("no networks are known", ["reason": error.message])
    return []
  }
}

/// `layby hotspot-page --facts FILE --answer FILE`: for the unit layby-page.service. It runs as a user of its own that
/// can open no socket; systemd hands it the two that it answers on, which are bound to the radio.
func serveHotspotPage(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.hotspotPage)
  guard let file = options.path("--facts"), let answer = options.path("--answer"), options.others.isEmpty else {
    throw Fault(.malformed, "X-286", "expected: \(ProgramVerb.hotspotPage.wholeUsage)")
  }
  var (page, names): (Int32?, Int32?)
  // Where systemd puts what it hands over. What is no socket there is left alone.
  for number in Int32(3)...4 {
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(number, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else { continue }
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL, 0) | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    if kind == Int32(SOCK_STREAM.rawValue) { page = number } else { names = number }
  }
  guard let page, let names else {
    throw Fault(.missing, "X-287", "systemd has not handed over two sockets: one for the page, one for names")
  }
  let facts = try HotspotFacts.read(file)
  let token = String((0..<32).map { _ in Character(String(arc4random_uniform(16), radix: 16)) })
  let content = HotspotPage(facts, PanelWords.page(of: facts), token: token)
  let stream = Descriptor(taking: page)
  let datagrams = Descriptor(taking: names)
  let server = HotspotServer(page: stream, names: datagrams, content) { network throws(Fault) in
    // The group is the player's, who reads it; others cannot enter the folder.
    try AtomicFile.replace(answer, with: StickSetup(joining: network).bytes, mode: 0o640)
  }
  try server.run()
  return EX_OK
}
