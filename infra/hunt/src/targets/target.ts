/** Something that is hunted: how inputs for it are made, and how one is tried. */
import type { Grammar, Input } from '../input/mutations.ts'
import type { Measured, MeasuredThread } from '../measuring/measured-thread.ts'

/** How a try ended, in few words: inputs with the same outcome are compared with each other. */
export type Outcome = {
  readonly name: string
  readonly bytesOut: number
  /** The broken rule, which holds for every input, such as a status of 500. Null if none is broken. */
  readonly complaint: string | null
}

export type Attempt = Measured<Outcome>

export type Target = {
  readonly name: string
  /** False if the measured program serves nobody else meanwhile. Its times are then told, but not judged. */
  readonly judgesTimes: boolean
  /** The share of a campaign's inputs, in percent. Targets whose inputs cost little have larger shares. */
  readonly share: number
  readonly grammar: Grammar
  /** Name and text, or tree, of inputs to begin with. */
  readonly seeds: readonly Input[]
  /** The same input always has the same bytes. */
  bytesOf(input: Input): Buffer
}

/** A target that is running. */
export type Arena = AsyncDisposable & {
  readonly thread: MeasuredThread
  attempt(bytes: Buffer): Promise<Attempt>
}

export type Hunted = Target & { open(): Promise<Arena> }
