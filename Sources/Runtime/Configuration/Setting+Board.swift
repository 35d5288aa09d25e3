// board.conf: what hardware there is.

extension Setting<String> {
  package static var boardName: Self {
    Setting(.board, "board", "name", .text, "", "What this board is called, on its panel and in the network.")
  }
}

extension Setting<PanelSize> {
  package static var panelSize: Self {
    Setting(
      .board, "panel", "size", .size(16...4096), PanelSize(width: 320, height: 240),
      "How many pixels the panel is wide and high.")
  }
}

extension Setting<[FilePath]> {
  package static var panelFont: Self {
    Setting(
      .board, "panel", "font", .paths, [FilePath("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")],
      "Font files for text on the panel; a later one serves the letters that those before it lack.")
  }

  package static var panelBoldFont: Self {
    Setting(
      .board, "panel", "bold_font", .paths, [FilePath("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")],
      "Font files for what must be read from afar.")
  }
}

extension Setting<SoundOutput> {
  package static var audioOutput: Self {
    Setting(
      .board, "audio", "output", .soundOutput, .alsa(device: "default"),
      "Where the sound goes: a device, a WAV file, or nowhere at the pace of a device.")
  }
}

extension Setting<Duration> {
  package static var audioBuffer: Self {
    Setting(
      .board, "audio", "buffer", .duration(.milliseconds(40)...(.seconds(2))), .milliseconds(150),
      "How much sound the device holds: longer sleeps more and never stutters, shorter answers the knob sooner.")
  }
}

extension Setting<FilePath> {
  package static var statePath: Self {
    Setting(
      .board, "paths", "state", .path, FilePath("/var/lib/layby"),
      "The folder for what must survive: queue, position, volume, library.")
  }

  package static var runPath: Self {
    Setting(
      .board, "paths", "run", .path, FilePath("/run/layby"),
      "The folder for what lives as long as the program: the control socket.")
  }
}
