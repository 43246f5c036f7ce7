/**
 * Refuses commands after which the records of a graph could not be written any more: the record of its
 * compositions, and the one with its manifest. Both name every flag and every preview, and the manifest has
 * all rollouts as well. Without this rule config-distribution could publish nothing more of such a graph,
 * also no abort.
 */
import { MAX_RECORD_BYTES, problem, type RegistryEvent } from '@switchyard/contracts'
import { affectedGraphs } from './affected-graphs.ts'
import { flagApplies, flagMembers } from './applicability.ts'
import { graphsOfRollouts } from './apply-record.ts'
import { type Decision, refused } from './decisions/decision.ts'
import { applyEvents } from './state/apply-event.ts'
import type { FederatedGraph, NamespaceState, Rollout } from './state/namespace-state.ts'
import { previewApplies } from './state/previews.ts'
import { manifestRollout, rolloutsOf } from './state/rollouts.ts'

/** Bytes for all else: of the manifest, of its signature and trace keys, of the cause, and of base. */
const ENVELOPE_BYTES = 12 * 1024
const LIMIT = MAX_RECORD_BYTES - ENVELOPE_BYTES

const HASH = 'f'.repeat(64)
const TIME = '2026-01-01T00:00:00.000Z'

/** A flag in a record of compositions at its largest, where messages are in blobs: one that fails. */
const COMPOSED_BYTES = bytesOf({
  name: '',
  unpublished: [],
  result: {
    status: 'failed',
    inputHash: HASH,
    unchanged: false,
    errors: [],
    errorCount: Number.MAX_SAFE_INTEGER,
    errorsBlob: HASH,
    hints: [],
  },
  pending: true,
  expires: TIME,
})
/** A flag or preview in a manifest, which is a text in its record. */
const SERVED_BYTES = textBytesOf({ '': { artifact: HASH, pieces: HASH, expires: TIME } })

/**
 * Returns the decision, or a refusal if a graph that it enlarges would not fit any more. What a schema says
 * is in none of these records, so that publishing one, by far the most frequent command, need not be looked
 * at.
 */
export function withinGraphLimits(state: NamespaceState, decision: Decision): Decision {
  if (decision.kind !== 'events') return decision
  if (decision.events.every(({ type }) => type === 'subgraph.schema-published')) return decision
  const tooLarge = firstTooLarge(state, decision.events)
  return tooLarge === null ? decision : refused(tooLarge)
}

function firstTooLarge(state: NamespaceState, events: readonly RegistryEvent[]) {
  const after = applyEvents(state, events)
  const changed = new Set([...affectedGraphs(state, after), ...graphsOfRollouts(state, after)])
  for (const name of changed) {
    const bytes = largestRecordBytes(after, name)
    if (bytes <= LIMIT || bytes <= largestRecordBytes(state, name)) continue
    return problem(
      'LIMIT_EXCEEDED',
      `Federated graph "${name}" would name more feature flags, previews, documents and rollouts than one configuration holds: up to ${bytes} bytes, and the limit is ${LIMIT}. Nothing was changed. Disable or delete feature flags and rollouts that nobody uses any more, or make the lists of audiences shorter.`,
    )
  }
  return null
}

/** Returns the bytes of the larger of both records, but for what every graph has. 0 if there is no graph. */
export function largestRecordBytes(state: NamespaceState, name: string): number {
  const graph = state.graphs.get(name)
  if (graph === undefined) return 0
  const { count, nameBytes, unpublishedBytes } = variantsOf(state, graph)
  const documents = graph.documents.map(({ name: title, clients }) => ({
    name: title,
    manifest: HASH,
    clients,
  }))
  const rollouts = rolloutsOf(state, name).map(largest)
  return Math.max(
    count * COMPOSED_BYTES + nameBytes + unpublishedBytes + bytesOf(documents),
    count * SERVED_BYTES + nameBytes + textBytesOf(documents) + textBytesOf(rollouts),
  )
}

/** Counts flags and previews of a graph, with the bytes of names. */
function variantsOf(state: NamespaceState, graph: FederatedGraph) {
  let [count, nameBytes, unpublishedBytes] = [0, 0, 0]
  for (const flag of state.flags.values()) {
    if (!flagApplies(state, graph, flag)) continue
    count += 1
    nameBytes += flag.name.length
    unpublishedBytes += bytesOf(flagMembers(state, flag).unpublished)
  }
  for (const preview of state.previews.values()) {
    if (!previewApplies(state, graph, preview)) continue
    count += 1
    nameBytes += preview.flag.length
  }
  return { count, nameBytes, unpublishedBytes }
}

/** Returns a rollout at its largest, so that no ramp, abort or completion is ever refused. */
function largest(rollout: Rollout) {
  const guard = { step: Number.MAX_SAFE_INTEGER, stop: { errors: { percent: 99.99 } } }
  return { ...manifestRollout(rollout), percent: 99.99, guard }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Returns the bytes of JSON that is a text within JSON, where each quotation mark takes two. */
function textBytesOf(value: unknown): number {
  return bytesOf(JSON.stringify(value))
}
