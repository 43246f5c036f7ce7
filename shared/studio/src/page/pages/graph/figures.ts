/** Arranges the figures of a graph, as routers tell them by minutes, for charts. */
import type { Read } from '../../api/client.ts'

export type GraphFigures = Read<'/v1/figures/{namespace}/{graph}'>
export type Line = { readonly label: string; readonly values: readonly (number | null)[] }

export type Lines = {
  /** Unix milliseconds, each minute between the first and the last one that was told. */
  readonly times: readonly number[]
  readonly requests: readonly Line[]
  readonly errors: readonly Line[]
  readonly latency: readonly Line[]
  /** Flags without a line of their own: the ones with fewest requests. */
  readonly leftOut: number
}

const MINUTE_MS = 60_000
const SECONDS = 60
/** Lines that can be told apart. */
const MOST_FLAGS = 3

/** Returns the lines of base and of the flags with most requests. Minutes that nobody told have no value. */
export function linesOf({ minutes }: GraphFigures): Lines {
  // The registry answers with every minute of the hour, also those before its start.
  const told = new Map(minutes.filter(({ routers }) => routers > 0).map((minute) => [minute.time, minute]))
  const [first = 0] = told.keys()
  const last = [...told.keys()].at(-1) ?? first
  const count = told.size === 0 ? 0 : (last - first) / MINUTE_MS + 1
  const times = Array.from({ length: count }, (_, at) => first + at * MINUTE_MS)
  const flags = flagsOf(minutes)
  const shown = [null, ...flags.slice(0, MOST_FLAGS)]
  const line = (flag: string | null, label: string, value: (of: Figures | undefined) => number | null) => ({
    label,
    values: times.map((time) => {
      const minute = told.get(time)
      return minute === undefined ? null : value(minute.compositions.find((one) => one.flag === flag))
    }),
  })
  const ofEach = (value: (of: Figures | undefined) => number | null) =>
    shown.map((flag) => line(flag, flag ?? 'base', value))
  return {
    times,
    requests: ofEach((of) => (of?.requests ?? 0) / SECONDS),
    errors: ofEach((of) => (of?.errors ?? 0) / SECONDS),
    latency: shown
      .slice(0, 2)
      .flatMap((flag) => [
        line(flag, `${flag ?? 'base'}, p50`, (of) => of?.latencyMs.p50 ?? null),
        line(flag, `${flag ?? 'base'}, p99`, (of) => of?.latencyMs.p99 ?? null),
      ]),
    leftOut: Math.max(0, flags.length - MOST_FLAGS),
  }
}

type Minute = GraphFigures['minutes'][number]
type Figures = Minute['compositions'][number]

/** Returns the flags that were asked for, with most requests first. */
function flagsOf(minutes: readonly Minute[]): readonly string[] {
  const requests = new Map<string, number>()
  for (const { compositions } of minutes) {
    for (const { flag, requests: count } of compositions) {
      if (flag !== null) requests.set(flag, (requests.get(flag) ?? 0) + count)
    }
  }
  return [...requests].sort(([, one], [, other]) => other - one).map(([flag]) => flag)
}
