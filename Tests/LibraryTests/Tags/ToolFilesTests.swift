import Audio
import Runtime
import Testing

@testable import Library

@Suite("Files of other programs")
struct ToolFilesTests {
  static let title = "Träume – 夢"

  /// As ffmpeg takes them, for any kind of file.
  static let tags =
    "-metadata title='\(title)' -metadata artist='Björk' -metadata album='Ночь' -metadata album_artist='Various'"
    + " -metadata track=3/12 -metadata disc=1/2 -metadata date=2004 -metadata genre=Jazz -metadata composer=Bach"
    + " -metadata compilation=1"

  static let made: [(String, String, String)] = [
    ("FLAC", "a.flac", "-c:a flac"), ("MP3", "a.mp3", "-c:a libmp3lame -b:a 128k -id3v2_version 3"),
    ("MP3", "b.mp3", "-c:a libmp3lame -q:a 4 -id3v2_version 4 -write_id3v1 1"),
    ("MP3", "c.mp3", "-c:a libmp3lame -b:a 96k -write_xing 0"),
    ("MP3", "d.mp3", "-ar 22050 -ac 1 -c:a libmp3lame -b:a 64k"),
    ("Vorbis", "a.ogg", "-c:a libvorbis"), ("Opus", "a.opus", "-c:a libopus"), ("FLAC", "a.oga", "-c:a flac"),
    ("AAC", "a.m4a", "-c:a aac"), ("AAC", "b.m4a", "-c:a aac -movflags +faststart"), ("ALAC", "c.m4a", "-c:a alac"),
    ("AAC", "d.m4b", "-c:a aac -f ipod"), ("WAV", "a.wav", "-c:a pcm_s24le"), ("AIFF", "a.aiff", "-write_id3v2 1"),
    ("WMA", "a.wma", "-c:a wmav2"), ("AAC", "a.aac", "-c:a aac -f adts -write_id3v2 1"),
    ("WavPack", "a.wv", "-c:a wavpack"), ("Matroska", "a.mka", "-c:a flac"), ("TTA", "a.tta", "-c:a tta"),
  ]

  @Test("what ffmpeg wrote is read as ffprobe reads it")
  func ffmpeg() throws {
    let files = try ToolFiles()
    for (codec, name, options) in Self.made {
      try files.run("ffmpeg -v error -y -i source.wav \(Self.tags) \(options) \(name)")
      let said = try files.probe(name)
      let found = try files.read(name)
      #expect(found.codec == codec, "\(name)")
      if codec == "Matroska" { continue }
      #expect(said["sample_rate"] == String(found.rate) && said["channels"] == String(found.channels), "\(name)")
      let seconds = try #require(Double(said["duration"] ?? ""), "\(name)")
      let frames = try #require(found.frames, "\(name)")
      let difference = abs(Double(frames) / Double(found.rate) - seconds)
      // ffprobe counts what the encoder put before and behind; a file without a note is reckoned.
      #expect(difference < 0.08, "\(name): \(Double(frames) / Double(found.rate)) s, ffprobe says \(seconds)")
      // The oldest tags and the list of WAV hold less, and these kinds none.
      if ["WAV"].contains(codec) || name == "a.tta" { continue }
      #expect(found.title == said["tag:title"] && found.title == Self.title, "\(name) \(found)")
      #expect(found.artists == ["Björk"] && found.album == "Ночь", "\(name) \(found)")
      #expect(found.year == 2_004 && found.genres == ["Jazz"] && found.track == 3, "\(name) \(found)")
      #expect(found.encoding == nil, "\(name)")
      if !["WMA", "WavPack"].contains(codec) {
        #expect(found.tracks == 12 || codec == "Vorbis" || codec == "Opus" || codec == "FLAC", "\(name)")
        #expect(found.albumArtists == ["Various"] && found.disc == 1, "\(name)")
      }
      #expect(found.isCompilation || ["WMA", "AIFF"].contains(codec) || codec == "MP3" || codec == "AAC", "\(name)")
      #expect(found.kind == (name.hasSuffix("m4b") ? .book : .music))
    }
  }

  @Test("LAME's own files are as long as the music was")
  func lame() throws {
    let files = try ToolFiles()
    for (index, options) in ["-b 128", "-V 2", "--abr 120", "-m m -b 64", "--resample 22.05 -b 64"].enumerated() {
      try files.run("lame --quiet \(options) --tt Air --ta Bach --tn 3/9 --ty 1720 --add-id3v2 source.wav \(index).mp3")
      let found = try files.read("\(index).mp3")
      let length = index == 4 ? 55_125 : 110_250
      #expect(
        abs((found.frames ?? 0) - Int64(length)) <= (index == 4 ? 1 : 0),
        "\(options): \(String(describing: found.frames))")
      #expect(found.title == "Air" && found.artists == ["Bach"] && found.track == 3 && found.year == 1_720)
      #expect(found.tracks == 9)
    }
  }

  @Test("the players' own tools: comments, loudness and pictures")
  func comments() throws {
    let files = try ToolFiles()
    let comments = "-T ARTIST=Ella -T ARTIST=Louis -T TITLE=Duet -T 'REPLAYGAIN_TRACK_GAIN=-6.5 dB'"
    try files.run("flac -s \(comments) --picture=front.png source.wav -o a.flac")
    let flac = try files.read("a.flac")
    #expect(flac.artists == ["Ella", "Louis"] && flac.title == "Duet" && flac.loudness.trackGain == -6.5)
    #expect(flac.frames == 110_250 && flac.bits == 16 && flac.art.first?.kind == .front)
    #expect(try files.picture("a.flac") == files.bytes("front.png"))
    // Tagged anew, with another room for it: the sound is the same.
    try files.run(
      "cp a.flac b.flac; metaflac --remove-all --dont-use-padding b.flac; metaflac --set-tag=TITLE=X b.flac")
    let bare = try files.read("b.flac")
    #expect(bare.title == "X" && bare.art.isEmpty)
    #expect(
      try files.bytes("a.flac")[Int(flac.audio.lowerBound)...].elementsEqual(
        files.bytes("b.flac")[Int(bare.audio.lowerBound)...]))
    try files.run("opusenc --quiet --picture front.png --artist Ella --title Duet source.wav a.opus")
    let opus = try files.read("a.opus")
    #expect(opus.title == "Duet" && opus.rate == 48_000 && opus.frames == 120_000)
    #expect(try files.picture("a.opus") == files.bytes("front.png"))
    try files.run("oggenc -Q -a Ella -t Duet -N 7 -l Songs -G Jazz -d 1956 source.wav -o a.ogg")
    let ogg = try files.read("a.ogg")
    #expect(ogg.frames == 110_250 && ogg.track == 7 && ogg.genres == ["Jazz"] && ogg.year == 1_956)
    try files.run("flac -s --ogg \(comments) --picture=front.png source.wav -o a.oga")
    let inOgg = try files.read("a.oga")
    #expect(inOgg.artists == ["Ella", "Louis"] && inOgg.frames == 110_250)
    #expect(try files.picture("a.oga") == files.bytes("front.png"))
  }

  @Test("a picture longer than a page of Ogg is put together")
  func longPicture() throws {
    let files = try ToolFiles()
    try files.run("ffmpeg -v error -f lavfi -i 'nullsrc=s=300x300,geq=random(1)*255:128:128' -frames:v 1 noise.png")
    #expect(try files.bytes("noise.png").count > 80_000)
    try files.run("opusenc --quiet --picture noise.png --title Long source.wav a.opus")
    #expect(try files.read("a.opus").title == "Long")
    #expect(try files.picture("a.opus") == files.bytes("noise.png"))
    try files.run("flac -s --ogg --picture=noise.png -T TITLE=Long source.wav -o a.oga")
    #expect(try files.picture("a.oga") == files.bytes("noise.png"))
    for name in ["a.mp3", "a.m4a", "a.flac"] {
      try files.run(
        "ffmpeg -v error -i source.wav -i noise.png -map 0:a -map 1:v -c:v copy -disposition:v attached_pic -metadata title=Long \(name)"
      )
      let found = try files.read(name)
      #expect(found.title == "Long" && found.frames != nil)
      #expect(try files.picture(name) == files.bytes("noise.png"), "\(name)")
    }
  }
}
