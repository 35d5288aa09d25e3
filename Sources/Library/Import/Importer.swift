import Glibc
import Runtime

/// Imports a source's files into the catalogue, folder by folder: list, compare with what is known, read what is new,
/// store in batches. A power cut costs the last batches. Unchanged files are not read again, so an import that was
/// broken off continues where it was, and one that finds nothing new is quick.
///
/// It runs on a loop of its own at the lowest priority. In memory it holds one batch of files and two groups of
/// folders: while the library answers for one group, the next is listed.
package actor Importer {
  let catalogue: Catalogue
  let loop: EventLoop
  let disk: any ImportDisk
  let limits: ImportLimits
  private let team: ReaderTeam
  /// Folders that had music and were found empty once since the program started.
  private var seenEmpty: Set<Int64> = []
  private let log = Log("import")

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How many files are stored in one transaction.
  static let batch = 250
  /// Limits of one question to the library, because whoever else asks it waits until that is answered.
  private static let foldersAtOnce = 64
  private static let filesAtOnce = 1_000
  /// How often progress is reported.
  private static let toldEvery: Duration = .milliseconds(250)

  package init(into catalogue: Catalogue, on loop: EventLoop, readers: Int = 2, withForeign: Bool = true) {
    self.init(
      into: catalogue, on: loop, readers: readers, disk: SourceDisk(withForeign: withForeign), ImportLimits())
  }

  init(
    into catalogue: Catalogue, on loop: EventLoop, readers: Int = 2, disk: any ImportDisk, _ limits: ImportLimits
  ) {
    self.catalogue = catalogue
    self.loop = loop
    self.disk = disk
    self.limits = limits
    team = ReaderTeam(count: readers, disk: disk)
  }

  /// Imports the source, which is present at `root`. `told` is called with the progress. `lookup` gives the names that
  /// the indexes of sources have for files. When `sign` is raised, the import ends after the files that are being read;
  /// what it has stored stays.
  package func run(
    source: Int64, root: FilePath, today: Int64, sign: StopSign = StopSign(), lookup: IndexLookup? = nil,
    told: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws(Fault) -> ImportProgress {
    KeptHeap.begin()
    defer {
      KeptHeap.end()
      ResidentCode.letGo()
    }
    var run = ImportRun(source: source, root: root, today: today, sign: sign, lookup: lookup, on: loop, began: loop.now)
    run.place = try Self.identity(of: root)
    run.progress.expected = try await catalogue.count(ofSource: source)
    if run.progress.expected == 0 { run.progress.expected = try count(run, told: told) }
    run.progress.phase = .reading
    told(run.progress)
    var walk = Walk(root)
    var ahead = try nextFolders(of: &walk, &run)
    var asked = ask(for: ahead, run)
    while !ahead.isEmpty {
      let visits = ahead
      ahead = try nextFolders(of: &walk, &run)
      let known = try await asked.value.get()
      run.way = known.way
      // The library answers for the next folders while these are read.
      asked = ask(for: ahead, run)
      for (visit, folder) in zip(visits, known.folders) { try await compare(visit, with: folder, &run, told) }
    }
    try await readAll(&run, downTo: 1, told)
    try await run.storing?.value.get()
    run.progress.leftOut += walk.left
    run.progress.foldersTooDeep = walk.left
    if walk.left > 0 {
      log.notice("folders were left out: too deep, or too many", ["root": root, "folders": walk.left])
    }
    run.progress.phase = .playlists
    told(run.progress)
    try await importPlaylists(&run)
    run.progress.phase = .done
    told(run.progress)
    log.info(
      "imported",
      ["root": root, "files": run.progress.seen, "read": run.progress.read, "unreadable": run.progress.unreadable])
    return run.progress
  }

  private func tell(_ run: inout ImportRun, _ told: (ImportProgress) -> Void) {
    guard loop.now - run.lastTold >= Self.toldEvery else { return }
    run.lastTold = loop.now
    told(run.progress)
  }

  /// Counts the files for the progress of a first import. Later the catalogue knows the number.
  private func count(_ run: ImportRun, told: (ImportProgress) -> Void) throws(Fault) -> Int {
    var progress = run.progress
    var walk = Walk(run.root)
    while let step = walk.next() {
      try run.checkStop()
      guard case .success(let listing) = list(walk.path(of: step), step) else { continue }
      progress.expected += listing.files.count
      walk.goOn(into: listing.folders, of: step)
      if walk.entered % 200 == 0 { told(progress) }
    }
    return progress.expected
  }

  /// Lists the next folders of the walk, as many as the library is asked about at a time. Empty at the end of the walk.
  private func nextFolders(of walk: inout Walk, _ run: inout ImportRun) throws(Fault) -> [ImportRun.Visit] {
    var visits: [ImportRun.Visit] = []
    var files = 0
    while visits.count < Self.foldersAtOnce, files < Self.filesAtOnce, let step = walk.next() {
      let path = walk.path(of: step)
      guard let listing = try checked(list(path, step), of: step, at: path, &run) else { continue }
      walk.goOn(into: listing.folders, of: step)
      files += listing.files.count
      visits.append(.init(step: step, path: path, listing: listing))
    }
    return visits
  }

  private func list(_ path: FilePath, _ step: Walk.Step) -> Result<Listing, Fault> {
    do throws(Fault) {
      return .success(try disk.list(path, followingLink: step.names.isEmpty, most: limits.inFolder))
    } catch { return .failure(error) }
  }

  /// Decides what a listing means. It throws when the import must end, because the source is gone or its root is empty.
  /// Nil: only this folder cannot be listed, and it is left out.
  private func checked(
    _ result: Result<Listing, Fault>, of step: Walk.Step, at path: FilePath, _ run: inout ImportRun
  ) throws(Fault) -> Listing? {
    switch result {
    case .success(let listing):
      if step.names.isEmpty && listing.isEmpty && run.progress.expected > 0 {
        // An empty root is what an unmounted disk leaves. Its files are away, not deleted.
        throw Fault(
          .missing, "L-409",
          "\(run.root) is empty, and \(run.progress.expected) files are known of it; they are kept as they are")
      }
      return listing
    case .failure(let fault):
      try run.stillThere()
      if step.names.isEmpty { throw fault }
      // What is known of the folder is kept, since its files may still be there.
      run.progress.leftOut += 1
      log.warning("a folder is left out", ["folder": path, "reason": fault.message])
      return nil
    }
  }

  /// Asks the library on its own thread, so that this thread can list the next folders.
  private func ask(for visits: [ImportRun.Visit], _ run: ImportRun) -> Task<Result<KnownFolders, Fault>, Never> {
    let (catalogue, source, way) = (catalogue, run.source, run.way)
    let steps = visits.map(\.step)
    return Task(executorPreference: catalogue.loop) {
      do throws(Fault) {
        return .success(steps.isEmpty ? ([], way) : try await catalogue.enter(steps, of: source, after: way))
      } catch { return .failure(error) }
    }
  }

  private typealias KnownFolders = (folders: [Catalogue.KnownFolder], way: [Catalogue.Waypoint])

  /// Compares one folder with what is known of it.
  private func compare(
    _ visit: ImportRun.Visit, with known: Catalogue.KnownFolder, _ run: inout ImportRun,
    _ told: (ImportProgress) -> Void
  ) async throws(Fault) {
    let (listing, path, step) = (visit.listing, visit.path, visit.step)
    run.progress.folders += 1
    run.progress.leftOut += listing.oddities + listing.unplayable + listing.left
    run.progress.unplayable += listing.unplayable
    var comparison = Comparison(listing, known)
    while let (file, before) = comparison.next() {
      let facts = FileFacts(folder: known.place.id, name: file.name, size: file.size, modified: file.modified)
      let isUnchanged = before?.isStill(facts) == true
      if case .playlist(let kind) = file.class {
        run.note(
          .init(path: path, names: step.names, facts: facts, kind: kind, isUnchanged: isUnchanged),
          most: limits.playlists)
        continue
      }
      run.progress.seen += 1
      if !isUnchanged && run.progress.seen > limits.files {
        run.progress.leftOut += 1
      } else if !isUnchanged {
        run.jobs.append(.init(path: Self.path(path, file.name), facts: facts, encoding: known.place.encoding))
        if run.jobs.count >= Self.batch { try await readAll(&run, downTo: Self.batch, told) }
      }
    }
    try run.checkStop()
    tell(&run, told)
    let looksEmpty = listing.files.isEmpty && listing.folders.isEmpty && listing.unplayable == 0
    let isAllGone = looksEmpty && comparison.isSomeGone && !step.names.isEmpty
    if isAllGone && seenEmpty.insert(known.place.id).inserted {
      // An unmounted disk looks like this, and so does a folder on a bad part of a stick. Only when it is empty at the
      // next import too are its files taken for deleted.
      run.progress.leftOut += 1
      log.notice("a folder is empty where there was music; what is known of it is kept", ["folder": path])
    } else if !listing.isCut, comparison.isSomeGone {
      try run.stillThere()
      try await run.storing?.value.get()
      try await change(&run)
      try await catalogue.keepOnly(Set(listing.folders).union(listing.files.map(\.name)), in: known.place.id)
    }
  }

  /// Reads and stores until fewer than `count` files wait to be read.
  private func readAll(
    _ run: inout ImportRun, downTo count: Int, _ told: (ImportProgress) -> Void
  ) async throws(Fault) {
    while run.jobs.count >= count {
      try await readAndStore(&run)
      try run.checkStop()
      tell(&run, told)
    }
  }

  /// Before the first change, notes that the source's playlists must be looked up again: also by the next import,
  /// should this one be broken off.
  private func change(_ run: inout ImportRun) async throws(Fault) {
    if run.hasChanged { return }
    try await catalogue.doubtPlaylists(ofSource: run.source)
    run.hasChanged = true
  }

  private func readAndStore(_ run: inout ImportRun) async throws(Fault) {
    let jobs = Array(run.jobs.prefix(Self.batch))
    run.jobs.removeFirst(jobs.count)
    var answers = await team.read(jobs, until: run.sign)
    // After a stop the answers are incomplete and must not be stored.
    try run.checkStop()
    let again = FolderEncoding.doubtful(answers)
    if !again.isEmpty {
      let secondJobs = again.map { index, neighbours in
        var job = jobs[index]
        job.neighbours = neighbours
        return job
      }
      let second = await team.read(secondJobs, until: run.sign)
      for (place, answer) in zip(again.map(\.0), second) { answers[place] = answer }
      try run.checkStop()
    }
    let found = await named(answers.map(\.found), by: run.lookup)
    let unreadable = found.count { if case .unreadable = $0.outcome { true } else { false } }
    if unreadable > 0 { try run.stillThere() }
    run.progress.read += found.count
    run.progress.unreadable += unreadable
    // The next batch is read while this one is stored; never are two stored at once.
    try await run.storing?.value.get()
    try checkRoom()
    try await change(&run)
    let (catalogue, today) = (catalogue, run.today)
    run.storing = Task(executorPreference: catalogue.loop) {
      do throws(Fault) {
        _ = try await catalogue.store(found, today: today)
        return .success(())
      } catch { return .failure(error) }
    }
  }

  /// Gives files of a download source the names that its index has for them. Files that no index knows are left out.
  private func named(_ found: [Found], by lookup: IndexLookup?) async -> [Found] {
    guard let lookup else { return found }
    let known = await lookup(found.map(\.facts.name))
    return found.compactMap { one in
      guard let facts = known[one.facts.name] else { return nil }
      guard case .music(var metadata, let key) = one.outcome else { return one }
      metadata.take(facts)
      return Found(one.facts, .music(metadata, key))
    }
  }

  func checkRoom() throws(Fault) { try disk.checkRoom(at: catalogue.folder) }

  static func path(_ folder: FilePath, _ name: [UInt8]) -> FilePath {
    let slash: [UInt8] = folder.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(bytes: folder.bytes + slash + name) ?? folder
  }

  static let notThere = "L-405"
  static let isFull = "L-412"

  static func identity(of root: FilePath) throws(Fault) -> ImportRun.FolderIdentity {
    var status = stat()
    guard root.withCString({ stat($0, &status) }) == 0 else { throw Fault.system(notThere, doing: "find \(root)") }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Fault(.malformed, "L-406", "\(root) is no folder; expected a folder of music")
    }
    return ImportRun.FolderIdentity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
  }
}
