/** Stops a composition that nobody waits for any more. */

/** Thrown by a composition that was told to stop. It leaves its memory as it was. */
export class CompositionStoppedError extends Error {
  constructor() {
    super('The composition was told to stop.')
    this.name = new.target.name
  }
}

/** Whether a composition is to stop; asked before each type. */
export type IsStopped = () => boolean

/** Throws a CompositionStoppedError if the composition is to stop. */
export function continueUnless(isStopped: IsStopped): void {
  if (isStopped()) throw new CompositionStoppedError()
}
