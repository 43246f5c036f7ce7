/** Says how much of a window is known, and whether something may be called unused because of it. */
import type { UsageCoverage } from '@switchyard/contracts'
import type { z } from 'zod'
import type { BlockData } from './block-data.ts'
import { dueMinutes } from './due-minutes.ts'

type Coverage = z.infer<typeof UsageCoverage>

/** The share of minutes that has to be known. */
const EVIDENCE_SHARE = 0.99

/** A window in minutes of Unix time, and what is known of it besides the minutes of routers. */
export type CoverageWindow = {
  readonly from: number
  /** The first minute that is not due yet, or the end of the window. */
  readonly to: number
  /** The first minute that is kept. */
  readonly kept: number
  readonly retentionDays: number
  readonly heard: number
}

/** Adds up the minutes of routers over the blocks of a window. */
export class CoverageTally {
  readonly #horizon: number
  readonly #untold = new Map<string, { readonly count: number; readonly at: number }>()
  #told = 0
  #due = 0
  #isCut = false
  #restIsUnknown = false

  /** Minutes from `horizon` on are not due yet. */
  constructor(horizon: number) {
    this.#horizon = horizon
  }

  add({ processes, minutes, start, isCut, rest }: BlockData): void {
    this.#told += minutes.told
    this.#due += minutes.due
    this.#isCut ||= isCut
    this.#restIsUnknown ||= rest.some(({ coordinates }) => coordinates === null)
    for (const process of processes) {
      const { told, due } = dueMinutes(process, this.#horizon, start)
      this.#told += told
      this.#due += due
      const key = JSON.stringify([process.instance, process.boot])
      if (process.untoldAt >= (this.#untold.get(key)?.at ?? 0))
        this.#untold.set(key, { count: process.untold, at: process.untoldAt })
    }
  }

  /** `unknownOperations`: operations that were executed and whose coordinates nobody knows. */
  coverage(window: CoverageWindow, unknownOperations: number): Coverage {
    const told = this.#told
    const due = this.#due
    const share = due === 0 ? null : told / due
    const unheard = Math.max(0, window.to - window.from - window.heard)
    const untold = [...this.#untold.values()].some(({ count }) => count > 0)
    const reason = reasonAgainst({
      ...window,
      share,
      unheard,
      told,
      due,
      untold: untold || unknownOperations > 0 || this.#isCut,
      restIsUnknown: this.#restIsUnknown,
    })
    return {
      reportedMinutes: told,
      aliveMinutes: due,
      share,
      unheardMinutes: unheard,
      isEvidence: reason === null,
      reason,
    }
  }
}

type Facts = CoverageWindow & {
  readonly share: number | null
  readonly told: number
  readonly due: number
  readonly unheard: number
  readonly untold: boolean
  readonly restIsUnknown: boolean
}

function reasonAgainst(facts: Facts): string | null {
  const { from, to, kept, retentionDays, share, told, due, unheard, untold, restIsUnknown } = facts
  if (from < kept) return `Usage is kept for ${retentionDays} days, and the window begins before.`
  if (share === null)
    return 'No router was heard in the window, of which the last two minutes do not count yet.'
  if (unheard > (1 - EVIDENCE_SHARE) * (to - from))
    return `No registry listened in ${unheard} of the ${to - from} minutes of the window, so nobody knows which routers were alive then.`
  if (share < EVIDENCE_SHARE)
    return `Routers told ${told} of the ${due} minutes in which they were alive: 99 % are needed.`
  if (untold) return 'There are operations of which nobody knows yet what they use.'
  if (restIsUnknown)
    return 'Routers had no room to tell all operations apart, and those together may use everything.'
  return null
}
