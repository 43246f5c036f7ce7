/**
 * A writer of composition and config records that stands where composer and config-distribution stand. It
 * composes nothing: what fails is said by the test, everything else is composed or reused by the inputs'
 * hash. With a blob store, the inputs are the artifact.
 */
import { createHash } from 'node:crypto'
import {
  COMPOSITION_PENDING,
  type CompositionMessage,
  type CompositionRecord,
  type RecordedResult,
  compositionSubject,
  type ConfigRecord,
  configSubject,
  type GraphName,
  type Manifest,
  namespaceOfSubject,
  RegistryRecord,
} from '@switchyard/contracts'
import {
  applyRecord,
  compositionInputs,
  emptyNamespace,
  manifestRollouts,
  type NamespaceState,
  type SubgraphToCompose,
} from '@switchyard/domain'
import type { BlobStore, EventLog } from '@switchyard/event-log'

export type Downstream = AsyncDisposable & {
  /** Names of flags, or null for the base, whose composition fails from now on. */
  readonly failing: Set<string | null>
  /** Called after each config that was published. */
  onConfig: (version: { epoch: number; revision: number }) => void
  publishConfigs: boolean
  /** False as if the instance had not read the registry's log as far. */
  publishRollouts: boolean
  /** As if nobody composed between a graph's removal and what comes next. */
  skipRemovals: boolean
  /** Names of flags that are still being composed when their base is recorded. */
  readonly late: Set<string>
  /** Records what the late flags of the last record came to. */
  finish(): Promise<void>
  /** Errors of every failure from now on. */
  errors: CompositionMessage[]
  /** Composes for real where it is given. Returns the bytes of the artifact, or errors. */
  compose: null | ((subgraphs: readonly SubgraphToCompose[]) => Promise<Uint8Array | CompositionMessage[]>)
}

const EPOCH = 1_700_000_000_000

type Published = {
  readonly manifest: Manifest
  readonly sequence: number
  readonly compositionSequence: number
}
type Content = Pick<Manifest, 'base' | 'featureFlags' | 'previews'>

export function startDownstream(log: EventLog, blobs?: BlobStore): Downstream {
  const stop = new AbortController()
  const states = new Map<string, NamespaceState>()
  const seen = new Map<string, 'good' | 'bad'>()
  /** Every revision of every graph, oldest first. */
  const published = new Map<string, Published[]>()
  const downstream = {
    failing: new Set<string | null>(),
    onConfig: (_version: { epoch: number; revision: number }) => {},
    publishConfigs: true,
    publishRollouts: true,
    skipRemovals: false,
    late: new Set<string>(),
    errors: [{ code: 'INVALID_FIELD_SHARING', message: 'no', subgraphs: [], locations: [] }],
    compose: null as Downstream['compose'],
  }

  const resultOf = async (
    flag: string | null,
    subgraphs: readonly SubgraphToCompose[],
  ): Promise<RecordedResult> => {
    if (subgraphs.length === 0) return { status: 'empty' }
    const bytes = Buffer.from(JSON.stringify(subgraphs))
    const inputHash = createHash('sha256').update(bytes).digest('hex')
    const composed = (await downstream.compose?.(subgraphs)) ?? bytes
    const fails = downstream.failing.has(flag) || Array.isArray(composed)
    const before = seen.get(inputHash)
    seen.set(inputHash, fails ? 'bad' : 'good')
    if (!fails) {
      await blobs?.put(composed)
      const artifact = createHash('sha256').update(composed).digest('hex')
      return { status: before === 'good' ? 'reused' : 'composed', inputHash, artifact, hints: [] }
    }
    const errors = Array.isArray(composed) ? composed : downstream.errors
    const errorsBlob = errors.length > 20 ? await blobs?.put(Buffer.from(JSON.stringify(errors))) : undefined
    return {
      status: 'failed',
      inputHash,
      unchanged: before === 'bad',
      errors: errors.slice(0, 20),
      errorCount: errors.length,
      ...(errorsBlob === undefined ? {} : { errorsBlob }),
      hints: [],
    }
  }

  const publish = async (record: CompositionRecord, sequence: number): Promise<void> => {
    const { registrySequence } = record
    const earlier = published.get(keyOf(record)) ?? []
    const content = contentAfter(earlier.at(-1)?.manifest ?? null, record, earlier)
    const reason = record.type === 'graph.removed' ? 'graph-removed' : 'composition'
    await publishContent(record, content, { compositionSequence: sequence, registrySequence, reason })
  }

  /** Publishes the rollouts of a graph with what is served of it. */
  const publishRollouts = async (graph: GraphName, registrySequence: number): Promise<void> => {
    const last = published.get(keyOf(graph))?.at(-1) ?? null
    if (last === null) return
    const { compositionSequence } = last
    const cause = { compositionSequence, registrySequence, rolloutsSequence: registrySequence } as const
    await publishContent(graph, last.manifest, { ...cause, reason: 'rollouts' })
  }

  const publishContent = async (
    name: GraphName,
    content: Content | null,
    cause: ConfigRecord['cause'],
  ): Promise<void> => {
    if (!downstream.publishConfigs || content === null) return
    const { namespace, graph } = name
    const { base, featureFlags, previews } = content
    const earlier = published.get(keyOf(name)) ?? []
    const last = earlier.at(-1) ?? null
    const state = states.get(namespace) ?? emptyNamespace(namespace)
    const rollouts = downstream.publishRollouts
      ? manifestRollouts(state, graph)
      : (last?.manifest.rollouts ?? [])
    if (last !== null && textOf(last.manifest) === textOf({ base, featureFlags, previews, rollouts })) return
    const manifest: Manifest = {
      formatVersion: 1,
      graph: { namespace, name: graph },
      epoch: EPOCH,
      revision: (last?.manifest.revision ?? 0) + 1,
      createdAt: new Date(EPOCH).toISOString(),
      registrySequence: cause.registrySequence,
      base,
      featureFlags,
      ...(rollouts.length === 0 ? {} : { rollouts }),
      ...(previews === undefined ? {} : { previews }),
      traceKeys: { keys: [] },
    }
    const config: ConfigRecord = {
      v: 1,
      type: 'config.published',
      epoch: manifest.epoch,
      revision: manifest.revision,
      manifest: JSON.stringify(manifest),
      signature: 'none',
      cause,
    }
    const written = await log.append(configSubject(name), config, last?.sequence ?? 0)
    const { compositionSequence } = cause
    published.set(keyOf(name), [...earlier, { manifest, sequence: written, compositionSequence }])
    downstream.onConfig({ epoch: manifest.epoch, revision: manifest.revision })
  }

  const append = async (composition: CompositionRecord): Promise<void> => {
    const subject = compositionSubject(composition)
    const last = await log.last({ kind: 'subject', subject })
    await publish(composition, await log.append(subject, composition, last?.sequence ?? 0))
  }
  /** The last complete record of each graph, and what was recorded of it while flags were late. */
  const completes = new Map<string, CompositionRecord>()
  const previous = new Map<string, CompositionRecord>()

  const work = async () => {
    for await (const entry of log.follow({ kind: 'log', log: 'registry' }, 1, stop.signal)) {
      const namespace = namespaceOfSubject(entry.subject)
      if (namespace === null) continue
      const record = RegistryRecord.parse(entry.record)
      const before = states.get(namespace) ?? emptyNamespace(namespace)
      const { state, outcome } = applyRecord(before, record, entry.sequence)
      states.set(namespace, state)
      for (const graph of outcome.kind === 'applied' ? outcome.affectedGraphs : []) {
        const inputs = compositionInputs(state, graph)
        if (inputs === null && downstream.skipRemovals) continue
        const head = { v: 1, namespace, graph, registrySequence: entry.sequence } as const
        const composition: CompositionRecord =
          inputs === null
            ? { ...head, type: 'graph.removed' }
            : {
                ...head,
                type: 'composition.completed',
                base: await resultOf(null, inputs.base),
                featureFlags: await Promise.all(
                  inputs.flags.map(async ({ name, unpublished, subgraphs }) => ({
                    name,
                    unpublished: [...unpublished],
                    result: await resultOf(name, subgraphs),
                  })),
                ),
                ...(inputs.previews.length === 0
                  ? {}
                  : {
                      previews: await Promise.all(
                        inputs.previews.map(async ({ name, subgraphs, expires }) => ({
                          name,
                          unpublished: [],
                          result: await resultOf(name, subgraphs),
                          expires,
                        })),
                      ),
                    }),
                pinnedRevision: inputs.pinnedRevision,
              }
        const key = keyOf({ namespace, graph })
        const recorded = whilePending(composition, previous.get(key), downstream.late)
        completes.set(key, composition)
        previous.set(key, recorded)
        await append(recorded)
      }
      const released = outcome.kind === 'applied' ? outcome.rolloutGraphs : []
      for (const graph of released) await publishRollouts({ namespace, graph }, entry.sequence)
    }
  }
  const done = work()
  return Object.assign(downstream, {
    async finish() {
      downstream.late.clear()
      for (const [key, complete] of completes) {
        if (previous.get(key) !== complete) await append(complete)
        previous.set(key, complete)
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await done
    },
  })
}

/** The record while these flags are being composed. */
function whilePending(
  record: CompositionRecord,
  previous: CompositionRecord | undefined,
  late: ReadonlySet<string>,
): CompositionRecord {
  if (record.type === 'graph.removed' || !record.featureFlags.some(({ name }) => late.has(name)))
    return record
  const earlier = previous?.type === 'composition.completed' ? previous.featureFlags : []
  return {
    ...record,
    featureFlags: record.featureFlags.map((flag) => {
      const result = earlier.find(({ name }) => name === flag.name)?.result ?? FIRST_PENDING
      return late.has(flag.name) ? { ...flag, result, pending: true as const } : flag
    }),
  }
}

const FIRST_PENDING: RecordedResult = {
  status: 'failed',
  inputHash: '0'.repeat(64),
  unchanged: false,
  errors: [{ code: COMPOSITION_PENDING, message: 'not yet', subgraphs: [], locations: [] }],
  errorCount: 1,
  hints: [],
}

function contentAfter(
  last: Content | null,
  record: CompositionRecord,
  earlier: readonly Published[],
): Content | null {
  if (record.type === 'graph.removed') return last === null ? null : { base: null, featureFlags: {} }
  const pin = earlier.find(({ manifest }) => manifest.revision === record.pinnedRevision)?.manifest
  const base = artifactOf(record.base)
  const kept = pin ?? (base === null ? last : undefined)
  if (kept === null) return null
  const featureFlags: Manifest['featureFlags'] = {}
  for (const { name, result } of record.featureFlags) {
    const artifact = kept === undefined ? artifactOf(result) : kept.featureFlags[name]?.artifact
    if (artifact !== undefined && artifact !== null) featureFlags[name] = { artifact }
  }
  const previews = (record.previews ?? []).flatMap(({ name, result, expires }) => {
    const artifact = artifactOf(result)
    return artifact === null ? [] : [[name, { artifact, expires }] as const]
  })
  return {
    base: kept === undefined ? { artifact: base ?? '' } : kept.base,
    featureFlags,
    ...(previews.length === 0 ? {} : { previews: Object.fromEntries(previews) }),
  }
}

function artifactOf(result: RecordedResult): string | null {
  return 'artifact' in result ? result.artifact : null
}

function textOf(content: Content & Pick<Manifest, 'rollouts'>): string {
  const { base, featureFlags, previews, rollouts = [] } = content
  return JSON.stringify([base, featureFlags, previews, rollouts])
}

function keyOf({ namespace, graph }: GraphName): string {
  return `${namespace} ${graph}`
}
