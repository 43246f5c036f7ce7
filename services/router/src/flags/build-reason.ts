/**
 * The reason why the composition of a flag was compiled, as metrics and the log name it: a request waits for
 * it, clients ask for its flag, or there was nothing else to compile.
 */
export type BuildReason = 'requested' | 'in use' | 'ahead'
