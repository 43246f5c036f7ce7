/**
 * Joins a request to an execution in flight that will answer it as well. Then none of the other stages is
 * gone through.
 */
import type { StartQueue } from '../../fairness/start-queue.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import type { CostLimits } from '../../concerns/costs/cost-limits.ts'
import type { DocumentList } from '../../concerns/documents/document-list.ts'
import type { Documents } from '../../concerns/documents/documents.ts'
import type { FlagChoice } from '../../flags/flag-choice.ts'
import type { DecidedFlag } from '../../concerns/rollouts/stage.ts'
import type { HeldGeneration, Generations } from '../../generations/generations.ts'
import type { OverrideLabels } from '../../concerns/override-labels/override-labels.ts'
import type { RequestSharing } from '../../concerns/sharing/request-sharing.ts'
import type { SharedRun } from '../../concerns/sharing/shared-run.ts'
import type { SharingKey } from '../../concerns/sharing/in-flight-table.ts'
import type { MutationCount } from '../../concerns/sharing/mutation-count.ts'
import type { Tracing } from '../../tracing/recorder/tracing.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Exchange } from '../../request/exchange.ts'
import { askingToChooseFor } from '../../request/request-property.ts'
import { DONE, type Stage } from '../../request/stage.ts'
import type { Text } from './read-text.ts'

/** The parts that find an execution to join. */
export type JoiningParts = {
  readonly generations: Generations
  readonly tracing: Tracing
  readonly sharing: RequestSharing<Exchange>
  readonly mutations: MutationCount
  readonly overrideLabels: OverrideLabels
  /** Limits of costs; null if operations may cost anything. */
  readonly costs: CostLimits | null
  /** The queue in which requests wait while much is in progress. */
  readonly starts: StartQueue
  /** The documents that the router knows; null if every request must contain the text of its document. */
  readonly documents: Documents | null
  readonly config: RouterConfig
}

type WithList = {
  /** The documents that the client may use; null if there are no manifests. */
  readonly list: DocumentList | null
}

/** The properties of a request, besides its text, that decide about its answer. */
type NamedByRequest = DecidedFlag & WithList

/** The key by which others can join the execution for this request; null if the request shares with none. */
type WithKey = { readonly key: SharingKey | null }

/** A request that others may join. */
export type Joinable = Arrived & DecidedFlag & Text & WithList & WithKey

/** Joins the execution for another request, which is all that the request needs then. */
export function joinRun(parts: JoiningParts): Stage<Arrived & DecidedFlag & Text, WithList & WithKey> {
  return {
    waitsFor: null,
    run: (request) => {
      const { named } = request.exchange
      const list = parts.documents?.listOf(named.name) ?? null
      const key = keyOrJoined(request, { flag: request.flag, list }, parts)
      return key === DONE ? DONE : { list, key }
    },
  }
}

/**
 * While requests hold much memory, waits until this one may start, and joins what has begun in the meantime.
 */
export function waitToStart(parts: JoiningParts): Stage<Joinable, WithKey> {
  return {
    waitsFor: null,
    run: (request) => {
      const turn = parts.starts.begin(request.lookUpClient)
      if (turn === undefined) return { key: request.key }
      return turn.then(() => {
        if (request.exchange.closed) return DONE
        const key = keyOrJoined(request, request, parts)
        return key === DONE ? DONE : { key }
      })
    },
  }
}

function keyOrJoined(
  { exchange, search, text, upload }: Arrived & Text,
  { flag, list }: NamedByRequest,
  parts: JoiningParts,
): SharingKey | typeof DONE | null {
  const { type, closed, identity, named } = exchange
  const { table } = parts.generations
  if (closed || type === null || table === null || upload !== undefined) return null
  const { headers, method = '' } = exchange.request
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
    side: parts.overrideLabels.sideOf(table.labelsOf(flag), askingToChooseFor(exchange), table.config.graph),
  })
  const run = key === null ? null : parts.sharing.find(key)
  if (run === null) return key
  const held = heldFor(run, exchange, { search, flag }, parts)
  if (held === null) return key
  exchange.report.enter('choose')
  exchange.report.flagRequested(flag)
  if (!exchange.hold(held)) return DONE
  exchange.report.operationKnown(run.operation, 'query')
  if (run.executed !== null) exchange.report.executing(run.executed, list, exchange.client)
  exchange.report.joined(run.denied)
  exchange.report.enter('execute')
  run.join(exchange)
  return DONE
}

/**
 * Holds the generation of the execution. Null if another composition answers the request, if its answer
 * carries a trace, or if either is not decided yet.
 */
function heldFor(
  run: SharedRun<Exchange>,
  { request: { headers } }: Exchange,
  { search, flag }: { readonly search: string; readonly flag: FlagChoice },
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
