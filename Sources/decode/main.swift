// layby-decode: decodes for the player what that cannot decode itself, in a process of its own. The player starts it
// with a socket as descriptor 3.
import ForeignDecoder

DecoderProcess.run(CommandLine.arguments)
