/** What goes between the composer and a thread that composes. */
import type { ComposeOutcome, ComposeTask, TaskSubgraph } from '../compose-task.ts'

/** Schemas as UTF-8 in shared memory: nothing of them is copied or decoded where everybody waits for it. */
export type SentTask = Omit<ComposeTask, 'subgraphs'> & {
  readonly subgraphs: readonly (Omit<TaskSubgraph, 'sdl'> & { readonly sdl: Uint8Array<SharedArrayBuffer> })[]
}

export type ThreadReply =
  /** CPU that the thread had used by then, in milliseconds. */
  | { readonly kind: 'began'; readonly cpuMs: number }
  | { readonly kind: 'ended'; readonly cpuMs: number; readonly outcome: ComposeOutcome }
