import Glibc

/// Address or thread sanitizer. Its runtime has to be loaded before any other library, takes memory of its own, and does
/// what a process that is shut in may not do.
package enum Sanitizer {
  package static let isThere: Bool = {
    guard let program = dlopen(nil, RTLD_NOW) else { return false }
    return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
  }()
}
