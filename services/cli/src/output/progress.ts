/** The line that a person at a terminal sees while a command waits. It is redrawn and removed at the end. */
import type { CommandOutcome } from '@switchyard/contracts'
import type { CliContext, Printer } from '../run/context.ts'
import { printerOn } from './style.ts'
import { cutToWidth } from '@switchyard/composition/display-width'
import { printableLine } from '@switchyard/service-kit/printable'

const REDRAW_MS = 250
/** The delay before the line is drawn first, so that a quick answer draws none. */
const FIRST_DRAW_MS = 400

/** A line that can be changed until it is stopped. */
export type Progress = {
  /** A stream for all other output meanwhile, so that it does not run into the line. */
  readonly stderr: Printer
  readonly show: (text: string) => void
  readonly stop: () => void
}

/** Off a terminal nothing is shown: a log of a build is no place for a line that moves. */
export function startProgress({ stderr, env }: Pick<CliContext, 'stderr' | 'env'>): Progress {
  if (!stderr.isTTY || env['TERM'] === 'dumb') {
    return { stderr, show: () => undefined, stop: () => undefined }
  }
  const began = performance.now()
  let text = ''
  let drawn = false
  const draw = () => {
    const passed = performance.now() - began
    if (text === '' || passed < FIRST_DRAW_MS) return
    const line = `${text} (${Math.floor(passed / 1000)} s)`
    stderr.clearLine()
    stderr.write(cutToWidth(printableLine(line), (stderr.columns ?? 80) - 1))
    drawn = true
  }
  const clear = () => {
    if (drawn) stderr.clearLine()
    drawn = false
  }
  const timer = setInterval(draw, REDRAW_MS)
  return {
    stderr: printerOn({
      isTTY: true,
      get columns() {
        return stderr.columns
      },
      write(words) {
        clear()
        stderr.write(words)
      },
    }),
    // Drawn by the timer alone: what changes a thousand times a second is read by nobody.
    show(next) {
      text = next
    },
    stop() {
      clearInterval(timer)
      clear()
    },
  }
}

/** Describes how far a command is. `known` is null as long as the registry has not answered. */
export function progressOf(known: CommandOutcome | null): string {
  if (known === null) return 'waiting for the registry …'
  const composed = new Set(known.compositions.map(({ graph }) => graph))
  const missing = known.affectedGraphs.filter((graph) => !composed.has(graph))
  const released = known.rolloutGraphs ?? []
  const isComposed = known.affectedGraphs.length > 0 || released.length === 0
  const parts = missing.length === 0 ? [] : [`composing ${missing.join(', ')} …`]
  if (missing.length === 0 && known.pending)
    parts.push(isComposed ? 'composing feature flags …' : `publishing ${released.join(', ')} …`)
  if (composed.size > 0 || (released.length > 0 && !known.pending))
    parts.push(`live on ${known.routers.serving}/${known.routers.total} routers`)
  return parts.length === 0 ? 'composing …' : parts.join(' ')
}
