/**
 * Keeps a trace below a size in bytes of JSON. What is large is data: `raw_input_data`, `output` and `input`
 * of fetches are replaced by `{truncated: <bytes>}`, largest first, until it fits. When that is not enough,
 * the texts of the client's request and of errors are cut, largest first; then the fetches go, and the
 * headers, and a warning says so. What is left then is a few hundred bytes, whatever the limit is.
 */
import { fetchesOf, type TraceFetch, type TraceLoad } from '@switchyard/request-trace'
import { sizeOf } from './cleaning/recorded-json.ts'
import { mapFetches, type RecordedTrace } from './cleaning/recorded-trace.ts'

const DATA = ['raw_input_data', 'output', 'input'] as const
type DataMember = (typeof DATA)[number]

type Replacement = { readonly size: number; readonly gain: number; readonly what: Place }
type Place =
  | { readonly kind: 'data'; readonly fetch: TraceFetch; readonly member: DataMember }
  | { readonly kind: 'error'; readonly fetch: TraceFetch }
  | { readonly kind: 'request'; readonly member: 'query' | 'variables' | 'url' }

/** All its data was measured. */
export function limitTrace(trace: RecordedTrace, maxSize: number): RecordedTrace {
  const fetches = fetchesOf(trace)
  const total = sizeOf(trace)
  if (total <= maxSize) return trace
  const data = chosenOf(dataOf(fetches), total - maxSize)
  const texts = chosenOf(textsOf(trace, fetches), data.excess)
  const cut = withReplaced(trace, [...data.chosen, ...texts.chosen])
  return texts.excess <= 0 ? cut : withoutFetches(cut, maxSize)
}

/** The largest first, as long as there is too much. */
function chosenOf(candidates: readonly Replacement[], tooMuch: number) {
  const chosen: Place[] = []
  let excess = tooMuch
  for (const { gain, what } of candidates.toSorted((a, b) => b.size - a.size)) {
    if (excess <= 0) break
    if (gain <= 0) continue
    chosen.push(what)
    excess -= gain
  }
  return { chosen, excess }
}

function dataOf(fetches: readonly TraceFetch[]): readonly Replacement[] {
  return fetches.flatMap((fetch) =>
    DATA.filter((member) => member in fetch.trace).map((member) => {
      const size = sizeOf(fetch.trace[member])
      return { size, gain: size - sizeOf({ truncated: size }), what: { kind: 'data', fetch, member } }
    }),
  )
}

function textsOf(trace: RecordedTrace, fetches: readonly TraceFetch[]): readonly Replacement[] {
  const { url, body } = trace.request
  const variables = sizeOf(body.variables)
  return [
    { ...textGain(url), what: { kind: 'request', member: 'url' } },
    { ...textGain(body.query ?? ''), what: { kind: 'request', member: 'query' } },
    {
      size: variables,
      gain: variables - sizeOf({ truncated: variables }),
      what: { kind: 'request', member: 'variables' },
    },
    ...fetches.map((fetch) => ({
      ...textGain(fetch.trace.error?.message ?? ''),
      what: { kind: 'error' as const, fetch },
    })),
  ]
}

function textGain(text: string): { readonly size: number; readonly gain: number } {
  const size = sizeOf(text)
  return { size, gain: size - sizeOf(cutText(text)) }
}

function cutText(text: string): string {
  return `[truncated: ${Buffer.byteLength(text)} bytes]`
}

function withReplaced(trace: RecordedTrace, places: readonly Place[]): RecordedTrace {
  const ofFetch = Map.groupBy(places, (place) => (place.kind === 'request' ? null : place.fetch))
  const ofRequest = new Set(
    (ofFetch.get(null) ?? []).map((place) => (place.kind === 'request' ? place.member : '')),
  )
  const { request } = trace
  const { query, variables } = request.body
  return {
    ...trace,
    fetches: mapFetches(trace.fetches, (fetch) => {
      const replaced = ofFetch.get(fetch)
      return replaced === undefined ? fetch : { ...fetch, trace: withoutData(fetch.trace, replaced) }
    }),
    request: {
      ...request,
      url: ofRequest.has('url') ? cutText(request.url) : request.url,
      body: {
        ...request.body,
        query: ofRequest.has('query') && query !== null ? cutText(query) : query,
        variables: ofRequest.has('variables') ? { truncated: sizeOf(variables) } : variables,
      },
    },
  }
}

function withoutData(load: TraceLoad, places: readonly Place[]): TraceLoad {
  const { error } = load
  const cut = places.some(({ kind }) => kind === 'error')
  const replaced = places.flatMap((place) =>
    place.kind === 'data' ? [[place.member, { truncated: sizeOf(load[place.member]) }] as const] : [],
  )
  return {
    ...load,
    ...Object.fromEntries(replaced),
    ...(cut && error !== undefined && { error: { ...error, message: cutText(error.message) } }),
  }
}

function withoutFetches(trace: RecordedTrace, maxSize: number): RecordedTrace {
  const { version, info, composition } = trace
  const count = fetchesOf(trace).length
  const warning = `The trace is larger than the ${maxSize} bytes it may have: its ${count} fetches, and all headers, were left out.`
  return {
    version,
    info,
    composition,
    fetches: { kind: 'Sequence', children: [] },
    request: {
      ...trace.request,
      headers: {},
      body: {
        ...trace.request.body,
        operationName:
          trace.request.body.operationName === null ? null : cutName(trace.request.body.operationName),
      },
    },
    warnings: [warning],
  }
}

function cutName(name: string): string {
  return name.length <= 100 ? name : cutText(name)
}
