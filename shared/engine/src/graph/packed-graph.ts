/**
 * A compiled graph on its way from one thread to another.
 *
 * Sent and received as one message, a large graph holds up both event loops while it is written and read. It travels as
 * bytes instead, which change hands without being copied, and both ends work a piece at a time.
 */
import { deserialize, serialize } from 'node:v8'
import type { ApiType } from './compiled-api.ts'
import type { CompiledGraph, CompiledType } from './compiled-graph.ts'

type Bytes = Uint8Array<ArrayBuffer>

export type PackedGraph = {
  /** The graph without the types of either list. */
  readonly head: Bytes
  readonly types: readonly Bytes[]
  readonly apiTypes: readonly Bytes[]
}

/** Called between the pieces of long work; what it returns is waited for. */
export type Pause = () => Promise<void> | undefined

/** Fields, and what subgraphs say of them: reading as many takes less than a millisecond. */
const PIECE_WEIGHT = 500

export function packGraph(graph: CompiledGraph): PackedGraph {
  const { types, apiTypes } = piecesOf(graph)
  return { head: bytesOf(headOf(graph)), types: types.map(bytesOf), apiTypes: apiTypes.map(bytesOf) }
}

/** What may be handed over with a message instead of being copied. */
export function buffersOf({ head, types, apiTypes }: PackedGraph): ArrayBuffer[] {
  return [head, ...types, ...apiTypes].map(({ buffer }) => buffer)
}

export async function unpackGraph(packed: PackedGraph, pause: Pause): Promise<CompiledGraph> {
  const read = async <Item>(pieces: readonly Bytes[]): Promise<readonly Item[]> => {
    const items: Item[] = []
    for (const piece of pieces) {
      // Written by packGraph, in another thread of the same program.
      items.push(...(deserialize(piece) as readonly Item[]))
      await pause()
    }
    return items
  }
  const head = deserialize(packed.head) as CompiledGraph
  const types = await read<CompiledType>(packed.types)
  return { ...head, types, api: { ...head.api, types: await read<ApiType>(packed.apiTypes) } }
}

function headOf(graph: CompiledGraph): CompiledGraph {
  return { ...graph, types: [], api: { ...graph.api, types: [] } }
}

function piecesOf({ types, api }: CompiledGraph) {
  return {
    types: cut(types, ({ fields, presence }) =>
      fields.reduce((sum, { edges }) => sum + 1 + edges.length, presence.length + 1),
    ),
    apiTypes: cut(api.types, (type) => ('fields' in type ? 1 + type.fields.length : 1)),
  }
}

function cut<Item>(items: readonly Item[], weightOf: (item: Item) => number): readonly (readonly Item[])[] {
  const pieces: Item[][] = []
  let weight = PIECE_WEIGHT
  for (const item of items) {
    if (weight >= PIECE_WEIGHT) {
      pieces.push([])
      weight = 0
    }
    pieces.at(-1)?.push(item)
    weight += weightOf(item)
  }
  return pieces
}

/** In a buffer of its own, which can be handed over. */
function bytesOf(value: unknown): Bytes {
  return new Uint8Array(serialize(value))
}
