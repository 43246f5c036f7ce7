/**
 * The figures that routers count of the steps that ramps are at. They are kept in memory alone: routers tell
 * totals, so that a registry that starts anew knows them again within seconds, but for steps that are over.
 */
import { type RampStep, RampSteps, type StepFigures } from '@switchyard/guards'
import { hearFigures, type HearFiguresOptions, type RoutersHeard } from '@switchyard/service-kit'

export type HeardFiguresOptions = Omit<HearFiguresOptions, 'onFigures'> & {
  /** The step that the ramp of a rollout is at, whether it runs or not; null without one. */
  readonly stepOf: (namespace: string, rollout: string) => RampStep | null
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

/** Hears figures until it is disposed. */
export class HeardFigures implements Disposable {
  readonly #steps: RampSteps
  readonly #heard: RoutersHeard

  constructor({ stepOf, monotonicNow, ...hearing }: HeardFiguresOptions) {
    this.#steps = new RampSteps(stepOf)
    this.#heard = hearFigures({
      ...hearing,
      monotonicNow,
      onFigures: (figures) => this.#steps.heard(figures, Math.floor(monotonicNow() / 1000)),
    })
  }

  get warning(): string | null {
    return this.#heard.warning
  }

  of(step: RampStep): StepFigures {
    return this.#steps.of(step)
  }

  [Symbol.dispose](): void {
    this.#heard[Symbol.dispose]()
  }
}
