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
import { type ArtifactContent, unpackedSizeOf } from '../content/artifact-content.ts'
import { enforced } from './compile-artifact.ts'
import { type PackedGraph, packPatch } from '../../planning/packed-graph.ts'
import { type CompiledArtifact, type Compiler, MEMORY_PER_BYTE } from './compiler.ts'
import { takeTurns } from './turns.ts'
import { GraphText, type SplitArtifact, type SplitText, sharedText, splitArtifact } from './graph-text.ts'

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

/**
 * Unpacked bytes of an artifact that is read and split on the serving thread. A whole one is unpacked and
 * parsed in one go, in some 50 ms. Of one in pieces that is done with the chunks that are not known.
 */
const MOST_BYTES = { whole: 6 * 1024 * 1024, pieces: 12 * 1024 * 1024 }
/** Types in which a graph may differ from the one that is packed as a whole. */
const MOST_PATCHED = 1000
/** Graphs that are looked at for the one that differs least, beside those that were compiled as a whole. */
const MOST_LOOKED_AT = 8
/** Graphs that were compiled as a whole and are looked at. The text of each is unpacked once. */
const MOST_WHOLE = 4
/**
 * Bytes that a type takes in a graph that shares the type itself with another one: in lists, and in tables of
 * names unless these are shared as well. They were measured.
 */
const BYTES_IN_LISTS = 30
const BYTES_IN_TABLES = 90

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
  async build(content: ArtifactContent, alive: () => readonly LivingGraph[]): Promise<BuiltGraph> {
    const patched = await patchedFrom(content, alive()).catch((error: unknown) => {
      this.#onDefect(error)
      return null
    })
    if (patched !== null) return patched
    const whole = await this.#compiler.compile(content)
    return { ...whole, patch: null, text: new GraphText(content), changed: null }
  }
}

async function patchedFrom(
  content: ArtifactContent,
  alive: readonly LivingGraph[],
): Promise<BuiltGraph | null> {
  if (alive.length === 0 || unpackedSizeOf(content) > MOST_BYTES[content.kind]) return null
  const candidates = await readCandidates(alive)
  // Whether it is one at all, the thread says.
  const texts = candidates.map(({ text }) => text)
  const artifact = await splitArtifact(content, texts).catch(() => null)
  if (artifact === null) return null
  await setImmediate()
  const nearest = await nearestOf(candidates, artifact.text)
  if (nearest === null) return null
  const text = sharedText(artifact.text, nearest.text)
  await setImmediate()
  const { compiled } = nearest.graph
  const patched = await patchGraph(compiled, nearest.text.definitions, text.definitions, takeTurns())
  return patched === null ? null : builtFrom(nearest.graph, patched, { ...artifact, text })
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
    text: new GraphText(artifact.text),
    isPatchable: true,
    size: sizeOf(own, compiled) + (packed.patch?.byteLength ?? 0),
    subgraphs: artifact.subgraphs,
    changed: patched.patch.types.length,
  }
}

/** The bytes that the graph takes beside the one that it was compiled from. */
function sizeOf(own: GraphPatch, { types }: CompiledGraph): number {
  const bytesPerType = BYTES_IN_LISTS + (own.apiNames === null ? 0 : BYTES_IN_TABLES)
  return Math.ceil(serialize(own).byteLength * MEMORY_PER_BYTE + types.length * bytesPerType)
}

/** A graph from which another one may be compiled, with its text. */
type Candidate = { readonly graph: LivingGraph; readonly text: SplitText }

async function readCandidates(alive: readonly LivingGraph[]): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = []
  for (const graph of candidatesIn(alive)) candidates.push({ graph, text: await graph.text.read() })
  return candidates
}

/** The graph whose text differs in the fewest definitions; among those one that was compiled as a whole. */
async function nearestOf(candidates: readonly Candidate[], text: SplitText): Promise<Candidate | null> {
  const shared = sharedWith(text)
  let nearest: Candidate | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const own = candidate.text
    const differing = text.definitions.length + own.definitions.length - 2 * shared(own)
    if (differing >= least) continue
    nearest = candidate
    least = differing
    await setImmediate()
  }
  return nearest
}

/** Counts the definitions of another text that the text has as well. Whole chunks are counted as such. */
function sharedWith(text: SplitText): (other: SplitText) => number {
  let definitions: ReadonlySet<string> | null = null
  const count = (others: readonly string[]) => {
    definitions ??= new Set(text.definitions)
    let shared = 0
    for (const definition of others) if (definitions.has(definition)) shared += 1
    return shared
  }
  return ({ definitions: own, chunks }) => {
    if (chunks.size === 0) return count(own)
    let shared = 0
    for (const [sha256, chunk] of chunks) shared += text.chunks.has(sha256) ? chunk.length : count(chunk)
    return shared
  }
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
