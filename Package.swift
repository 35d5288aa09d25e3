// swift-tools-version: 6.0
// The house, room by room; Sources/README.md draws it. Tests/HouseTests reads this file and holds the sources to it.
import PackageDescription

/// A C library of the distribution, found by pkg-config. `apt` is the package that brings its headers.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// One that is loaded when it is first used: its headers at most, which `apt` brings (image/lib/cross.sh reads it here),
/// are needed to build.
func lateLibrary(_ name: String, apt: String? = nil) -> Target {
  .target(name: name, path: "Sources/CLibraries/\(name)", linkerSettings: [.linkedLibrary("dl")])
}

/// What ships uses no regular expressions; left out, they and their parser are not a tenth of the program.
let withoutRegex: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]

/// Each generic type is made by its own function, which passes what it is made of. Otherwise the runtime reads the type's
/// name, and looks through all conformances of the program for each that the type requires: a quarter of a start.
let withoutNamesOfTypes: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"])
]

let shipped = withoutRegex + withoutNamesOfTypes

/// What touches every pixel or sample, reads JSON, checks signatures, or walks long queues: without the optimiser its
/// tests take up to ten times as long. What is wrong there still traps, and tests see inside as before.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Rooms and programs with a page of their own, which the compiler is not to look at.
let described: Set = [
  "Application", "Audio", "Canvas", "Formats", "Hardware", "Library", "Offline", "Panel", "Playback", "Remote",
  "Rights", "Runtime", "Services", "Supervisor", "bench", "depot", "keys", "layby",
]

func pages(_ name: String) -> [String] {
  (described.contains(name) ? ["README.md"] : [])
    + (name == "Panel" ? ["Look/README.md", "Look/before-and-after.png"] : [])
    + (name == "bench" ? ["ratios.svg"] : [])
}

/// A room may import the rooms below it that stand in `uses`, and no other.
func room(
  _ name: String, uses: [String] = [], c: [String] = [], resources: [Resource]? = nil, ships: Bool = true,
  isOptimised: Bool = false
) -> Target {
  .target(
    name: name, dependencies: (uses + c).map { .init(stringLiteral: $0) }, path: "Sources/\(name)",
    exclude: pages(name), resources: resources,
    swiftSettings: (ships ? shipped : []) + (isOptimised ? optimised : []))
}

/// Nobody looks a program's functions up by their names, whose tables are half a megabyte.
func program(
  _ name: String, uses: [String], c: [String] = [], resources: [Resource]? = nil, ships: Bool = true,
  isOptimised: Bool = false
) -> Target {
  .executableTarget(
    name: name, dependencies: (uses + c).map { .init(stringLiteral: $0) }, path: "Sources/\(name)",
    exclude: pages(name), resources: resources,
    swiftSettings: (ships ? shipped : []) + (isOptimised ? optimised : []),
    linkerSettings: ships ? [.unsafeFlags(["-Xlinker", "--no-export-dynamic"])] : nil)
}

/// Tests are compiled as fast as can be, also where the rooms are optimised.
let quickly: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(_ name: String, of uses: [String], resources: [Resource]? = nil) -> Target {
  .testTarget(
    name: name, dependencies: uses.map { .init(stringLiteral: $0) }, path: "Tests/\(name)",
    resources: resources, swiftSettings: quickly)
}

let package = Package(
  name: "Layby",
  products: [
    .executable(name: "layby", targets: ["layby"]),
    .executable(name: "layby-keys", targets: ["keys"]),
    .executable(name: "bench", targets: ["bench"]),
    .executable(name: "compose", targets: ["compose"]),
    .executable(name: "depot", targets: ["depot"]),
    .executable(name: "virtual", targets: ["virtual"]),
    // Opened by players that bench measures.
    .library(name: "BenchDevice", type: .dynamic, targets: ["BenchDevice"]),
    // Preloaded into layby by its power cut tests, and into a depot for which a month passes.
    .library(name: "LossyDisk", type: .dynamic, targets: ["LossyDisk"]),
    .library(name: "ShiftedClock", type: .dynamic, targets: ["ShiftedClock"]),
  ],
  targets: [
    // C libraries, each used by one room.
    .target(name: "CLinux", path: "Sources/CLibraries/CLinux"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
    library("CFLAC", pkgConfig: "flac", apt: "libflac-dev"),
    library("CMPG123", pkgConfig: "libmpg123", apt: "libmpg123-dev"),
    library("CVorbis", pkgConfig: "vorbisfile", apt: "libvorbis-dev"),
    library("COpus", pkgConfig: "opusfile", apt: "libopusfile-dev"),
    library("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
    library("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
    library("CFreeType", pkgConfig: "freetype2", apt: "libfreetype-dev"),
    library("CZ", pkgConfig: "zlib", apt: "zlib1g-dev"),
    library("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev"),
    library("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    library("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    .target(name: "CSandbox", path: "Sources/CLibraries/CSandbox"),
    .target(name: "CPictures", dependencies: ["CJPEG", "CPNG", "CWebP"], path: "Sources/CLibraries/CPictures"),
    library("CGPIOD", pkgConfig: "libgpiod", apt: "libgpiod-dev"),
    lateLibrary("CCurl", apt: "libcurl4-openssl-dev"),
    lateLibrary("CCiphers"),
    lateLibrary("CTPM", apt: "libtss2-dev"),
    lateLibrary("CInput", apt: "libinput-dev"),
    lateLibrary("CShaping"),
    lateLibrary("CCode"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CSSL", pkgConfig: "openssl", apt: "libssl-dev"),

    // The ground floor.
    room("Runtime", c: ["CLinux"], isOptimised: true),
    // What the player and a process that decodes for it say to each other.
    room("DecoderProtocol", c: ["CSandbox"]),

    // Rooms that know Linux, bytes, pixels or parts, and no music.
    room("Supervisor", uses: ["Runtime"], c: ["CLinux"]),
    room("Store", uses: ["Runtime"], c: ["CSQLite"]),
    room("HTTP", uses: ["Runtime"], c: ["CCurl"]),
    room("WebServer", uses: ["Runtime"], c: ["CMicroHTTPD"], ships: false),
    room("Hardware", uses: ["Runtime", "Ciphers"], c: ["CGPIOD", "CInput", "CLinux"]),
    room("Compression", c: ["CZ"]),
    // Covers, decoded and scaled in a process that has nothing of the player's.
    room("Pictures", uses: ["DecoderProtocol", "Runtime"], c: ["CPictures"], isOptimised: true),
    room(
      "Canvas", uses: ["Compression", "Pictures", "Runtime"], c: ["CCode", "CFreeType", "CLinux", "CShaping"],
      isOptimised: true),
    room("Ciphers", uses: ["Runtime"], c: ["CCiphers", "CTPM"]),
    // Files that survive power cuts, and room on disks.
    room("Files", uses: ["Runtime"]),
    // What files of music say of themselves: containers and tags.
    room("Formats", uses: ["Compression", "Runtime"], isOptimised: true),
    // Music that is sealed, and opened as it is read.
    room("Seals", uses: ["Ciphers", "Formats", "Runtime"], isOptimised: true),
    room(
      "Audio", uses: ["DecoderProtocol", "Formats", "Runtime", "Seals"],
      c: ["CALSA", "CEBUR128", "CFLAC", "CMPG123", "COpus", "CSoxr", "CVorbis"],
      isOptimised: true),

    // Rooms that know music.
    room(
      "Library", uses: ["Files", "Formats", "Pictures", "Runtime", "Seals", "Store"],
      resources: [.embedInCode("Schema")]),
    room(
      "Playback", uses: ["Runtime", "Store", "Formats", "Audio", "Library"], resources: [.embedInCode("Schema")],
      isOptimised: true),
    // Where music comes from that is not here yet; and what of it is wanted is fetched, kept and given up.
    room("Services", uses: ["Runtime"]),
    room(
      "Offline", uses: ["Runtime", "Store", "HTTP", "Ciphers", "Files", "Services"],
      resources: [.embedInCode("Schema")], isOptimised: true),

    // Who may play sealed music, and until when.
    room("Rights", uses: ["Ciphers", "Runtime", "Seals"], isOptimised: true),

    // What can be asked, whoever asks.
    room(
      "Application",
      uses: ["Runtime", "Hardware", "Rights", "Audio", "Library", "Services", "Playback", "Offline"]),

    // Rooms that people and programs meet.
    room(
      "Panel", uses: ["Runtime", "Hardware", "Pictures", "Canvas", "Audio", "Library", "Playback", "Application"],
      isOptimised: true),
    room(
      "Remote",
      uses: [
        "Runtime", "Hardware", "Formats", "Rights", "Audio", "Library", "Services", "Playback", "Offline",
        "Application",
      ]),

    // A board in the emulator, for tests and for people.
    room("VirtualBoard", uses: ["Runtime"], ships: false),

    // Programs.
    program(
      "layby",
      uses: [
        "Runtime", "Supervisor", "Store", "HTTP", "Ciphers", "Hardware", "Pictures", "Canvas", "Formats", "Seals",
        "Audio", "Rights", "Files", "Library", "Services", "Playback", "Offline", "Application", "Panel", "Remote",
      ]),
    // Keeps the keys of sealed music in a process of its own.
    program("keys", uses: ["DecoderProtocol", "Runtime", "Ciphers", "Seals", "Rights"]),
    program(
      "bench",
      uses: [
        "Runtime", "Store", "HTTP", "Ciphers", "Hardware", "Pictures", "Canvas", "Formats", "Audio", "Library",
        "Services", "Playback", "Offline", "Panel", "Seals", "Rights",
      ],
      c: ["CountedHeap"], ships: false),
    .target(
      name: "BenchDevice", path: "Sources/CLibraries/BenchDevice",
      linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("dl")]),
    // The service's side: seals music, and gives licences for it.
    program(
      "depot", uses: ["Ciphers", "Formats", "Rights", "Runtime", "Seals", "Services", "Store", "WebServer"],
      resources: [.embedInCode("Schema"), .embedInCode("openapi.json")], ships: false),
    program("compose", uses: ["Canvas", "Runtime"], ships: false, isOptimised: true),
    program("virtual", uses: ["Runtime", "Hardware", "Canvas", "VirtualBoard"], ships: false),

    // What tests share.
    .target(name: "TestSupport", dependencies: ["Runtime", "Store", "CZ"], path: "Tests/TestSupport"),
    .target(name: "CertificateMaker", dependencies: ["CSSL"], path: "Tests/CertificateMaker"),
    .target(
      name: "FaultServer", dependencies: ["CertificateMaker", "Ciphers", "TestSupport", "Runtime", "Services"],
      path: "Tests/FaultServer"),
    .target(name: "DiskFaults", dependencies: ["Files", "Runtime"], path: "Tests/DiskFaults"),
    .target(name: "LossyDisk", path: "Tests/LossyDisk"),
    .target(name: "ShiftedClock", path: "Tests/ShiftedClock"),
    .target(name: "CountedHeap", path: "Tests/CountedHeap"),
    .executableTarget(name: "NonsenseDecoder", dependencies: ["DecoderProtocol"], path: "Tests/NonsenseDecoder"),
    .executableTarget(
      name: "Ferry", dependencies: ["HTTP", "Offline", "Runtime", "Services", "Store"], path: "Tests/Ferry"),
    .executableTarget(
      name: "CrashDisk", dependencies: ["VirtualBoard", "Runtime", "TestSupport"], path: "Tests/CrashDisk"),
    tests("HouseTests", of: []),
    tests(
      "LibrariesTests",
      of: [
        "CALSA", "CCurl", "CEBUR128", "CFLAC", "CFreeType", "CGPIOD", "CInput", "CJPEG", "CMPG123", "COpus", "CPNG",
        "CMicroHTTPD", "CSQLite", "CSSL", "CSoxr", "CVorbis", "CWebP", "CZ",
      ]),
    tests(
      "DepotTests",
      of: ["depot", "WebServer", "Ciphers", "Seals", "Rights", "Services", "Store", "Runtime", "TestSupport"]),
    tests("RuntimeTests", of: ["Runtime", "TestSupport"]),
    tests("RightsTests", of: ["keys", "Rights", "Seals", "Ciphers", "Formats", "Runtime", "TestSupport"]),
    tests("HTTPTests", of: ["HTTP", "FaultServer", "Runtime", "TestSupport"]),
    tests("StoreTests", of: ["Store", "Runtime", "Library", "Playback", "TestSupport"]),
    tests(
      "PicturesTests", of: ["Pictures", "Canvas", "DecoderProtocol", "Runtime", "CJPEG", "CWebP", "CZ", "TestSupport"]),
    tests("CanvasTests", of: ["Canvas", "Pictures", "Runtime", "CLinux", "CZ", "CountedHeap", "TestSupport"]),
    tests(
      "PanelTests",
      of: [
        "layby", "Panel", "Application", "Playback", "Library", "Formats", "Audio", "Canvas", "Pictures", "Runtime",
        "CountedHeap", "TestSupport",
      ]),
    tests(
      "RemoteTests",
      of: [
        "Remote", "Application", "Playback", "Offline", "Services", "Formats", "Audio", "Hardware", "Library",
        "Runtime", "TestSupport",
      ]),
    tests(
      "WiringTests",
      of: [
        "layby", "Application", "Audio", "Canvas", "HTTP", "Hardware", "Library", "Offline", "Panel", "Playback",
        "Remote", "Rights", "Services", "Ciphers", "Store", "Supervisor", "Runtime", "TestSupport",
      ]),
    tests(
      "LibraryTests",
      of: [
        "Library", "Files", "DiskFaults", "Formats", "Audio", "Pictures", "Canvas", "Store", "Runtime", "TestSupport",
      ]),
    tests("SupervisorTests", of: ["Supervisor", "Runtime", "TestSupport"]),
    tests("FormatsTests", of: ["Formats", "Runtime", "TestSupport"]),
    tests("AudioTests", of: ["Audio", "Formats", "DecoderProtocol", "Runtime", "CountedHeap", "TestSupport"]),
    tests(
      "ProgramTests",
      of: [
        "layby", "Library", "Playback", "Remote", "Rights", "Seals", "Services", "Ciphers", "Canvas", "Pictures",
        "FaultServer", "Store", "Runtime", "TestSupport",
      ]),
    tests("PowerCutTests", of: ["Playback", "Remote", "Store", "Runtime", "TestSupport"]),
    tests("PlaybackTests", of: ["Playback", "Formats", "Audio", "Library", "Store", "Runtime", "TestSupport"]),
    tests("CiphersTests", of: ["Ciphers", "TestSupport"]),
    tests("ServicesTests", of: ["Services", "Runtime", "TestSupport"]),
    .target(
      name: "FleetWeek", dependencies: ["Offline", "Files", "Rights", "Seals", "Ciphers", "Runtime", "TestSupport"],
      path: "Tests/FleetWeek"),
    .executableTarget(name: "week", dependencies: ["FleetWeek", "Runtime"], path: "Tests/Week"),
    tests("WeekTests", of: ["FleetWeek", "Offline"]),
    tests(
      "OfflineTests",
      of: [
        "Offline", "HTTP", "FaultServer", "DiskFaults", "Ciphers", "Files", "Library", "Services", "Store", "Runtime",
        "TestSupport",
      ]),
    tests("HardwareTests", of: ["Hardware", "Runtime", "TestSupport"]),
    tests("BenchTests", of: ["bench", "FaultServer", "Services", "Runtime", "TestSupport"]),
    tests("VirtualBoardTests", of: ["VirtualBoard", "Runtime", "TestSupport"]),
    tests("BoardTests", of: ["FaultServer", "VirtualBoard", "Playback", "Store", "Runtime", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

// What the player cannot decode itself is decoded by a program of its own, with libraries that bring a hundred others:
// LAYBY_SMALL=1 leaves it out, and nothing of them is needed then.
if Context.environment["LAYBY_SMALL"] == nil {
  package.products.append(.executable(name: "layby-decode", targets: ["decode"]))
  package.targets += [
    library("CAV", pkgConfig: "libavformat", apt: "libavformat-dev"),
    room("ForeignDecoder", uses: ["DecoderProtocol"], c: ["CAV"]),
    program("decode", uses: ["ForeignDecoder"]),
  ]
}

// The fuzzers are linked with the toolchain's libFuzzer, whose path Tests/lib/fuzz.sh gives.
if let libFuzzer = Context.environment["LAYBY_FUZZER"] {
  let uses: [Target.Dependency] = [
    "Runtime", "Store", "Pictures", "Canvas", "DecoderProtocol", "Files", "Formats", "Audio", "HTTP", "Hardware",
    "Library",
    "Services", "Offline", "Remote", "ForeignDecoder", "Ciphers", "Seals", "Rights", "WebServer",
  ]
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: uses, path: "Tests/Fuzz", exclude: ["Seeds"],
      linkerSettings: [.unsafeFlags(["-Xlinker", libFuzzer]), .linkedLibrary("stdc++")]))
}

// LAYBY_TARGETS="NAME NAME" builds these and what they need. The rest of the package is left out, so that one
// `swift build` compiles the suites that a sanitizer is for, and nothing else.
if let named = Context.environment["LAYBY_TARGETS"] {
  func needs(_ name: String) -> Set<String> {
    package.targets.first { $0.name == name }?.dependencies.reduce(into: [name]) { found, dependency in
      if case .byNameItem(let used, _) = dependency { found.formUnion(needs(used)) }
    } ?? []
  }
  let needed = named.split(separator: " ").reduce(into: Set<String>()) { $0.formUnion(needs(String($1))) }
  package.targets.removeAll { !needed.contains($0.name) }
  // What tests start is named as it ships.
  package.products =
    (needed.contains("decode") ? [.executable(name: "layby-decode", targets: ["decode"])] : [])
    + (needed.contains("keys") ? [.executable(name: "layby-keys", targets: ["keys"])] : [])
}
