import Runtime
import TestSupport
import Testing
import VirtualBoard

/// A stick as a computer leaves it: a track in a folder with letters of other scripts, and the junk that a Mac and
/// Windows put beside it. A file of the host's, so that it can be looked at afterwards and put in twice.
final class MadeUpStick {
  enum Kind: String, CaseIterable, Sendable {
    case fat32 = "vfat"
    case exFAT = "exfat"
    case ext4
  }

  static let track = "Музыка ü/01 日本.flac"
  static let bytes: Int64 = 64 << 20

  let folder = TempFolder()
  var image: FilePath { folder.path / "stick" }

  /// Nothing on it.
  init() throws {
    try Spawned.run(["truncate", "--size=\(Self.bytes)", "\(image)"], output: folder.path / "out")
  }

  /// FAT32 in a partition, made on this computer by tools that need no rights; with all that lies in `tree`.
  convenience init(fatFromHere label: String, holding track: FilePath, and tree: FilePath? = nil) throws {
    try self.init()
    try run(
      """
      echo 'start=2048, type=c' | sfdisk --quiet "$1"
      export MTOOLS_SKIP_CHECK=1 LC_ALL=C.UTF-8 TZ=UTC
      mformat -F -i "$1@@1M" -v "$2" -T $((\(Self.bytes) / 512 - 2048)) -h 64 -s 32 ::
      mmd -i "$1@@1M" ::/Музыка
      mcopy -i "$1@@1M" "$3" ::/Музыка/01.flac
      [ -z "$4" ] || mcopy -i "$1@@1M" -s -m "$4"/* ::
      """, label, "\(track)", tree.map(\.description) ?? "")
  }

  /// FAT from the first block on, and in that block a table with a partition that begins there too: mtools do so.
  convenience init(twiceFromHere label: String) throws {
    try self.init()
    try run(#"mformat -i "$1" -v "$2" ::"#, label)
  }

  /// As little of NTFS as the device manager knows it by: the head, and the first records of its table of files.
  convenience init(asNTFS: Void) throws {
    try self.init()
    try run(
      """
      put() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
      put "$1" 3 'NTFS    '
      put "$1" 11 '\\0\\002\\010'
      put "$1" 21 '\\370'
      put "$1" 40 '\\377\\077\\0\\0\\0\\0\\0\\0\\004\\0\\0\\0\\0\\0\\0\\0'
      put "$1" 56 '\\010\\0\\0\\0\\0\\0\\0\\0\\366\\0\\0\\0\\001\\0\\0\\0'
      put "$1" 72 '\\001\\002\\003\\004\\005\\006\\007\\010'
      put "$1" 510 '\\125\\252'
      for place in 16384 17408 18432 19456; do
        put "$1" $place FILE
        put "$1" $((place + 20)) '\\070\\0'
        put "$1" $((place + 56)) '\\377\\377\\377\\377'
      done
      """)
  }

  /// FAT32 with a file that sets up boards.
  convenience init(fatFromHere label: String, setup text: String) throws {
    try self.init()
    let file = folder.path / "setup"
    try AtomicFile.replace(file, with: Array(text.utf8))
    try run(
      """
      echo 'start=2048, type=c' | sfdisk --quiet "$1"
      export MTOOLS_SKIP_CHECK=1 LC_ALL=C.UTF-8
      mformat -F -i "$1@@1M" -v "$2" -T $((\(Self.bytes) / 512 - 2048)) -h 64 -s 32 ::
      mcopy -i "$1@@1M" "$3" ::/layby-setup.conf
      """, label, "\(file)")
  }

  /// Without a table of partitions: what lies in `tree`, for a board to copy from.
  convenience init(carrying tree: FilePath) throws {
    try self.init()
    try run(#"mke2fs -q -F -t ext4 -E root_owner=0:0 -d "$2" "$1""#, "\(tree)")
  }

  /// Made in the board, by its kernel; it does not look at the stick meanwhile. All that is on `carrier` lies on it.
  convenience init(
    _ kind: Kind, inPartition: Bool, label: String, by board: VirtualBoard, and carrier: MadeUpStick? = nil,
    then: String = ""
  ) throws {
    try self.init()
    try board.withBlindSticks { () throws(Fault) in
      let number = try board.plugStick(image)
      try board.waitUntil("the disk is there") { () throws(Fault) in try board.shell("test -b /dev/sda").code == 0 }
      let then = carrier == nil ? then : Self.unloading + "\n" + then
      let second = try carrier.map { carrier throws(Fault) in try board.plugStick(carrier.image) }
      let words = [kind.rawValue, inPartition ? "table" : "whole", label, Self.track, then]
        .map(VirtualBoard.quoted).joined(separator: " ")
      try board.says(
        "bash -euc \(VirtualBoard.quoted(Self.making)) make \(words) 2>&1", within: .seconds(240))
      for number in [second, number].compactMap({ $0 }) { try board.pullStick(number) }
      try board.waitUntil("the disks are gone") { () throws(Fault) in
        try board.shell("test -b /dev/sda -o -b /dev/sdb").code != 0
      }
    }
  }

  /// Another stick with the same on it.
  convenience init(like other: FilePath) throws {
    try self.init()
    try Spawned.run(["cp", "--sparse=always", "\(other)", "\(image)"], output: folder.path / "out")
  }

  func run(_ script: String, _ words: String...) throws {
    try Spawned.run(["bash", "-euc", script, "stick", "\(image)"] + words, output: folder.path / "out")
  }

  /// Everything on it, in a few letters.
  func sum() throws -> String {
    let out = folder.path / "sum"
    try AtomicFile.replace(out, with: [])
    try Spawned.run(["sha256sum", "\(image)"], output: out)
    return String(decoding: try AtomicFile.read(out, limit: 4_096).prefix(64), as: UTF8.self)
  }

  /// Dates too: what is the same has the same.
  private static let unloading = """
    until [ -b /dev/sdb ]; do sleep 0.1; done
    mkdir -p /run/carrier
    mount -t ext4 -o ro,noload /dev/sdb /run/carrier
    cp -r --preserve=timestamps /run/carrier/. .
    rm -rf lost+found
    umount /run/carrier
    """

  private static let making = """
    kind=$1 disk=/dev/sda label=$3 track=$4 part=
    udevadm settle
    if [ "$2" = table ]; then
      parted -s $disk mklabel msdos mkpart primary 1MiB 100%
      part=1
      udevadm settle
    fi
    case $kind in
      vfat) mkfs.vfat -F 32 -n "$label" $disk$part; how='vfat -o utf8=1' ;;
      exfat) mkfs.exfat -L "$label" $disk$part; how='exfat -o iocharset=utf8' ;;
      ext4) mkfs.ext4 -q -F -L "$label" $disk$part; how=ext4 ;;
    esac
    mkdir -p /run/making
    mount -t $how $disk$part /run/making
    cd /run/making
    mkdir -p "$(dirname "$track")" .Trashes .Spotlight-V100 'System Volume Information' '$RECYCLE.BIN'
    for one in /usr/share/layby/demo/*.flac; do cp "$one" "$track" && break; done
    echo junk | tee "$(dirname "$track")/._01.flac" .DS_Store Thumbs.db desktop.ini >'$RECYCLE.BIN/desktop.ini'
    eval "$5"
    cd /
    umount /run/making 2>/dev/null || true
    """
}

extension VirtualBoard {
  /// What is plugged in meanwhile is a bare disk.
  func withBlindSticks(_ body: () throws(Fault) -> Void) throws(Fault) {
    let units = "layby-stick@sda.service layby-stick@sda1.service layby-stick@sdb.service"
    try says("systemctl mask --runtime \(units)")
    try body()
    try says("systemctl unmask --runtime \(units)")
  }

  /// Those that the player lists.
  func listedSticks() throws(Fault) -> [JSON] { try layby("sticks")["sticks"]?.items ?? [] }

  func waitUntilListed(_ count: Int) throws(Fault) -> [JSON] {
    var found: [JSON] = []
    try waitUntil("\(count) sticks are listed", within: .seconds(90), every: .milliseconds(300)) { () throws(Fault) in
      found = try listedSticks()
      return found.count == count
    }
    return found
  }

  /// How often a notice with this code was told by the player, since the board was switched on.
  func told(_ code: String) throws(Fault) -> Int {
    Int(try says("journalctl -b -u layby -o cat --no-pager | grep -c 'notice.*\(code)' || true")) ?? 0
  }

  /// A command as the player would run it: in its view of the file system, with its rights.
  func asPlayer(_ command: String) throws(Fault) -> Agent.Ran {
    try shell(
      "nsenter -t $(systemctl show -P MainPID layby) -m -U --preserve-credentials -S $(id -u layby) -G $(id -g layby) "
        + "bash -c \(Self.quoted(command))")
  }
}
