/**
 * Estimates what a flag costs a router, from facts about its composition. The factors were measured by
 * `node services/router/bench/flag-cost.ts`; docs/scale.md has them, and what was measured.
 */
import type { FlagCost } from '@switchyard/contracts'

/** The composition of a flag, beside that of base. */
export type CompositionFacts = {
  readonly bytes: number
  /** Bytes that a router reads: of the chunks that base does not have, or of all if it is not in chunks. */
  readonly readBytes: number
  /** Definitions that base does not have, and their bytes. Null if they were too many to be counted. */
  readonly changedDefinitions: number | null
  readonly changedBytes: number
}

/** A router compiles a composition as a whole that differs in more definitions, or is larger. */
const MOST_CHANGED = 200
export const MOST_PATCHED_BYTES = 12 * 1024 * 1024

/** Milliseconds for a composition that is compiled from base, and those for each byte. */
const CHANGES_MS = { once: 9, perByte: 3e-6, perByteRead: 28e-6, perByteChanged: 500e-6 }
/** Bytes of memory that such a composition takes. */
const CHANGES_MEMORY = { once: 100_000, perByte: 0.045, perByteChanged: 8 }
/** The same for one that is compiled as a whole, for each byte. */
const WHOLE = { msPerByte: 920e-6, memoryPerByte: 21 }

export function estimateFlagCost(facts: CompositionFacts): NonNullable<FlagCost['estimate']> {
  const { bytes, readBytes, changedDefinitions, changedBytes } = facts
  const isWhole = changedDefinitions === null || changedDefinitions > MOST_CHANGED
  const cpuMs = isWhole
    ? bytes * WHOLE.msPerByte
    : CHANGES_MS.once +
      bytes * CHANGES_MS.perByte +
      readBytes * CHANGES_MS.perByteRead +
      changedBytes * CHANGES_MS.perByteChanged
  const memoryBytes = isWhole
    ? bytes * WHOLE.memoryPerByte
    : CHANGES_MEMORY.once + bytes * CHANGES_MEMORY.perByte + changedBytes * CHANGES_MEMORY.perByteChanged
  return {
    bytes,
    changedDefinitions,
    compiled: isWhole ? 'whole' : 'changes',
    cpuMs: Math.round(cpuMs),
    memoryBytes: Math.round(memoryBytes),
  }
}
