/** The work of a composition's thread, and the form in which tasks reach it. */
import { workerData } from 'node:worker_threads'
import {
  CompositionStoppedError,
  GraphMemories,
  type MemoryState,
  type RememberedGraph,
} from '@switchyard/composition'
import { serveTasks } from '@switchyard/worker-host'
import type { ComposeOutcome, ComposeTask, TaskSubgraph } from './compose-task.ts'

/** A composition as it waits for a thread. Its schemas are UTF-8 in shared memory: nobody copies them. */
export type SentComposeTask = Pick<ComposeTask, 'options'> & {
  readonly subgraphs: readonly (Omit<TaskSubgraph, 'sdl'> & { readonly sdl: Uint8Array<SharedArrayBuffer> })[]
}

/** A composition as it is sent to a thread. */
export type ThreadTask = SentComposeTask & {
  readonly graph: RememberedGraph
  /** Not 0 as soon as the composition is to stop. */
  readonly stop: Int32Array<SharedArrayBuffer>
}

/** `workerData` of the thread. */
export type ThreadData = {
  /** About how many bytes the memories of all graphs may take together. */
  readonly mostBytes: number
}

/** The end of a composition, and what its thread remembers then. */
export type ThreadAnswer = {
  readonly outcome: ComposeOutcome | { readonly kind: 'stopped' }
  /** Whether the composition found anything in the memory of its graph. */
  readonly memory: MemoryState
  /** The graphs that the thread remembers: `namespace/graph`. */
  readonly remembered: readonly string[]
}

/** Serves compositions. The module of the thread calls it once. */
export function serveCompositions(
  compose: (task: ComposeTask) => ComposeOutcome | Promise<ComposeOutcome>,
): void {
  // Only the threads of lanes have this.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { mostBytes } = workerData as ThreadData
  const memories = new GraphMemories(mostBytes)
  const run = async ({ graph, stop, subgraphs, options }: ThreadTask): Promise<ThreadAnswer> => {
    const memory = memories.stateOf(graph)
    const task = {
      options,
      subgraphs: readSubgraphs(subgraphs),
      memory: memories.of(graph),
      isStopped: () => Atomics.load(stop, 0) !== 0,
    }
    const outcome = await stoppable(() => compose(task))
    memories.trim()
    return { outcome, memory, remembered: memories.graphs }
  }
  serveTasks<ThreadTask, ThreadAnswer>({ run, transfer: buffersOf })
}

async function stoppable(
  compose: () => ComposeOutcome | Promise<ComposeOutcome>,
): Promise<ThreadAnswer['outcome']> {
  try {
    return await compose()
  } catch (error) {
    if (error instanceof CompositionStoppedError) return { kind: 'stopped' }
    throw error
  }
}

function readSubgraphs(subgraphs: SentComposeTask['subgraphs']): ComposeTask['subgraphs'] {
  const decoder = new TextDecoder()
  // TextDecoder does not accept shared memory, which another thread could change meanwhile.
  return subgraphs.map(({ sdl, ...rest }) => ({ ...rest, sdl: decoder.decode(sdl.slice()) }))
}

function buffersOf({ outcome }: ThreadAnswer): ArrayBuffer[] {
  if (outcome.kind === 'stopped') return []
  if (outcome.kind === 'composed') {
    const { artifact, pieces } = outcome
    const parts = pieces === null ? [] : [pieces.list, ...pieces.chunks.map(({ bytes }) => bytes)]
    return [artifact, ...parts].map(({ buffer }) => buffer)
  }
  return outcome.allErrors === null ? [] : [outcome.allErrors.buffer]
}
