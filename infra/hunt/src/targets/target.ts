/** A program, or a stage of one, that must bear every input. */
import type { Arbitrary } from 'fast-check'
import type { Measured, MeasuredThread } from '../measuring/measured-thread.ts'

/** How a try ended, in few words. */
export type Outcome = {
  readonly name: string
  readonly bytesOut: number
  /** The broken rule, which holds for every input, such as a status of 500. Null if none is broken. */
  readonly complaint: string | null
}

export type Attempt = Measured<Outcome>

/** Usual inputs by their names, and attacks that Switchyard is known to have suffered from. */
export type Seeds = Readonly<Record<string, string>>

/** A target that is running. */
export type Arena = AsyncDisposable & {
  readonly thread: MeasuredThread
  attempt(bytes: Buffer): Promise<Attempt>
}

export type Target = {
  readonly name: string
  /** False if the measured program serves nobody else meanwhile. Its times are then told, but not judged. */
  readonly judgesTimes: boolean
  readonly seeds: Readonly<Record<string, Buffer>>
  /** Random changes of the seeds, or inputs that are random as a whole. */
  readonly drawn: Arbitrary<Buffer>
  open(): Promise<Arena>
}
