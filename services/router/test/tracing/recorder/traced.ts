/** Requests for traces, and what comes back: each trace is checked against its schema. */
import { fetchesOf, parseTrace, type Trace, type TraceFetch, type TraceNode } from '@switchyard/request-trace'
import { readParts } from '../../support/parts.ts'
import { post, type Reply } from '../../support/router.ts'

export type Traced = { readonly reply: Reply; readonly trace: Trace; readonly fetches: readonly TraceFetch[] }

export const TRACED = { 'x-vendor-trace': 'true' }

export async function traced(
  router: { readonly graphqlUrl: string },
  body: Readonly<Record<string, unknown>> | string,
  headers: Record<string, string> = {},
): Promise<Traced> {
  const reply = await post(router, body, { ...TRACED, ...headers })
  const trace = traceIn(reply)
  return { reply, trace, fetches: fetchesOf(trace) }
}

export function traceIn({ json }: Pick<Reply, 'json'>): Trace {
  return parseTrace(json)
}

/** Of an answer, or of the parts of one that have a trace. */
export function tracesIn({ headers, text }: Pick<Reply, 'headers' | 'text'>): readonly Trace[] {
  const isStream = String(headers['content-type']).startsWith('multipart/')
  const answers = isStream ? readParts([Buffer.from(text)]).map((part) => part.text) : [text]
  return answers
    .map((answer): unknown => JSON.parse(answer))
    .filter((answer) => Object.hasOwn(Object(answer), 'extensions'))
    .map((answer) => parseTrace(answer))
}

/** `Sequence(products , Parallel(…))` with kind and path of each fetch. */
export function drawn(node: TraceNode | Trace['fetches']): string {
  if (node.kind !== 'Single') return `${node.kind}(${node.children.map(drawn).join(', ')})`
  const { kind, path, source_name, depends_on, defer_id } = node.fetch
  const after = depends_on === undefined ? '' : ` after ${depends_on.join('+')}`
  return `${kind} ${source_name}:${path}${after}${defer_id === undefined ? '' : ` for ${defer_id}`}`
}
