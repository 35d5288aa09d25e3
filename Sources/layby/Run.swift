import Glibc
import Runtime

/// `layby run`: the one process. The deck is this thread; everything starts and ends on it.
func runSupervisor(_ arguments: [String]) throws(Fault) -> Int32 {
  if arguments.contains("--help") {
    print(RunOptions.help)
    return EX_OK
  }
  let options = try RunOptions(arguments)
  let reading: SettingsReading
  do throws(Fault) {
    reading = try Settings.load(board: options.board, owner: options.owner) { settings in
      OwnersFile.lastGood(in: options.state ?? settings[.statePath])
    }
  } catch {
    complain(error)
    return EX_CONFIG
  }
  LogBook.shared.show(upTo: reading.settings[.logLevel])
  Deck.start {
    let code = await House(options, reading).live()
    fflush(nil)
    // Not `exit`: other threads still run, and what must be kept is on the disk.
    _exit(code)
  }
  Deck.loop.run()
  return EX_OK
}
