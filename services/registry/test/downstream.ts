/**
 * A writer of composition and config records that stands where composer and config-distribution stand. It composes
 * nothing: what fails is said by the test, everything else is composed or reused by the inputs' hash.
 */
import { createHash } from 'node:crypto'
import {
  type CompositionRecord,
  type CompositionResult,
  compositionSubject,
  configSubject,
  type Manifest,
  namespaceOfSubject,
  RegistryRecord,
} from '@switchyard/contracts'
import { applyRecord, compositionInputs, emptyNamespace, type NamespaceState } from '@switchyard/domain'
import type { EventLog } from '@switchyard/event-log'

export type Downstream = AsyncDisposable & {
  /** Names of flags, or null for the base, whose composition fails from now on. */
  readonly failing: Set<string | null>
  /** Called after each config that was published. */
  onConfig: (version: { epoch: number; revision: number }) => void
  publishConfigs: boolean
}

const EPOCH = 1_700_000_000_000

export function startDownstream(log: EventLog): Downstream {
  const stop = new AbortController()
  const states = new Map<string, NamespaceState>()
  const seen = new Map<string, 'good' | 'bad'>()
  let config: { manifest: Manifest; sequence: number } | null = null
  const downstream = {
    failing: new Set<string | null>(),
    onConfig: (_version: { epoch: number; revision: number }) => {},
    publishConfigs: true,
  }

  const resultOf = (flag: string | null, subgraphs: readonly unknown[]): CompositionResult => {
    if (subgraphs.length === 0) return { status: 'empty' }
    const inputHash = createHash('sha256').update(JSON.stringify(subgraphs)).digest('hex')
    const fails = downstream.failing.has(flag)
    const before = seen.get(inputHash)
    seen.set(inputHash, fails ? 'bad' : 'good')
    if (!fails) {
      return { status: before === 'good' ? 'reused' : 'composed', inputHash, artifact: inputHash, hints: [] }
    }
    const error = { code: 'INVALID_FIELD_SHARING', message: 'no', subgraphs: [], locations: [] }
    return {
      status: 'failed',
      inputHash,
      unchanged: before === 'bad',
      errors: [error],
      errorCount: 1,
      hints: [],
    }
  }

  const publish = async (record: CompositionRecord, sequence: number): Promise<void> => {
    if (record.type !== 'composition.completed' || !downstream.publishConfigs) return
    const artifact = (result: CompositionResult) => ('artifact' in result ? result.artifact : null)
    const base = artifact(record.base)
    const last = config?.manifest ?? null
    if (base === null && last === null) return
    const flags: Manifest['featureFlags'] = {}
    for (const { name, result } of record.featureFlags) {
      const own = base === null ? last?.featureFlags[name]?.artifact : artifact(result)
      if (own !== undefined && own !== null) flags[name] = { artifact: own }
    }
    const newBase = base === null ? (last?.base ?? null) : { artifact: base }
    if (last !== null && JSON.stringify([last.base, last.featureFlags]) === JSON.stringify([newBase, flags]))
      return
    const manifest: Manifest = {
      formatVersion: 1,
      graph: { namespace: record.namespace, name: record.graph },
      epoch: EPOCH,
      revision: (last?.revision ?? 0) + 1,
      createdAt: new Date(EPOCH).toISOString(),
      registrySequence: record.registrySequence,
      base: newBase,
      featureFlags: flags,
      traceKeys: { keys: [] },
    }
    const written = await log.append(
      configSubject({ namespace: record.namespace, graph: record.graph }),
      {
        v: 1,
        type: 'config.published',
        epoch: manifest.epoch,
        revision: manifest.revision,
        manifest: JSON.stringify(manifest),
        signature: 'none',
        cause: {
          compositionSequence: sequence,
          registrySequence: record.registrySequence,
          reason: 'composition',
        },
      },
      config?.sequence ?? 0,
    )
    config = { manifest, sequence: written }
    downstream.onConfig({ epoch: manifest.epoch, revision: manifest.revision })
  }

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
        if (inputs === null) continue
        const composition: CompositionRecord = {
          v: 1,
          type: 'composition.completed',
          namespace,
          graph,
          registrySequence: entry.sequence,
          base: resultOf(null, inputs.base),
          featureFlags: inputs.flags.map(({ name, unpublished, subgraphs }) => ({
            name,
            unpublished: [...unpublished],
            result: resultOf(name, subgraphs),
          })),
          pinnedRevision: inputs.pinnedRevision,
        }
        const subject = compositionSubject({ namespace, graph })
        const last = await log.last({ kind: 'subject', subject })
        await publish(composition, await log.append(subject, composition, last?.sequence ?? 0))
      }
    }
  }
  const done = work()
  return Object.assign(downstream, {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await done
    },
  })
}
