/** Asks one composition or two, with a trace if that is wanted. */
import { hasOperation } from '@switchyard/operation-views'
import { useCallback, useEffect, useState } from 'react'
import { ApiError, toApiError } from '../../api/client.ts'
import { useApi } from '../../api/use-api.ts'
import { type Slot, useSlot } from '../../parts/traces/use-slot.ts'
import { type Asking, VENDOR } from './controls.tsx'
import { MistakeError, questionOf, type TraceRequest, type Written } from './question.ts'
import { type Run, type RunState, useRun } from './use-run.ts'

/** Seconds that a token is valid: for one run, which begins at once. */
const TOKEN_SECONDS = 60

export type Playground = {
  readonly first: Run
  readonly second: Run
  readonly traces: readonly [Slot, Slot]
  /** Why nothing was asked. */
  readonly problem: MistakeError | ApiError | null
  /** Warnings of the registry about the trace token. */
  readonly warnings: readonly string[]
  readonly isRunning: boolean
  readonly run: (written: Written, asking: Asking) => Promise<void>
  readonly stop: () => void
}

export function usePlayground(place: {
  readonly namespace: string
  readonly graph: string
  readonly url: string
}): Playground {
  const { namespace, graph, url } = place
  const api = useApi()
  const [first, second] = [useRun(), useRun()]
  const traces = [useTraceOf(first.state), useTraceOf(second.state)] as const
  const [problem, setProblem] = useState<MistakeError | ApiError | null>(null)
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const tokenFor = async ({ trace, vendor }: Asking): Promise<TraceRequest | null> => {
    if (!trace) return null
    if (!VENDOR.test(vendor))
      throw new MistakeError('The vendor of trace headers has letters, digits and - only, such as VENDOR.')
    const address = { path: { namespace, name: graph } }
    const path = '/v1/graphs/{namespace}/{name}/trace-tokens'
    // It is in this function and in the requests of this run only.
    const made = await api.write('post', path, address, { ttl: TOKEN_SECONDS })
    setWarnings(made.warnings)
    return { vendor, token: made.token }
  }
  const run = async (written: Written, asking: Asking) => {
    setProblem(null)
    setWarnings([])
    try {
      refuse(written.query, asking)
      // What is wrong with the request is said before a token is made for it.
      questionOf(url, written, asking.flag, null)
      const trace = await tokenFor(asking)
      const question = (flag: string | null) => questionOf(url, written, flag, trace)
      first.start(nameOf(asking.flag), question(asking.flag))
      if (asking.compare === undefined) second.clear()
      else second.start(nameOf(asking.compare), question(asking.compare))
    } catch (error) {
      setProblem(error instanceof MistakeError ? error : toApiError(error))
    }
  }
  const stop = () => {
    first.stop()
    second.stop()
  }
  const isRunning = first.state?.isRunning === true || second.state?.isRunning === true
  return { first, second, traces, problem, warnings, isRunning, run, stop }
}

/** Throws a MistakeError for operations that are not run here. */
function refuse(query: string, { compare }: Asking): void {
  if (compare !== undefined && hasOperation(query, 'mutation'))
    throw new MistakeError(
      'A mutation is not sent to two compositions: it would change things twice. Switch off “Compare with another”.',
    )
  if (hasOperation(query, 'subscription'))
    throw new MistakeError(
      'Subscriptions are not run here: they go on until somebody ends them. The playground of the router runs them, and “switchyard subscribe”.',
    )
}

export function nameOf(flag: string | null): string {
  return flag === null ? 'base' : `flag ${flag}`
}

/** Reads the trace of a run that has ended, in a thread of its own. */
function useTraceOf(state: RunState | null): Slot {
  const slot = useSlot()
  const { take, clear } = slot
  const read = useCallback(() => {
    clear()
    if (state === null || state.isRunning || state.answer === null || state.answer.trace === null) return
    const { errors, trace } = state.answer
    take(new Blob([JSON.stringify({ errors, extensions: { trace } })]), state.name)
  }, [state, take, clear])
  useEffect(read, [read])
  return slot
}
