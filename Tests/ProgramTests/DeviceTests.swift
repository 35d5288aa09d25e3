import Glibc
import Runtime
import Testing

extension ProgramTests {
  @Suite("A sound device", .serialized)
  struct DeviceTests {
    @Test("that is not there is told; the place holds, and everything else works")
    func missing() async throws {
      let home = try Home()
      let (one, two) = (try await home.flac("one"), try await home.flac("two"))
      let player = try await RunningPlayer(output: "alsa:hw:9", playing: [one, two], in: home)
      try await player.tells("no sound device hw:9")
      try await player.status { $0["waits_for_device"]?.truth == true }
      try await player.ask("seek", "20")
      #expect(try await player.status()["position_s"]?.double == 20)
      try await player.ask("volume", "30")
      #expect(try await player.status()["volume"]?.whole == 30)
      #expect(try await player.status()["position_s"]?.double == 20)
      try await player.ask("next")
      let status = try await player.status()
      #expect(status["path"]?.path == two && status["state"] == "playing")
      try await player.stop()

      let again = try await RunningPlayer(in: home)
      try await again.plays(two)
      try await again.stop()
    }

    @Test("that comes later is taken, and the music is heard then")
    func comesLater() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let devices = home.folder / "asound.conf"
      try home.write("defaults.pcm.card 0\n", to: devices)
      let player = try await RunningPlayer(
        output: "alsa:late", playing: [music], in: home, environment: ["ALSA_CONFIG_PATH=\(devices)"])
      try await player.status { $0["waits_for_device"]?.truth == true }
      try home.write("pcm.late { type null }\n", to: devices)
      try await player.tells("The sound device is back")
      try await player.plays(music)
      try await player.stop()
    }

    @Test(
      "that we may not use is told as such, and the program lives on",
      .enabled(if: SmallDisk.isPossible, "no folder for devices can be mounted here"))
    func forbidden() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let locked =
        "mount -t tmpfs none /dev && mkdir /dev/snd && touch /dev/snd/controlC9 && chmod 0 /dev/snd/controlC9 && "
        + "exec setpriv --bounding-set=-dac_override,-dac_read_search \"$@\""
      let player = try await RunningPlayer(
        output: "alsa:hw:9", playing: [music], in: home,
        through: ["unshare", "--map-root-user", "--mount", "sh", "-c", locked, "sh"])
      try await player.tells("hw:9", "may not be used", "A-151")
      try await player.ask("seek", "10")
      #expect(try await player.status()["position_s"]?.double == 10)
      try await player.stop()
    }

    @Test("a terminal that is not there is done without")
    func noTerminal() async throws {
      let home = try Home()
      let music = try await home.flac("music")
      let player = try await RunningPlayer(playing: [music], in: home, ["--terminal"])
      try await player.plays(music)
      #expect(player.said.contains("no terminal"))
      try await player.stop()
    }
  }
}
