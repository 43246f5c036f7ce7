/** What traces say that their requests waited for. */
import { TraceSchema, type Trace } from '@switchyard/request-trace'

/** The trace in a response; throws if it does not have the published shape. */
export function traceOf(response: string): Trace {
  const { extensions }: { readonly extensions: { readonly trace: unknown } } = JSON.parse(response)
  return TraceSchema.parse(extensions.trace)
}

export function namesOf({ info }: Trace): readonly string[] {
  return (info.waits ?? []).map((wait) => wait.for)
}

/** The names of the waits that the trace of a response holds, in order. */
export function waitsOf(response: string): readonly string[] {
  return namesOf(traceOf(response))
}
