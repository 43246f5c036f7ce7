/**
 * Which labels of progressive overrides (`@override(label:)`) are active for one request.
 *
 * A label `percent(x)` is active for x percent of the requests: one draw per request and label, so that all
 * fields with that label are answered by the same side. Any other label is active when the settings name it,
 * and never otherwise.
 */
const PERCENT = /^percent\((\d+(?:\.\d+)?)\)$/

const NONE: ReadonlySet<string> = new Set()

/** Which labels are always active, and how the others are drawn. */
export type OverrideLabelsOptions = {
  readonly alwaysActive: ReadonlySet<string>
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Decides for each request which labels of progressive overrides are active. */
export class OverrideLabels {
  readonly #alwaysActive: ReadonlySet<string>
  readonly #random: () => number

  constructor({ alwaysActive, random }: OverrideLabelsOptions) {
    this.#alwaysActive = alwaysActive
    this.#random = random
  }

  /** The labels of an operation that are active for this request, each once. */
  activeOf(labels: readonly string[]): ReadonlySet<string> {
    if (labels.length === 0) return NONE
    return new Set(labels.filter((label) => this.#isActive(label)))
  }

  #isActive(label: string): boolean {
    const percent = PERCENT.exec(label)?.[1]
    // A draw is below 1, so that 100 is always, and never below 0, so that 0 is never.
    return percent === undefined ? this.#alwaysActive.has(label) : this.#random() * 100 < Number(percent)
  }
}
