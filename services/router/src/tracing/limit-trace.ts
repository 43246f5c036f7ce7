/**
 * Keeps a trace below a size in bytes of JSON. What is large is data: `raw_input_data`, `output` and `input` of fetches are
 * replaced by `{truncated: <bytes>}`, largest first, until it fits. When that is not enough, the texts of the client's
 * request and of errors are cut, largest first; then the fetches go, and the headers, and a warning says so. What is left
 * then is a few hundred bytes, whatever the limit is.
 *
 * Everything is measured once, and nothing is written to be measured: a replacement changes the sum.
 */
import type { Trace, TraceFetch, TraceLoad, TraceNode } from '@switchyard/request-trace'
import { JsonSizes } from './json-size.ts'

const DATA = ['raw_input_data', 'output', 'input'] as const
type DataMember = (typeof DATA)[number]

type Replacement = { readonly size: number; readonly gain: number; readonly what: Place }
type Place =
  | { readonly kind: 'data'; readonly fetch: TraceFetch; readonly member: DataMember }
  | { readonly kind: 'error'; readonly fetch: TraceFetch }
  | { readonly kind: 'request'; readonly member: 'query' | 'variables' | 'url' }

export function limitTrace(trace: Trace, maxSize: number): Trace {
  const sizes = new JsonSizes()
  const fetches = fetchesIn(trace.fetches)
  const total = sizes.of(trace)
  if (total <= maxSize) return trace
  const data = chosenOf(dataOf(fetches, sizes), total - maxSize)
  const texts = chosenOf(textsOf(trace, fetches, sizes), data.excess)
  const cut = withReplaced(trace, [...data.chosen, ...texts.chosen], sizes)
  return texts.excess <= 0 ? cut : withoutFetches(cut, maxSize)
}

/**
 * Only takes out data, until the rest of it is not more than the whole trace may have. The trace may still be too large; all
 * texts are in it that tell which of its data are secrets.
 */
export function limitData(trace: Trace, maxSize: number): Trace {
  const sizes = new JsonSizes()
  const fetches = fetchesIn(trace.fetches)
  const total = fetches.reduce((sum, { trace: load }) => sum + sizeOfData(load, sizes), 0)
  if (total <= maxSize) return trace
  return withReplaced(trace, chosenOf(dataOf(fetches, sizes), total - maxSize).chosen, sizes)
}

/** Without headers and URLs: what was sent and received has a length, and need not be gone through. */
function sizeOfData({ raw_input_data, input, output }: TraceLoad, sizes: JsonSizes): number {
  const body = (message: object | undefined) =>
    message !== undefined && 'body' in message ? sizes.of(message.body) : 0
  return sizes.of(raw_input_data) + body(input) + body(output)
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

function fetchesIn(root: Trace['fetches']): readonly TraceFetch[] {
  const found: TraceFetch[] = []
  const visit = (node: TraceNode): void => {
    if (node.kind === 'Single') found.push(node.fetch)
    else node.children.forEach(visit)
  }
  root.children.forEach(visit)
  return found
}

function dataOf(fetches: readonly TraceFetch[], sizes: JsonSizes): readonly Replacement[] {
  return fetches.flatMap((fetch) =>
    DATA.filter((member) => member in fetch.trace).map((member) => {
      const size = sizes.of(fetch.trace[member])
      return { size, gain: size - sizes.of({ truncated: size }), what: { kind: 'data', fetch, member } }
    }),
  )
}

function textsOf(trace: Trace, fetches: readonly TraceFetch[], sizes: JsonSizes): readonly Replacement[] {
  const { url, body } = trace.request
  const variables = sizes.of(body.variables)
  return [
    { ...textGain(url), what: { kind: 'request', member: 'url' } },
    { ...textGain(body.query ?? ''), what: { kind: 'request', member: 'query' } },
    {
      size: variables,
      gain: variables - sizes.of({ truncated: variables }),
      what: { kind: 'request', member: 'variables' },
    },
    ...fetches.map((fetch) => ({
      ...textGain(fetch.trace.error?.message ?? ''),
      what: { kind: 'error' as const, fetch },
    })),
  ]
}

function textGain(text: string): { readonly size: number; readonly gain: number } {
  const sizes = new JsonSizes()
  const size = sizes.of(text)
  return { size, gain: size - sizes.of(cutText(text)) }
}

function cutText(text: string): string {
  return `[truncated: ${Buffer.byteLength(text)} bytes]`
}

function withReplaced(trace: Trace, places: readonly Place[], sizes: JsonSizes): Trace {
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
      return replaced === undefined ? fetch : { ...fetch, trace: withoutData(fetch.trace, replaced, sizes) }
    }),
    request: {
      ...request,
      url: ofRequest.has('url') ? cutText(request.url) : request.url,
      body: {
        ...request.body,
        query: ofRequest.has('query') && query !== null ? cutText(query) : query,
        variables: ofRequest.has('variables') ? { truncated: sizes.of(variables) } : variables,
      },
    },
  }
}

function withoutData(load: TraceLoad, places: readonly Place[], sizes: JsonSizes): TraceLoad {
  const { error } = load
  const cut = places.some(({ kind }) => kind === 'error')
  const replaced = places.flatMap((place) =>
    place.kind === 'data' ? [[place.member, { truncated: sizes.of(load[place.member]) }] as const] : [],
  )
  return {
    ...load,
    ...Object.fromEntries(replaced),
    ...(cut && error !== undefined && { error: { ...error, message: cutText(error.message) } }),
  }
}

function mapFetches(root: Trace['fetches'], change: (fetch: TraceFetch) => TraceFetch): Trace['fetches'] {
  const visit = (node: TraceNode): TraceNode =>
    node.kind === 'Single'
      ? { kind: 'Single', fetch: change(node.fetch) }
      : { kind: node.kind, children: node.children.map(visit) }
  return { kind: 'Sequence', children: root.children.map(visit) }
}

function withoutFetches(trace: Trace, maxSize: number): Trace {
  const count = fetchesIn(trace.fetches).length
  const warning = `The trace is larger than the ${maxSize} bytes it may have: its ${count} fetches, and all headers, were left out.`
  return {
    ...trace,
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
