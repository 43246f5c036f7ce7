/** Composes what publishing a schema would affect, and compares it with what is served. */
import { Artifact, type CompositionMessage, type CompositionReport } from '@switchyard/contracts'
import type { SubgraphCheck } from '@switchyard/contracts/studio'
import {
  checkForeseen,
  type ForeseenChange,
  groupByCriticality,
  type ServedGraph,
} from '@switchyard/schema-checks'
import { boundedChanges } from './bounded-changes.ts'
import { type KeptManifest, manifestsOf } from './kept-manifests.ts'

/** A graph that the schema affects, as it is now. */
export type GraphToCheck = {
  readonly name: string
  /** Hashes of the artifacts that are served, by the name of the flag; null is the base. */
  readonly served: readonly (readonly [featureFlag: string | null, artifact: string])[]
  /** Its newest compositions. */
  readonly compositions: readonly CompositionReport[]
  readonly documents: readonly KeptManifest[]
}

export type CheckTask = {
  readonly kind: 'check'
  readonly change: ForeseenChange
  readonly strict: boolean
  readonly graphs: readonly GraphToCheck[]
  /** Bytes by hash. */
  readonly sdls: ReadonlyMap<string, Uint8Array>
  readonly artifacts: ReadonlyMap<string, Uint8Array>
}

type Checked = Pick<SubgraphCheck, 'passes' | 'compositions' | 'changes' | 'documents'>

const MOST_MESSAGES = 100

export async function checkPublication({ change, strict, graphs, ...sources }: CheckTask): Promise<Checked> {
  const supergraphs = new Map([...sources.artifacts].map(([hash, bytes]) => [hash, supergraphIn(bytes)]))
  const served = new Map(graphs.map((graph) => [graph.name, servedOf(graph, supergraphs)]))
  const sdls = new Map([...sources.sdls].map(([hash, bytes]) => [hash, textOf(bytes)]))
  const found = await checkForeseen(change, { sdls, served }, { threads: 0, isStrict: strict })
  const failed = found.compositions.some(({ status, failedBefore }) => status === 'failed' && !failedBefore)
  const { tried, unanswered, partlyAnswered, lost } = found.documents
  const changes = groupByCriticality(found.changes).flatMap((group) => group.changes)
  const counted = boundedChanges(changes)
  const isBreaking = counted.breaking > 0 || unanswered > 0 || (strict && partlyAnswered > 0)
  return {
    passes: !failed && !isBreaking,
    compositions: found.compositions.map(({ errors, hints, ...composition }) => ({
      ...composition,
      errors: errors.slice(0, MOST_MESSAGES),
      hints: hints.slice(0, MOST_MESSAGES),
    })),
    changes: counted,
    documents: {
      tried,
      unanswered,
      partlyAnswered,
      lost: lost.map(({ manifests, clients, compositions, ...document }) => ({
        ...document,
        manifests: [...manifests],
        clients: clients && [...clients],
        compositions: compositions.map(({ locations, ...one }) => ({ ...one, locations: [...locations] })),
      })),
    },
  }
}

function servedOf(graph: GraphToCheck, supergraphs: ReadonlyMap<string, string>): ServedGraph {
  const failed = graph.compositions.filter(({ status }) => status === 'failed')
  return {
    supergraphs: new Map(
      graph.served.flatMap(([flag, artifact]) => {
        const text = supergraphs.get(artifact)
        return text === undefined ? [] : [[flag, text] as const]
      }),
    ),
    failed: new Map(failed.map((report) => [report.featureFlag, report])),
    warnings: new Map(graph.compositions.map(({ featureFlag, hints }) => [featureFlag, warningsIn(hints)])),
    documents: manifestsOf(graph.documents),
  }
}

/** Hints that every answer repeats: somebody may see too much. */
function warningsIn(hints: readonly CompositionMessage[]): readonly CompositionMessage[] {
  return hints.filter(({ code }) => code === 'AUTHORIZATION_NOT_ENFORCED')
}

function supergraphIn(bytes: Uint8Array): string {
  return Artifact.parse(JSON.parse(textOf(bytes))).supergraphSdl
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
