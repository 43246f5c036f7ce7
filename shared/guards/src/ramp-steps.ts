/**
 * The figures of the steps that ramps are at. What routers say of other steps counts for nothing, and is
 * forgotten when a step is over.
 */
import type { RouterFigures } from './figures.ts'
import { StepFigures } from './step-figures.ts'

/** A rollout, wherever it is. */
export type RolloutName = { readonly namespace: string; readonly graph: string; readonly rollout: string }

/** The step that a ramp is at. `since` is the sequence of the record that began it. */
export type RampStep = RolloutName & { readonly ramp: { readonly since: number } }

export class RampSteps {
  readonly #stepOf: (namespace: string, rollout: string) => RampStep | null
  /** Figures by namespace and rollout. */
  readonly #steps = new Map<string, RolloutName & { readonly figures: StepFigures }>()
  #second = Number.NEGATIVE_INFINITY

  /** `stepOf` returns the step that counts, by the names of its rollout; null if none does. */
  constructor(stepOf: (namespace: string, rollout: string) => RampStep | null) {
    this.#stepOf = stepOf
  }

  /** Takes the totals of a router. `second` is of a clock that only goes on. */
  heard(message: RouterFigures, second: number): void {
    if (second !== this.#second) this.#forgetThoseThatAreOver()
    this.#second = second
    const step = this.#stepOf(message.namespace, message.rollout)
    if (step?.graph === message.graph && step.ramp.since === message.step)
      this.of(step).heard(message, second)
  }

  /** Returns the figures of a step, to which messages add. */
  of({ namespace, graph, rollout, ramp }: RampStep): StepFigures {
    const key = JSON.stringify([namespace, rollout])
    const known = this.#steps.get(key)
    if (known?.graph === graph && known.figures.step === ramp.since) return known.figures
    const figures = new StepFigures(ramp.since)
    this.#steps.set(key, { namespace, graph, rollout, figures })
    return figures
  }

  /** The number of steps of which something is kept. */
  get size(): number {
    return this.#steps.size
  }

  #forgetThoseThatAreOver(): void {
    for (const [key, { namespace, graph, rollout, figures }] of this.#steps) {
      const step = this.#stepOf(namespace, rollout)
      if (step?.graph !== graph || step.ramp.since !== figures.step) this.#steps.delete(key)
    }
  }
}
