/**
 * Instruments for what happens with every request; see `series.ts`. Others are made with `@opentelemetry/api`
 * as usual.
 */
import { type Attributes, createNoopMeter, type MeterProvider, metrics } from '@opentelemetry/api'
import {
  CounterSeries,
  HistogramSeries,
  type KeptSeries,
  type Labelled,
  type Series,
  SeriesByLabels,
} from './series.ts'
import type { Metric } from './metric.ts'

export type CheapInstrument = {
  readonly metric: Metric<'counter' | 'histogram'>
  readonly meter: string
  readonly series: SeriesByLabels<KeptSeries>
}

/** The instruments that were made while a provider was registered which reads them, by that provider. */
const KEPT = new WeakMap<MeterProvider, Map<string, CheapInstrument>>()

/** Keeps the provider's instruments here from now on. Returns them, together with all that will be made. */
export function keepCheapInstruments(provider: MeterProvider): ReadonlyMap<string, CheapInstrument> {
  const instruments = new Map<string, CheapInstrument>()
  KEPT.set(provider, instruments)
  return instruments
}

export function createCheapCounter(meter: string, metric: Metric<'counter'>): Labelled {
  return (
    kept({ metric, meter }, (labels) => new CounterSeries(labels)) ??
    throughApi(metric, () => {
      const counter = metrics.getMeter(meter).createCounter(metric.name, metric.options)
      return (value, labels) => counter.add(value, labels)
    })
  )
}

export function createCheapHistogram(meter: string, metric: Metric<'histogram'>): Labelled {
  const { boundaries = [] } = metric.facts
  return (
    kept({ metric, meter }, (labels) => new HistogramSeries(labels, boundaries)) ??
    throughApi(metric, () => {
      const histogram = metrics.getMeter(meter).createHistogram(metric.name, metric.options)
      return (value, labels) => histogram.record(value, labels)
    })
  )
}

const NOWHERE: Series = { record: () => {} }
const UNKEPT: Labelled = { of: () => NOWHERE }

/**
 * Returns the instrument that is kept here, or null if the registered provider keeps its own and is told of
 * each measurement.
 */
function kept(
  instrument: Omit<CheapInstrument, 'series'>,
  create: (labels: Attributes) => KeptSeries,
): Labelled | null {
  if (metrics.getMeter(instrument.meter) === createNoopMeter()) return UNKEPT
  const instruments = KEPT.get(metrics.getMeterProvider())
  if (instruments === undefined) return null
  const key = `${instrument.meter} ${instrument.metric.name}`
  const known = instruments.get(key)
  if (known !== undefined) return known.series
  const series = new SeriesByLabels(instrument.metric.labels, create)
  instruments.set(key, { ...instrument, series })
  return series
}

function throughApi({ labels }: Metric, open: () => (value: number, labels: Attributes) => void): Labelled {
  const tell = open()
  return new SeriesByLabels<Series>(labels, (attributes) => ({ record: (value) => tell(value, attributes) }))
}
