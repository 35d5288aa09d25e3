// A process that shuts itself in before it looks at foreign bytes.
#pragma once

/// From here on the process can read and write what it has open, use memory it is given, tell the time and end; what
/// else it asks of the kernel is its death by SIGSYS. It dies with the thread that started it. 0, or an errno when the
/// kernel refuses: then nothing may be trusted to it.
int layby_sandbox_enter(void);

/// As above, for who keeps keys: it also opens, writes and removes files, where the kernel has Landlock nowhere but below
/// the open folder `folder`, and accepts connections. With `may_connect` it may also make sockets. It does not die with who
/// started it. Code that it needs must have been loaded before.
int layby_sandbox_keep(int folder, int may_connect);

/// 1 when the kernel has Landlock.
int layby_sandbox_closes_files(void);

/// Tries what nobody in there may do, for the proof: "open", "socket", "exec", "fork", "execmem", "kill". Returns only
/// when it was not stopped; -1 for a name that it does not know.
int layby_sandbox_try(const char *what);
