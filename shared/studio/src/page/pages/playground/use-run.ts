/** One run of an operation: the answer of one composition as it comes. */
import { type ReadAnswer, readAnswer } from '@switchyard/operation-views'
import { useCallback, useEffect, useRef, useState } from 'react'
import { askRouter, type Unreached } from './ask-router.ts'
import { FLAG_HEADER, type Question } from './question.ts'

export type RunState = {
  readonly isRunning: boolean
  /** The composition that was asked, as people read it. */
  readonly name: string
  readonly answer: ReadAnswer | null
  /** The flag that answered, as the router tells it; null for base. */
  readonly answeredBy: string | null
  /** Why there is no answer; null if there is one, or it is awaited. */
  readonly unreached: Unreached | 'stopped' | null
}

export type Run = {
  /** Null before the first run. */
  readonly state: RunState | null
  readonly start: (name: string, question: Question) => void
  readonly stop: () => void
  readonly clear: () => void
}

/** Milliseconds between two renderings: what comes within them is shown at once. */
const PAUSE = 100

export function useRun(): Run {
  const [state, setState] = useState<RunState | null>(null)
  const current = useRef<AbortController | null>(null)
  const stop = useCallback(() => current.current?.abort(), [])
  useEffect(() => stop, [stop])
  const start = useCallback(
    (name: string, question: Question) => {
      stop()
      const controller = new AbortController()
      current.current = controller
      const show = (next: RunState) => {
        if (current.current === controller) setState(next)
      }
      void run(name, question, controller.signal, show)
    },
    [stop],
  )
  const clear = useCallback(() => {
    stop()
    current.current = null
    setState(null)
  }, [stop])
  return { state, start, stop, clear }
}

async function run(
  name: string,
  question: Question,
  signal: AbortSignal,
  show: (state: RunState) => void,
): Promise<void> {
  const waiting: RunState = { isRunning: true, name, answer: null, answeredBy: null, unreached: null }
  show(waiting)
  const began = performance.now()
  const asked = await askRouter(question, signal)
  if (asked.kind !== 'answered') {
    const unreached = asked.kind === 'stopped' ? 'stopped' : asked.reason
    return show({ ...waiting, isRunning: false, unreached })
  }
  const { response } = asked
  const answeredBy = response.headers.get(FLAG_HEADER)
  using paced = new Paced(show)
  for await (const answer of readAnswer(response, { began, now: () => performance.now(), signal }))
    paced.set({ ...waiting, isRunning: answer.hasNext, answer, answeredBy })
}

/** Shows the newest of what comes, at most ten times a second, and always the last. */
class Paced implements Disposable {
  readonly #show: (state: RunState) => void
  #waiting: RunState | null = null
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(show: (state: RunState) => void) {
    this.#show = show
  }

  set(state: RunState): void {
    this.#waiting = state
    if (this.#timer !== null) return
    this.#flush()
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#flush()
    }, PAUSE)
  }

  #flush(): void {
    if (this.#waiting !== null) this.#show(this.#waiting)
    this.#waiting = null
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#flush()
  }
}
