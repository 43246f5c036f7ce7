/**
 * Right after a request is read: whether something in flight will answer it as well. Then none of the other
 * stages is gone through.
 */
import type { CostLimits } from '../../costs/cost-limits.ts'
import type { DocumentList } from '../../documents/document-list.ts'
import type { RequestedFlag } from '../../flags/requested-flag.ts'
import type { HeldGeneration, Generations } from '../../generations/generations.ts'
import type { RequestSharing } from '../../sharing/request-sharing.ts'
import type { SharedRun } from '../../sharing/shared-run.ts'
import type { SharingKey } from '../../sharing/in-flight-table.ts'
import type { MutationCount } from '../../sharing/mutation-count.ts'
import type { Tracing } from '../../tracing/recorder/tracing.ts'
import type { Exchange } from '../../request/exchange.ts'

/** The parts that find an execution to join. */
export type JoiningParts = {
  readonly generations: Generations
  readonly tracing: Tracing
  readonly sharing: RequestSharing<Exchange>
  readonly mutations: MutationCount
  /** Limits of costs; null if operations may cost anything. */
  readonly costs: CostLimits | null
}

/** The properties of a request, besides its body, that decide about its answer. */
export type NamedByRequest = {
  /** The query string, without the question mark. */
  readonly search: string
  readonly flag: RequestedFlag
  /** The documents that the client may use; null if there are no manifests. */
  readonly list: DocumentList | null
}

/**
 * Joins the execution for another request. Returns `'joined'` if the exchange needs nothing more; otherwise
 * the key by which others can join the execution for this request, or null if the request shares with none.
 * `text` is the body, or the query string.
 */
export function joinRun(
  exchange: Exchange,
  text: string,
  wanted: NamedByRequest,
  parts: JoiningParts,
): SharingKey | 'joined' | null {
  const { request, type, closed, identity, named } = exchange
  if (closed || type === null) return null
  const { headers, method = '' } = request
  const { flag, list } = wanted
  const mutations = parts.mutations.ended
  const key = parts.sharing.keyOf(text, {
    method,
    headers,
    mediaType: type,
    flag,
    // Whatever depends on claims, two tokens never share.
    identity: identity === null ? null : identity.key,
    client: parts.costs?.limitedName(named.name) ?? null,
    mutations,
    documents: list?.scope ?? '',
  })
  const run = key === null ? null : parts.sharing.find(key)
  if (run === null) return key
  const held = heldFor(run, exchange, wanted, parts)
  if (held === null) return key
  exchange.report.enter('choose')
  exchange.report.flagRequested(flag)
  if (!exchange.hold(held)) return 'joined'
  exchange.report.operationKnown(run.operation, 'query')
  exchange.report.joined(run.denied)
  exchange.report.enter('execute')
  run.join(exchange)
  return 'joined'
}

/**
 * Holds the generation of the execution. Null if another composition answers the request, if its answer
 * carries a trace, or if either is not decided yet.
 */
function heldFor(
  run: SharedRun<Exchange>,
  { request: { headers } }: Exchange,
  { search, flag }: NamedByRequest,
  { generations, tracing }: JoiningParts,
): HeldGeneration | null {
  const held = generations.hold(flag)
  if (held instanceof Promise) {
    void held.then(release, () => {})
    return null
  }
  if (held === null) return null
  const verdict = tracing.admit(headers, search, held)
  if (verdict instanceof Promise) void verdict.catch(() => {})
  else if (verdict.kind === 'off' && held.generation === run.generation) return held
  release(held)
  return null
}

function release({ generation }: HeldGeneration): void {
  generation.release()
}
