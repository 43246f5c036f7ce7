/** Compares two compositions of a graph: client schemas, and plans of the published documents. */
import { Artifact } from '@switchyard/contracts'
import type { ComparedPlan, CompositionDifference } from '@switchyard/contracts/studio'
import { operationNameIn } from '@switchyard/documents'
import { openGraph } from '@switchyard/engine'
import {
  type CompiledSource,
  diffCompiled,
  distinctDocuments,
  type DistinctDocument,
} from '@switchyard/schema-checks'
import { comparePlans, type PlanChange, type PlannedSide } from '@switchyard/schema-checks/plans'
import { CompositionCompiler } from '../compositions/composition-compiler.ts'
import { boundedChanges } from './bounded-changes.ts'
import { type KeptManifest, manifestsOf } from './kept-manifests.ts'

export type DifferenceTask = {
  readonly kind: 'difference'
  /** Bytes of the artifacts. Null for the second one if both are the same. */
  readonly from: Uint8Array
  readonly to: Uint8Array | null
  readonly documents: readonly KeptManifest[]
}

type Difference = Pick<CompositionDifference, 'schema' | 'plans'>

const MOST_PLANS = 200
/** Characters of a plan, and of the plans of all operations together. */
const MOST_OF_PLAN = 16 * 1024
const MOST_OF_ALL = 2 * 1024 * 1024
/** CPU milliseconds for the plans of all operations. */
const PLANS_CPU_MS = 45_000

export async function compareCompositions({ from, to, documents }: DifferenceTask): Promise<Difference> {
  const [before, after] = await compiled(artifactIn(from), to === null ? null : artifactIn(to))
  const changes = await diffCompiled(before, after)
  const distinct = distinctDocuments(manifestsOf(documents))
  const plans = distinct.length === 0 ? null : await planDifference(before, after, distinct)
  return { schema: boundedChanges(changes), plans }
}

function artifactIn(bytes: Uint8Array): Artifact {
  return Artifact.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
}

/** Compiles both; `to` is null if they are the same. */
async function compiled(
  from: Artifact,
  to: Artifact | null,
): Promise<readonly [CompiledSource, CompiledSource]> {
  const compiler = new CompositionCompiler()
  const compile = async (source: Artifact) => {
    return { source, graph: openGraph(await compiler.compile(source.supergraphSdl)) }
  }
  const before = await compile(from)
  return [before, to === null ? before : await compile(to)]
}

async function planDifference(
  before: CompiledSource,
  after: CompiledSource,
  documents: readonly DistinctDocument[],
): Promise<Difference['plans']> {
  if (before.source.supergraphSdl === after.source.supergraphSdl) {
    const operations = documents.length
    return { operations, notCompared: 0, unchanged: operations, refused: 0, changed: 0, changes: [] }
  }
  // The name of an operation is the place of its document, by which the document is found again.
  const named = documents.map(({ text }, place) => {
    return { name: String(place), document: text, operationName: operationNameIn(text) }
  })
  const found = await comparePlans(
    before.graph,
    after.graph,
    { operations: named, origin: 'of the published documents' },
    {
      defer: true,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      maxCpuMs: PLANS_CPU_MS,
    },
  )
  let left = MOST_OF_ALL
  const printed = (side: PlannedSide): ComparedPlan['from'] => {
    if (side.kind === 'refused') return { kind: 'refused', message: side.message }
    const { kind, requests, depth, unreachable } = side
    const text = side.print().slice(0, Math.min(left, MOST_OF_PLAN))
    left -= text.length
    return { kind, requests, depth, unreachable: [...unreachable], text }
  }
  const worst = found.changes.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MOST_PLANS)
  return {
    operations: found.operations,
    notCompared: found.notCompared,
    unchanged: found.unchanged,
    refused: found.refused.length,
    changed: found.changes.length,
    changes: worst.flatMap(({ operation, conditions, status, from, to }) => {
      const document = documents[Number(operation)]
      if (document === undefined) return []
      const { id, manifests, clients } = document
      const operationName = named[Number(operation)]?.operationName ?? null
      const told = {
        operationName,
        document: id,
        manifests: [...manifests],
        clients: clients && [...clients],
      }
      return [{ ...told, conditions: { ...conditions }, status, from: printed(from), to: printed(to) }]
    }),
  }
}

/** The worst first: operations that are lost, then those that need more requests. */
function rankOf({ status, from, to }: PlanChange): number {
  if (status === 'lost') return 0
  if (to.kind === 'planned' && to.unreachable.length > 0) return 1
  if (from.kind !== 'planned' || to.kind !== 'planned') return 4
  return to.requests > from.requests ? 2 : 3
}
