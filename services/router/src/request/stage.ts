/** One stage of the way of a request, and lists of them. */
import type { RequestWait } from '../observe/request-summary.ts'

/** A stage returns this where the request needs no further stage: somebody else answers it. */
export const DONE = Symbol('done')

/**
 * One stage. `Known` is what it needs to know of the request, `Added` the properties that are known after it,
 * or undefined if there are none.
 */
export type Stage<Known, Added extends object | undefined = undefined> = {
  /** The reason, in traces and logs, for the time until its promise is settled; null if they name none. */
  readonly waitsFor: RequestWait['for'] | null
  /**
   * Returns a promise only if there is something to wait for. Throws, or rejects with, the reason why the
   * request is refused or failed.
   */
  run(known: Known): StageResult<Added> | Promise<StageResult<Added>>
}

/** The properties that a stage added, or that it was the last one. */
export type StageResult<Added> = Added | typeof DONE

/** A stage, as those who run it know it. */
export type AnyStage = Stage<never, object | undefined>

/** Makes a list of stages, each of which needs no more than the stages before it have added. */
export class StageList<First, Known extends First = First> {
  readonly stages: readonly AnyStage[]

  constructor(stages: readonly AnyStage[] = []) {
    this.stages = stages
  }

  /** Returns the list with a stage that adds properties. */
  add<Added extends object>(stage: Stage<Known, Added>): StageList<First, Known & Added> {
    return new StageList<First, Known & Added>([...this.stages, stage])
  }

  /** Returns the list with a stage that adds nothing. Null stands for a stage that the settings leave out. */
  check(stage: Stage<Known> | null): StageList<First, Known> {
    return stage === null ? this : new StageList<First, Known>([...this.stages, stage])
  }
}
