/**
 * All tasks of a check, in threads where that pays.
 *
 * A composition of a large graph is seconds of CPU, and a check may need one for each flag; a thread costs a
 * third of a second to start.
 */
import { availableParallelism } from 'node:os'
import { type CompositionTask, runTask, type TaskLibrary, type TaskResult } from './composition-task.ts'
import { TaskThreads } from './task-threads.ts'

export type RunOptions = {
  readonly signal?: AbortSignal
  /** Most threads that may run; 0 means none, so that everything is done here. */
  readonly threads?: number
}

/** Bytes of SDL to compose below which everything is done before a thread would have started. */
const WORTH_A_THREAD_BYTES = 200_000
/** Composition recurses from type to type: long chains of types need more than the main thread's stack. */
const STACK_MB = 32
/**
 * CPU milliseconds of one composition with its comparisons: four times what a composer spends on a
 * composition by default.
 */
const CPU_MS = 120_000
/** Each thread holds every schema of the namespace. */
export const MAX_THREADS = 4
const MODULE = new URL('./composition-thread.ts', import.meta.url)

/** Results in the order of the tasks. */
export async function runTasks(
  library: TaskLibrary,
  tasks: readonly CompositionTask[],
  options: RunOptions = {},
): Promise<readonly TaskResult[]> {
  const threads = options.threads ?? threadsFor(library, tasks)
  return threads === 0
    ? runHere(library, tasks, options.signal)
    : runInThreads(library, tasks, threads, options.signal)
}

async function runHere(
  library: TaskLibrary,
  tasks: readonly CompositionTask[],
  signal: AbortSignal | undefined,
): Promise<readonly TaskResult[]> {
  const results: TaskResult[] = []
  for (const task of tasks) {
    signal?.throwIfAborted()
    const result = await runTask(library, task)
    results.push(...(gaveUp(result) ? await runInThreads(library, [task], 1, signal) : [result]))
  }
  return results
}

/** The composition ended inside itself, as it does when the stack is too small for it. */
function gaveUp(result: TaskResult): boolean {
  return result.kind === 'failed' && result.errors.some(({ code }) => code === 'COMPOSITION_INTERNAL')
}

async function runInThreads(
  library: TaskLibrary,
  tasks: readonly CompositionTask[],
  threads: number,
  signal: AbortSignal | undefined,
): Promise<readonly TaskResult[]> {
  await using running = new TaskThreads<CompositionTask, TaskResult>({
    module: MODULE,
    name: 'composition',
    data: library,
    stackMb: STACK_MB,
    threads,
    cpuMs: CPU_MS,
    doing: 'Composing one graph with the changed schema',
  })
  return await running.run(tasks, signal)
}

function threadsFor(library: TaskLibrary, tasks: readonly CompositionTask[]): number {
  const compositions = tasks.flatMap(({ after }) => (after.kind === 'compose' ? [after.subgraphs] : []))
  const bytes = compositions
    .flat()
    .reduce((total, { schema }) => total + (library.sdls.get(schema)?.length ?? 0), 0)
  if (bytes < WORTH_A_THREAD_BYTES) return 0
  return Math.min(MAX_THREADS, availableParallelism(), compositions.length)
}
