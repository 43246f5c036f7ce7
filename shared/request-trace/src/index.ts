export { fetchesOf } from './fetches-of.ts'
export {
  parseTrace,
  readTrace,
  readTracedResponse,
  TraceInvalidError,
  type TracedResponse,
} from './parse-trace.ts'
export type { TracedError } from './response-errors.ts'
export { printTraceJsonSchema, traceJsonSchema } from './json-schema.ts'
export {
  type Trace,
  type TraceFetch,
  type TraceHeaders,
  type TraceInput,
  type TraceAskedBy,
  type TraceRateLimit,
  type TraceRollout,
  type TraceFailedAttempt,
  type TraceLoad,
  type TraceLoadStats,
  type TraceNode,
  type TraceOutput,
  type TracePhase,
  type TraceWait,
  WAITS,
  TraceSchema,
  type TraceTruncated,
} from './schema.ts'
