/**
 * Which labels of progressive overrides (`@override(label:)`) are active for one request.
 *
 * A label that is the name of a flag is active where that flag's composition answers, and nowhere else. A
 * label `percent(x)` is active for x percent of the users, as long as requests say whose they are: each user
 * has one place between 0 and 100 for all labels of the graph, so that whoever is inside 10 percent is inside
 * 20 as well. Without a key, each label is drawn for each request: all fields of the request with that label
 * are answered by the same side. Any other label is active if the settings name it.
 */
import type { GraphKey } from '@switchyard/config-store'
import { stickyShare } from '@switchyard/values'
import type { Asking } from '../../request/asking.ts'
import { type ReadProperty, readerOf } from '../../request/request-property.ts'
import type { OverrideLabelsConfig } from './settings.ts'

const PERCENT = /^percent\((\d+(?:\.\d+)?)\)$/
/** Bytes of a key; a longer one counts as absent. */
const LONGEST_KEY = 512

const NONE: ReadonlySet<string> = new Set()
const INACTIVE: ActiveLabels = { labels: NONE, isSticky: false }

/** The labels that are active for a request. */
export type ActiveLabels = {
  readonly labels: ReadonlySet<string>
  /** Whether the key of the request decided: another user may be answered by the other side. */
  readonly isSticky: boolean
}

/** The composition that answers a request, as far as labels depend on it. */
export type LabelledComposition = {
  /** The flag that answers; null for base. */
  readonly flag: string | null
  readonly config: ServedConfig
}

/** The config that is served, as far as labels depend on it. */
export type ServedConfig = {
  /** Null for a file that names none. */
  readonly graph: GraphKey | null
  readonly featureFlags: { has(flag: string): boolean }
}

export type OverrideLabelsOptions = OverrideLabelsConfig & {
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Decides for each request which labels of progressive overrides are active. */
export class OverrideLabels {
  readonly #alwaysActive: ReadonlySet<string>
  readonly #random: () => number
  readonly #readers: readonly ReadProperty[]
  readonly #percentages = new WeakMap<readonly string[], readonly number[]>()

  constructor({ alwaysActive, key, random }: OverrideLabelsOptions) {
    this.#alwaysActive = alwaysActive
    this.#random = random
    this.#readers = key.map(readerOf)
  }

  /** The `labels` of an operation that are active for this request, each once. */
  activeOf(labels: readonly string[], asking: Asking, { flag, config }: LabelledComposition): ActiveLabels {
    if (labels.length === 0) return INACTIVE
    const share = labels.some(isDrawn) ? this.#shareOf(asking, config.graph) : null
    const active = labels.filter((label) => {
      const percent = percentOf(label)
      if (percent !== null) return isInside(percent, share ?? this.#random)
      return config.featureFlags.has(label) ? label === flag : this.#alwaysActive.has(label)
    })
    return { labels: new Set(active), isSticky: share !== null }
  }

  /**
   * Returns a text that is the same for all requests which the same composition answers from the same sides,
   * whatever they select. Empty if a key decides nothing. `labels`: those of the composition, the same array
   * for as long as it is served; null if it is not compiled yet, and then only requests with the same key
   * have the same text.
   */
  sideOf(labels: readonly string[] | null, asking: Asking, graph: GraphKey | null): string {
    if (this.#readers.length === 0 || labels?.length === 0) return ''
    const percentages = labels === null ? null : this.#percentagesOf(labels)
    if (percentages?.length === 0) return ''
    const share = this.#shareOf(asking, graph)
    if (share === null) return ''
    if (percentages === null) return `=${share}`
    // The range between two neighbouring labels, which says more than its number: another composition that is
    // served meanwhile may have other labels.
    const above = percentages.findIndex((percent) => isInside(percent, share))
    return `${percentages[(above < 0 ? percentages.length : above) - 1] ?? 0}-${percentages[above] ?? 100}`
  }

  /** The place of the request's user, in [0, 1). Null if the request says nothing of its user. */
  #shareOf(asking: Asking, graph: GraphKey | null): number | null {
    for (const read of this.#readers) {
      const key = read(asking)
      if (key === null || key === '' || Buffer.byteLength(key) > LONGEST_KEY) continue
      return stickyShare(`${graph?.namespace ?? ''}/${graph?.graph ?? ''}/override:${key}`)
    }
    return null
  }

  /** Percentages among labels that are not the same for everybody, each once, in ascending order. */
  #percentagesOf(labels: readonly string[]): readonly number[] {
    let percentages = this.#percentages.get(labels)
    if (percentages === undefined) {
      const found = labels.filter(isDrawn).map((label) => percentOf(label) ?? 0)
      percentages = [...new Set(found)].sort((a, b) => a - b)
      this.#percentages.set(labels, percentages)
    }
    return percentages
  }
}

/** The percentage that a label names; null if it names none. */
function percentOf(label: string): number | null {
  const percent = PERCENT.exec(label)?.[1]
  return percent === undefined ? null : Number(percent)
}

/** Whether the label is active for some and not for others. */
function isDrawn(label: string): boolean {
  const percent = percentOf(label)
  return percent !== null && percent > 0 && percent < 100
}

/** `share`: in [0, 1), or what draws it. */
function isInside(percent: number, share: number | (() => number)): boolean {
  if (percent <= 0 || percent >= 100) return percent > 0
  return (typeof share === 'number' ? share : share()) * 100 < percent
}
