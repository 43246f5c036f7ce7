/**
 * Delivers the answer to a probe instead of an engine: parts at the times that the probe asked for, each with
 * the time it was written.
 */
import { randomBytes } from 'node:crypto'
import type { IncrementalExecution, IncrementalListener } from '@switchyard/engine'
import { type ProbePart, probePartKey, type ProbeRequest, type ProbeStart } from '@switchyard/contracts'

/** Nothing is called before the function has returned. */
export function executeProbe(
  request: ProbeRequest,
  facts: Pick<ProbeStart, 'enableDefer' | 'received'>,
  listener: IncrementalListener,
): IncrementalExecution {
  const { parts, spacing } = request
  const padding = paddingOf(request.padding)
  let started = 0
  let next = 1
  let isPaused = false
  let timer: NodeJS.Timeout | null = null

  const deliver = (): void => {
    timer = null
    if (isPaused) return
    const number = next++
    const hasNext = number < parts
    if (number === 1) {
      started = performance.now()
      const probe: ProbeStart = { part: 1, sentAt: 0, ...facts, padding }
      const pending = Array.from({ length: parts - 1 }, (_, index) => announced(index + 2))
      listener.initial({ data: { probe }, errors: [], pending, hasNext }, NOT_LARGE, null)
    } else {
      const part: ProbePart = { part: number, sentAt: performance.now() - started, padding }
      const id = String(number - 1)
      const incremental = [{ data: { [probePartKey(number)]: part }, id }]
      listener.subsequent({ incremental, completed: [{ id }], pending: [], hasNext }, NOT_LARGE, null)
    }
    if (hasNext) wait(spacing)
  }
  const wait = (milliseconds: number): void => {
    timer = setTimeout(deliver, milliseconds)
  }
  wait(0)
  return {
    abort() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      next = parts + 1
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      if (timer === null && next <= parts) wait(0)
    },
  }
}

/** So that each part is printed in one go. */
const NOT_LARGE = 0

function announced(number: number) {
  return { id: String(number - 1), path: [], label: probePartKey(number) }
}

/** Makes padding that a compressor cannot shorten much: parts must not vanish in its buffer. */
function paddingOf(length: number): string {
  return randomBytes(Math.ceil((length * 3) / 4))
    .toString('base64')
    .slice(0, length)
}
