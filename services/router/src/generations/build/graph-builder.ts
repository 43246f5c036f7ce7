/**
 * Compiles artifacts: from a graph that is there already, where few definitions differ, and otherwise as a
 * whole, in a thread.
 */
import { setImmediate } from 'node:timers/promises'
import { serialize } from 'node:v8'
import {
  type CompiledGraph,
  type GraphPatch,
  joinPatches,
  type PatchedGraph,
  patchGraph,
} from '@switchyard/engine'
import { enforced } from './compile-artifact.ts'
import { type PackedGraph, packPatch } from '../../planning/packed-graph.ts'
import { type CompiledArtifact, type Compiler, MEMORY_PER_BYTE, unpackedSize } from './compiler.ts'
import { takeTurns } from './turns.ts'
import { GraphText, type SplitArtifact, sharedPieces, splitArtifact } from './graph-text.ts'

/** A compiled graph with what another one can be compiled from it. */
export type LivingGraph = {
  readonly compiled: CompiledGraph
  readonly packed: PackedGraph
  /** How it differs from the graph that is packed as a whole; null if it does not. */
  readonly patch: GraphPatch | null
  readonly text: GraphText
  /** Whether another one can be compiled from it: its pieces are definitions, each by itself. */
  readonly isPatchable: boolean
}

/** A graph with its size in bytes. */
export type BuiltGraph = LivingGraph &
  Pick<CompiledArtifact, 'size' | 'subgraphs'> & {
    /** The number of types that were compiled; null if all of them were. */
    readonly changed: number | null
  }

/** Unpacked bytes of an artifact that is read and split on the serving thread, in some 50 ms. */
const MOST_BYTES = 6 * 1024 * 1024
/** Types in which a graph may differ from the one that is packed as a whole. */
const MOST_PATCHED = 1000
/** Graphs that are looked at for the one that differs least, beside those that were compiled as a whole. */
const MOST_LOOKED_AT = 8
/** Graphs that were compiled as a whole and are looked at. The text of each is unpacked once. */
const MOST_WHOLE = 4
/** Bytes that a type takes in the lists of a graph that shares the type itself with another one. */
const BYTES_PER_SHARED_TYPE = 100

/** Compiles artifacts. */
export class GraphBuilder {
  readonly #compiler: Compiler
  readonly #onDefect: (error: unknown) => void

  /** `onDefect`: a graph could not be compiled from another one, for a reason that is nobody's mistake. */
  constructor(compiler: Compiler, onDefect: (error: unknown) => void) {
    this.#compiler = compiler
    this.#onDefect = onDefect
  }

  /** `alive`: graphs that are there, the newest last. Rejects with NotCompiledError. */
  async build(gzipped: Uint8Array, alive: () => readonly LivingGraph[]): Promise<BuiltGraph> {
    const patched = await patchedFrom(gzipped, alive()).catch((error: unknown) => {
      this.#onDefect(error)
      return null
    })
    if (patched !== null) return patched
    const whole = await this.#compiler.compile(gzipped)
    return { ...whole, patch: null, text: new GraphText(gzipped), changed: null }
  }
}

async function patchedFrom(gzipped: Uint8Array, alive: readonly LivingGraph[]): Promise<BuiltGraph | null> {
  if (alive.length === 0 || unpackedSize(gzipped) > MOST_BYTES) return null
  // Whether it is one at all, the thread says.
  const artifact = await splitArtifact(gzipped).catch(() => null)
  if (artifact === null) return null
  await setImmediate()
  const nearest = await nearestOf(alive, artifact.pieces)
  if (nearest === null) return null
  const from = await nearest.text.read()
  const pieces = sharedPieces(artifact.pieces, from)
  await setImmediate()
  const patched = await patchGraph(nearest.compiled, from, pieces, takeTurns())
  return patched === null ? null : builtFrom(nearest, patched, { ...artifact, pieces })
}

function builtFrom(
  { packed: before, patch: earlier }: LivingGraph,
  patched: PatchedGraph,
  artifact: SplitArtifact,
): BuiltGraph | null {
  const own = { ...patched.patch, head: enforced(patched.patch.head, artifact) }
  const patch = earlier === null ? own : joinPatches(earlier, own)
  if (patch.types.length + patch.apiTypes.length > MOST_PATCHED) return null
  const compiled = enforced(patched.compiled, artifact)
  const packed = packPatch(before, patch)
  return {
    compiled,
    packed,
    patch,
    text: new GraphText(artifact.pieces),
    isPatchable: true,
    size: sizeOf(own, compiled) + (packed.patch?.byteLength ?? 0),
    subgraphs: artifact.subgraphs,
    changed: patched.patch.types.length,
  }
}

/** The bytes that the graph takes beside the one that it was compiled from. */
function sizeOf(own: GraphPatch, { types }: CompiledGraph): number {
  return Math.ceil(serialize(own).byteLength * MEMORY_PER_BYTE + types.length * BYTES_PER_SHARED_TYPE)
}

/** The graph whose text differs in the fewest pieces, and among those one that was compiled as a whole. */
async function nearestOf(
  alive: readonly LivingGraph[],
  pieces: readonly string[],
): Promise<LivingGraph | null> {
  const wanted = new Set(pieces)
  let nearest: LivingGraph | null = null
  let least = Number.POSITIVE_INFINITY
  for (const graph of candidatesIn(alive)) {
    const own = await graph.text.read()
    let shared = 0
    for (const piece of own) if (wanted.has(piece)) shared += 1
    const differing = pieces.length + own.length - 2 * shared
    if (differing >= least) continue
    nearest = graph
    least = differing
    await setImmediate()
  }
  return nearest
}

/** The newest graphs that were compiled as a whole, and the newest of the others. */
function candidatesIn(alive: readonly LivingGraph[]): readonly LivingGraph[] {
  const usable = alive.filter(({ isPatchable }) => isPatchable)
  const others = usable.filter((graph) => !isWhole(graph))
  return [...usable.filter(isWhole).slice(-MOST_WHOLE), ...others.slice(-MOST_LOOKED_AT)]
}

function isWhole({ patch }: LivingGraph): boolean {
  return patch === null
}
