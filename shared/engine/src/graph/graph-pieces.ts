/**
 * A compiled graph on its way from one thread to another.
 *
 * Received as one message, a large graph holds up the event loop while it is read. It travels as
 * bytes instead, which change hands without being copied, and is put together again a piece at a time.
 */
import { deserialize, serialize } from 'node:v8'
import type { ApiType } from './compiled/compiled-api.ts'
import type { CompiledGraph, CompiledType } from './compiled/compiled-graph.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A compiled graph as bytes, its types one by one. */
export type GraphPieces = {
  /** The graph without the types of either list. */
  readonly head: Bytes
  readonly types: readonly Bytes[]
  readonly apiTypes: readonly Bytes[]
}

/** Called between the pieces of long work, which waits for the promise if one is returned. */
export type Pause = () => Promise<void> | undefined

/** The size of a piece, in fields and declarations of fields. Reading one takes less than a millisecond. */
const PIECE_WEIGHT = 500

/** Turns a compiled graph into bytes; `joinGraph` is the way back. */
export function cutGraph(graph: CompiledGraph): GraphPieces {
  const { types, apiTypes } = piecesOf(graph)
  return { head: bytesOf(headOf(graph)), types: types.map(bytesOf), apiTypes: apiTypes.map(bytesOf) }
}

/** Returns the buffers that may be transferred with a message instead of being copied. */
export function buffersOf({ head, types, apiTypes }: GraphPieces): ArrayBuffer[] {
  return [head, ...types, ...apiTypes].map(({ buffer }) => buffer)
}

/** Puts a compiled graph together again, with pauses between the pieces. */
export async function joinGraph(sent: GraphPieces, pause: Pause): Promise<CompiledGraph> {
  const readAll = async <Item>(pieces: readonly Bytes[]): Promise<readonly Item[]> => {
    const items: Item[] = []
    for (const piece of pieces) {
      // Written by cutGraph, in another thread of the same program.
      const read: readonly Item[] = deserialize(piece)
      items.push(...read)
      await pause()
    }
    return items
  }
  const head: CompiledGraph = deserialize(sent.head)
  const types = await readAll<CompiledType>(sent.types)
  return { ...head, types, api: { ...head.api, types: await readAll<ApiType>(sent.apiTypes) } }
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

/** Cuts a list into pieces of about the same weight. */
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

/** A value as bytes in a buffer of its own, which can be handed over. */
function bytesOf(value: unknown): Bytes {
  return new Uint8Array(serialize(value))
}
