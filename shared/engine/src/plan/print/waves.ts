import type { FetchId } from '../../ids/ids.ts'
import type { Fetch, Plan } from '../contract/plan.ts'

/**
 * The fetches by when they can start at the earliest; each waits only for some of the waves before its own.
 */
export function wavesOf(plan: Plan): readonly (readonly Fetch[])[] {
  const numbers = new Map<FetchId, number>()
  const waves: Fetch[][] = []
  const waveOf = (fetch: Fetch): number => {
    const numbered = numbers.get(fetch.id)
    if (numbered !== undefined) return numbered
    let wave = 0
    for (const id of fetch.after) {
      const before = plan.fetches[id]
      if (before !== undefined) wave = Math.max(wave, waveOf(before) + 1)
    }
    numbers.set(fetch.id, wave)
    return wave
  }
  for (const fetch of plan.fetches) {
    const wave = waveOf(fetch)
    const same = waves[wave]
    if (same === undefined) waves[wave] = [fetch]
    else same.push(fetch)
  }
  return waves
}
