/** The work of a composition's thread, and the form in which tasks reach it. */
import { serveTasks } from '@switchyard/worker-host'
import type { ComposeOutcome, ComposeTask, TaskSubgraph } from './compose-task.ts'

/** A task whose schemas are UTF-8 in shared memory: the main thread neither copies nor decodes them. */
export type SentComposeTask = Omit<ComposeTask, 'subgraphs'> & {
  readonly subgraphs: readonly (Omit<TaskSubgraph, 'sdl'> & { readonly sdl: Uint8Array<SharedArrayBuffer> })[]
}

/** Serves compositions. The module of the thread calls it once. */
export function serveCompositions(
  compose: (task: ComposeTask) => ComposeOutcome | Promise<ComposeOutcome>,
): void {
  serveTasks<SentComposeTask, ComposeOutcome>({ run: (task) => compose(readTask(task)), transfer: buffersOf })
}

function readTask({ subgraphs, ...task }: SentComposeTask): ComposeTask {
  const decoder = new TextDecoder()
  return {
    ...task,
    // TextDecoder does not accept shared memory, which another thread could change meanwhile.
    subgraphs: subgraphs.map(({ sdl, ...rest }) => ({ ...rest, sdl: decoder.decode(sdl.slice()) })),
  }
}

function buffersOf(outcome: ComposeOutcome): ArrayBuffer[] {
  if (outcome.kind === 'composed') return [outcome.artifact.buffer]
  return outcome.allErrors === null ? [] : [outcome.allErrors.buffer]
}
