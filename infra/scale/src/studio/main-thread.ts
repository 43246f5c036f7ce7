/** Reads from a trace of Chromium what the main thread of the page did until the page could be used. */
export type MainThread = {
  /** Milliseconds of CPU after the last answer that the page waited for, and all since it was opened. */
  readonly afterData: number
  readonly total: number
  /** CPU of the longest task. */
  readonly longestTask: number
}

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds: when it began, how long it took, and how much CPU the thread had meanwhile. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: {
    readonly name?: string
    readonly data?: { readonly url?: string; readonly requestId?: string; readonly mimeType?: string }
  }
}

/** Marks of the page: its content is there; nothing happened for a while after that. */
const SHOWN = 'shown'
const QUIET = 'quiet'
/** Microseconds of a task that keeps input waiting. */
const LONG = 50_000
const EVENT_STREAM = 'text/event-stream'

export function mainThreadOf(trace: Buffer): MainThread {
  const { traceEvents: events }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
    trace.toString('utf8'),
  )
  const [shown, quiet] = [marked(events, SHOWN), marked(events, QUIET)]
  const all = events.filter(
    ({ name, pid, tid, ts }) =>
      name.endsWith('RunTask') && pid === quiet.pid && tid === quiet.tid && ts < quiet.ts,
  )
  const usable = Math.max(shown.ts, ...all.filter(({ tdur = 0 }) => tdur > LONG).map(({ ts }) => ts + 1))
  const tasks = all.filter(({ ts }) => ts < usable)
  const data = lastAnswer(events, { ...quiet, ts: usable })
  const cpu = (those: readonly TraceEvent[]) => those.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
  return {
    afterData: cpu(tasks.filter(({ ts, dur = 0 }) => ts + dur > data)),
    total: cpu(tasks),
    longestTask: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
  }
}

function marked(events: readonly TraceEvent[], mark: string): TraceEvent {
  const found = events.findLast(({ name, ph }) => name === mark && ph !== 'M')
  if (found === undefined) throw new Error(`the trace has no mark "${mark}"`)
  return found
}

/** The moment at which the last answer of the API was there. */
function lastAnswer(events: readonly TraceEvent[], mark: TraceEvent): number {
  const own = events.filter(({ pid, ts }) => pid === mark.pid && ts < mark.ts)
  const asked = new Set(
    own
      .filter(({ name, args }) => name === 'ResourceSendRequest' && args.data?.url?.includes('/v1/') === true)
      .map(({ args }) => args.data?.requestId),
  )
  for (const { name, args } of own)
    if (name === 'ResourceReceiveResponse' && args.data?.mimeType === EVENT_STREAM)
      asked.delete(args.data.requestId)
  const finished = own.filter(
    ({ name, args }) => name === 'ResourceFinish' && asked.has(args.data?.requestId),
  )
  return Math.max(0, ...finished.map(({ ts }) => ts))
}
