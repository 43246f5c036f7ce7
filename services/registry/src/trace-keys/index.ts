/** Exports for programs that make a set-up with its keys. */
export { newTraceKey } from './trace-key.ts'
export { TraceKeyFile } from './trace-key-file.ts'
