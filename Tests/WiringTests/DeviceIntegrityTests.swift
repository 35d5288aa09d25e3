import Services
import Testing

@testable import layby

@Suite("What a device says of itself")
struct DeviceIntegrityTests {
  @Test("a root is verified where the kernel checks its blocks, and only where it does")
  func root() {
    #expect(DeviceIntegrity.root(mapping: "CRYPT-VERITY-0123-root\n", isSquashed: true) == .verified)
    #expect(DeviceIntegrity.root(mapping: "CRYPT-LUKS2-0123-root\n", isSquashed: true) == .unverified)
    #expect(DeviceIntegrity.root(mapping: "", isSquashed: false) == .unknown)
  }

  @Test("the root is the last that is mounted there")
  func mounts() {
    let mounts = """
      1 1 0:2 / / rw - rootfs rootfs rw
      22 1 179:4 / / ro,relatime shared:1 - squashfs /dev/mmcblk0p4 ro
      23 22 0:21 / /proc rw - proc proc rw
      """
    let found = DeviceIntegrity.rootMount(mounts)
    #expect(found?.device == "179:4" && found?.system == "squashfs")
    for wrong in ["", "/", "22 1 179:4 / /", "22 1 ../x / / ro - squashfs a ro", "22 1 179:4 / / ro -"] {
      #expect(DeviceIntegrity.rootMount(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a tracer is a process with a number")
  func tracer() {
    #expect(!DeviceIntegrity.isTraced("Name:\tlayby\nTracerPid:\t0\nUid:\t1"))
    #expect(DeviceIntegrity.isTraced("Name:\tlayby\nTracerPid:\t4711\nUid:\t1"))
    #expect(!DeviceIntegrity.isTraced(""))
  }

  @Test("the image is named in few letters, whatever the system says")
  func image() {
    #expect(DeviceIntegrity.image("ID=debian\nVERSION_ID=\"13\"\n") == "layby \(version) on debian 13")
    #expect(DeviceIntegrity.image("ID=\(String(repeating: "é", count: 90))").unicodeScalars.count <= 50)
  }
}
