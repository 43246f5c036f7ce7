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
  type SeriesOptions,
} from './series.ts'

export type CheapInstrument = SeriesOptions & {
  readonly name: string
  readonly meter: string
  readonly kind: 'counter' | 'histogram'
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

export function createCheapCounter(meter: string, name: string, options: SeriesOptions): Labelled {
  return (
    kept({ ...options, meter, name, kind: 'counter' }, (labels) => new CounterSeries(labels)) ??
    throughApi(options, () => {
      const counter = metrics.getMeter(meter).createCounter(name, apiOptions(options))
      return (value, labels) => counter.add(value, labels)
    })
  )
}

export function createCheapHistogram(
  meter: string,
  name: string,
  options: SeriesOptions & { readonly boundaries: readonly number[] },
): Labelled {
  const { boundaries } = options
  return (
    kept(
      { ...options, meter, name, kind: 'histogram' },
      (labels) => new HistogramSeries(labels, boundaries),
    ) ??
    throughApi(options, () => {
      const advice = { explicitBucketBoundaries: [...boundaries] }
      const histogram = metrics.getMeter(meter).createHistogram(name, { ...apiOptions(options), advice })
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
  const key = `${instrument.meter} ${instrument.name}`
  const known = instruments.get(key)
  if (known !== undefined) return known.series
  const series = new SeriesByLabels(instrument.labels, create)
  instruments.set(key, { ...instrument, series })
  return series
}

function throughApi(
  { labels }: SeriesOptions,
  open: () => (value: number, labels: Attributes) => void,
): Labelled {
  const tell = open()
  return new SeriesByLabels<Series>(labels, (attributes) => ({ record: (value) => tell(value, attributes) }))
}

function apiOptions({ description, unit }: SeriesOptions) {
  return { description, ...(unit === undefined ? {} : { unit }) }
}
