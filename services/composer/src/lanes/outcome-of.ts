/** Translates the end of a task in a thread into the outcome of a composition. */
import type { TaskEnd } from '@switchyard/worker-host'
import type { ComposeOutcome } from './compose-task.ts'
import {
  CompositionTimeoutError,
  CpuBudgetExceededError,
  OutOfMemoryError,
  ComposerStoppingError,
  WorkerCrashedError,
} from './errors.ts'
import type { SentComposeTask, ThreadAnswer } from './serve-compositions.ts'

export type ThreadLimits = {
  readonly cpuMs: number
  /** MiB of heap. */
  readonly memoryMb: number
  /**
   * Milliseconds after which a thread that reports no CPU time counts as stuck in something that cannot be
   * interrupted.
   */
  readonly silentMs: number
  readonly signal: AbortSignal
}

/**
 * Throws CpuBudgetExceededError, OutOfMemoryError, WorkerCrashedError, CompositionTimeoutError,
 * ComposerStoppingError, or the reason of the signal.
 */
export function outcomeOf(
  end: TaskEnd<ThreadAnswer>,
  { subgraphs }: SentComposeTask,
  { cpuMs, memoryMb, silentMs, signal }: ThreadLimits,
): ComposeOutcome {
  switch (end.kind) {
    case 'done':
      if (end.result.outcome.kind === 'stopped') throw signal.reason
      return end.result.outcome
    case 'cpu-limit':
      throw new CpuBudgetExceededError(cpuMs, subgraphs)
    case 'memory-limit':
      throw new OutOfMemoryError(memoryMb, end.error)
    case 'crashed':
      throw new WorkerCrashedError(end.error)
    case 'silent':
    case 'time-limit':
      throw new CompositionTimeoutError(silentMs)
    case 'cancelled':
      throw signal.reason
    case 'disposed':
      throw new ComposerStoppingError()
    default:
      return end satisfies never
  }
}
