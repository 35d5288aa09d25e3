import Runtime

extension Download {
  /// Names one piece of work, so that news of an older one is not listened to.
  package struct Ticket: Hashable, Sendable {
    package let number: UInt64
    package init(number: UInt64) { self.number = number }
  }

  /// What a source says of an item, without its address: whoever performs keeps that for the fetch that follows.
  package struct SourceFacts: Equatable, Sendable {
    package var size: Int64?
    /// SHA-256 in small hexadecimal letters.
    package var hash: String?
    /// How its file is called at the end: `flac`.
    package var ending: String?

    package init(size: Int64? = nil, hash: String? = nil, ending: String? = nil) {
      (self.size, self.hash, self.ending) = (size, hash, ending)
    }
  }

  package enum Finding: Equatable, Sendable {
    /// The length and, where one was given, the hash are right; this is the hash.
    case right(hash: String)
    case wrong
    /// What was durable is not what it was, from here on; what is before is.
    case damaged(from: Int64)
    /// It cannot be read, or is shorter than it was.
    case unreadable
  }

  package enum Event: Equatable, Sendable {
    /// It has a place among those that run.
    case start
    /// It loses its place: by the policy, or to one that is wanted more. Nobody's fault, and no attempt.
    case hold
    case pause
    case resume
    /// Nothing is to be kept of it; of a completed one too.
    case cancel
    /// After it failed or was cancelled, or to wait no longer.
    case again
    /// It was given up, and may be right by now: one attempt shows it.
    case chance
    /// What it waited for has come.
    case lifted(WaitReason)

    case resolved(Ticket, SourceFacts)
    case answered(Ticket, MediaResponse)
    /// So many bytes more of the body, none of them written yet.
    case took(Ticket, Int)
    /// The file survives a power cut up to here; the last piece of it, to be known by.
    case synced(Ticket, upTo: Int64, Pieces.Piece? = nil)
    /// The body has ended in due form.
    case ended(Ticket)
    /// Resolving, the transfer, or the disk failed.
    case failed(Ticket, Trouble)
    case verified(Ticket, Finding)
    case published(Ticket, path: String)
    case due(Ticket)

    /// A completed one's file is gone, or not as it was.
    case lost
    /// The source has another version of a completed one. What is here stays until that is whole.
    case outdated
  }

  /// In order; each is done before the next begins, as far as it is not work that ends with an event of its own.
  package enum Action: Equatable, Sendable {
    /// Durably, before what follows.
    case store(DownloadRecord)
    /// Ends with `resolved` or `failed`. Anew: what is remembered of it is no good.
    case resolve(Ticket, isAnew: Bool)
    /// The file is made if it is not there, and is this long at most.
    case cutBack(to: Int64)
    /// Ends with `ended` or `failed`. From 0 is without a range.
    case fetch(Ticket, Asked)
    /// Of the bytes just told of, all but the first so many.
    case write(Ticket, at: Int64, skipping: Int, count: Int)
    /// Of what was given to write before. Ends with `synced` or `failed`.
    case sync(Ticket, upTo: Int64)
    /// Ends with `verified`. Without a hash it is only computed; what the record knows of its pieces is held against them.
    case verify(Ticket, size: Int64, hash: String?)
    /// In one step, and durably. Ends with `published` or `failed`.
    case publish(Ticket)
    /// Of this work no more news is wanted; what was given to write is written all the same.
    case stop(Ticket)
    /// The growing file and the whole one, whichever is there; not an older one that stays for now.
    case discard
    /// Ends with `due`.
    case schedule(Ticket, after: Duration)
    case tell(DownloadEvent)
  }

  /// What lies on the disk at start, of a download.
  package struct Remains: Equatable, Sendable {
    /// Of the growing file.
    package var length: Int64?
    /// A file has the final name.
    package var isWhole = false
    /// One has it that is of an older version.
    package var hasOlder = false
    /// The growing file has all its bytes, and was found under a final name that no row knows of.
    package var isUnchecked = false

    package init(length: Int64? = nil, isWhole: Bool = false) {
      self.length = length
      self.isWhole = isWhole
    }
  }
}
