/**
 * Declarations of metrics. A metric says everything about itself where it is declared: its instrument is made
 * from the declaration, and so is its row of docs/metrics.md.
 */
import type { MetricOptions } from '@opentelemetry/api'

export type MetricKind = 'counter' | 'gauge' | 'histogram'

export type MetricFacts = {
  /** One sentence: the meaning in docs/metrics.md, and the help text that services serve with the metric. */
  readonly description: string
  /** The unit of UCUM; absent for a plain number. */
  readonly unit?: 's' | 'By' | '1'
  /** Labels with their values, or with words about the values in Markdown; empty if the name says enough. */
  readonly labels?: Readonly<Record<string, string | readonly string[]>>
  /** Upper bounds of a histogram's buckets, ascending. A bound belongs to its bucket. */
  readonly boundaries?: readonly number[]
}

export class Metric<Kind extends MetricKind = MetricKind> {
  readonly kind: Kind
  readonly name: string
  readonly facts: MetricFacts
  /** The names of the labels, in the order of their declaration. */
  readonly labels: readonly string[]
  /** The options for an instrument of OpenTelemetry. */
  readonly options: MetricOptions

  constructor(kind: Kind, name: string, facts: MetricFacts) {
    const { description, unit, labels = {}, boundaries } = facts
    this.kind = kind
    this.name = name
    this.facts = facts
    this.labels = Object.keys(labels)
    this.options = {
      description,
      ...(unit === undefined ? {} : { unit }),
      ...(boundaries === undefined ? {} : { advice: { explicitBucketBoundaries: [...boundaries] } }),
    }
  }
}

export function declareCounter(name: string, facts: MetricFacts): Metric<'counter'> {
  return new Metric('counter', name, facts)
}

export function declareGauge(name: string, facts: MetricFacts): Metric<'gauge'> {
  return new Metric('gauge', name, facts)
}

export function declareHistogram(name: string, facts: MetricFacts): Metric<'histogram'> {
  return new Metric('histogram', name, facts)
}
