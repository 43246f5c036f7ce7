/**
 * Counters and histograms that cost next to nothing per measurement: a series is looked up once by its labels
 * and kept by the code that measures, or found again by two or three small maps. The instruments of
 * OpenTelemetry's SDK make a text of the labels with each measurement, which costs more than a small request
 * may.
 */
import type { Attributes } from '@opentelemetry/api'

export type LabelValue = string | number

/** The measurements of one set of label values. */
export interface Series {
  /** Records a measurement: the increase of a counter, 0 or more, or the measured value of a histogram. */
  record(value: number): void
}

/** A counter or a histogram: one series for each set of label values. */
export interface Labelled {
  /**
   * Returns the series of these label values, in the order of the instrument's labels. The same values find
   * the same series.
   */
  of(...values: readonly LabelValue[]): Series
}

/** Most sets of label values that one instrument keeps apart. Those beyond are counted together. */
export const MAX_SERIES = 2000
/** The labels of measurements that are counted together, by OpenTelemetry's name for them. */
const OVERFLOW: Attributes = { 'otel.metric.overflow': true }

export class CounterSeries implements Series {
  readonly attributes: Attributes
  sum = 0

  constructor(attributes: Attributes) {
    this.attributes = attributes
  }

  record(value: number): void {
    if (value >= 0) this.sum += value
  }
}

export class HistogramSeries implements Series {
  readonly attributes: Attributes
  readonly boundaries: readonly number[]
  /** One more than there are boundaries. */
  readonly counts: number[]
  count = 0
  sum = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY

  constructor(attributes: Attributes, boundaries: readonly number[]) {
    this.attributes = attributes
    this.boundaries = boundaries
    this.counts = Array.from({ length: boundaries.length + 1 }, () => 0)
  }

  record(value: number): void {
    if (!(value >= 0)) return
    const { boundaries, counts } = this
    let bucket = 0
    while (bucket < boundaries.length && value > (boundaries[bucket] ?? 0)) bucket++
    counts[bucket] = (counts[bucket] ?? 0) + 1
    this.count++
    this.sum += value
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }
}

export type KeptSeries = CounterSeries | HistogramSeries

/** All series of one instrument. */
export class SeriesByLabels<Kept extends Series> implements Labelled {
  readonly #labels: readonly string[]
  readonly #create: (attributes: Attributes) => Kept
  readonly #tree: Tree<Kept> = new Map()
  readonly #all: Kept[] = []
  #overflow: Kept | null = null

  constructor(labels: readonly string[], create: (attributes: Attributes) => Kept) {
    this.#labels = labels
    this.#create = create
  }

  /** Those that were asked for, in the order in which they were first. */
  get all(): readonly Kept[] {
    return this.#all
  }

  of(...values: readonly LabelValue[]): Kept {
    let tree = this.#tree
    for (let depth = 0; ; depth++) {
      const value = values[depth] ?? ''
      const found = tree.get(value)
      if (found instanceof Map) tree = found
      else if (found !== undefined) return found
      else if (this.#all.length >= MAX_SERIES - 1) return this.#beyond()
      else if (depth >= this.#labels.length - 1) return this.#add(tree, value, values)
      else {
        const next: Tree<Kept> = new Map()
        tree.set(value, next)
        tree = next
      }
    }
  }

  #add(tree: Tree<Kept>, value: LabelValue, values: readonly LabelValue[]): Kept {
    const series = this.#create(
      Object.fromEntries(this.#labels.map((label, index) => [label, values[index] ?? ''])),
    )
    tree.set(value, series)
    this.#all.push(series)
    return series
  }

  #beyond(): Kept {
    if (this.#overflow === null) {
      this.#overflow = this.#create(OVERFLOW)
      this.#all.push(this.#overflow)
    }
    return this.#overflow
  }
}

type Tree<Kept> = Map<LabelValue, Tree<Kept> | Kept>
