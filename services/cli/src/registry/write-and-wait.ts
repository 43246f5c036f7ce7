/**
 * A write, and the wait for what it causes.
 *
 * The write itself waits only a moment; then the outcome of the command is asked for until it is settled. No
 * request stays open for long, so proxies in between do not cut it, and somebody who watches sees how far it
 * is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandOutcome } from '@switchyard/contracts'
import { CliError, Interrupted, RefusedByRegistry } from '../run/errors.ts'
import { apiPath, type RegistryClient } from './registry-client.ts'

const FIRST_WAIT_MS = 1000
const POLL_WAIT_MS = 2000
/** The pause after a question that was answered at once: the registry does not wait, or is stopping. */
const PAUSE_MS = 200

/** The methods of requests that change something. */
export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request that changes something in a namespace. */
export type RegistryWrite = {
  readonly method: WriteMethod
  readonly path: string
  readonly body: unknown
  readonly namespace: string
}

/** How long a command waits for its outcome, and who is told about the progress. */
export type WaitOptions = {
  /** The milliseconds of the whole wait. 0 means that the outcome is the one known at once. */
  readonly waitMs: number
  /** True if the command waits for nothing more. */
  readonly isOver: (known: CommandOutcome) => boolean
  readonly signal: AbortSignal
  /** Is called with the outcome so far. Null before the first answer. */
  readonly onProgress: (known: CommandOutcome | null) => void
}

/** The outcome when nothing more is waited for, or the wait ended before. */
export async function writeAndWait(
  registry: RegistryClient,
  write: RegistryWrite,
  { waitMs, isOver, signal, onProgress }: WaitOptions,
): Promise<CommandOutcome> {
  onProgress(null)
  const began = performance.now()
  const send = (timeoutMs: number) =>
    registry.write({
      method: write.method,
      path: `${write.path}?wait=${timeoutMs}`,
      body: write.body,
      schema: CommandOutcome,
      timeoutMs,
    })
  let known = await send(Math.min(waitMs, FIRST_WAIT_MS))
  // What changed nothing has no outcome that comes later.
  while (known.changed && !isOver(known)) {
    const left = Math.round(began + waitMs - performance.now())
    if (left <= 0) break
    onProgress(known)
    const asked = Math.min(left, POLL_WAIT_MS)
    const pause = Math.min(asked, PAUSE_MS)
    try {
      await sleep(pause, undefined, { signal })
      const polled = await poll(registry, write.namespace, known.commandId, asked - pause)
      // A registry that has no such route gives the same answer to the same write.
      const next = polled ?? (await send(asked - pause))
      // `changed` and what was said belong to the write; the rest is newer.
      known = { ...next, changed: known.changed, message: known.message, warnings: known.warnings }
    } catch (error) {
      if (signal.aborted) throw interrupted(known)
      if (!(error instanceof CliError)) throw error
      const early = `The registry could not be asked any more while waiting (${error.code}); the change is kept, and its compositions go on.`
      return { ...known, warnings: [...known.warnings, early] }
    }
  }
  return known
}

async function poll(
  registry: RegistryClient,
  namespace: string,
  commandId: string,
  waitMs: number,
): Promise<CommandOutcome | null> {
  try {
    const path = `${apiPath('commands', namespace, commandId)}?wait=${waitMs}`
    return await registry.get(path, CommandOutcome, { timeoutMs: waitMs })
  } catch (error) {
    if (error instanceof RefusedByRegistry && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function interrupted(known: CommandOutcome): Interrupted {
  const composed = new Set(known.compositions.map(({ graph }) => graph))
  const missing = known.affectedGraphs.filter((graph) => !composed.has(graph))
  const isComposed = known.affectedGraphs.length > 0 || (known.rolloutGraphs ?? []).length === 0
  const ongoing = isComposed ? 'its compositions go on' : 'routers will be given it'
  const rest = missing.length === 0 ? ongoing : `still composing: ${missing.join(', ')}`
  return new Interrupted(`Interrupted while waiting. ${known.message} The change is kept; ${rest}.`)
}
