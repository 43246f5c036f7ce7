/**
 * Reads what services export of metrics by OTLP, as JSON or protobuf
 * (`opentelemetry/proto/metrics/v1/metrics.proto`).
 */
import { fieldsOf, type JsonAttributes, recordOf, textOf } from './otlp-messages.ts'

export type CollectedMetric = {
  readonly resource: Readonly<Record<string, unknown>>
  readonly name: string
  readonly unit: string
  readonly kind: 'sum' | 'gauge' | 'histogram'
  readonly points: readonly CollectedPoint[]
}

export type CollectedPoint = {
  readonly labels: Readonly<Record<string, unknown>>
  /** The value. For a histogram it is the sum of all measured values. */
  readonly value: number
  /** The counts of a histogram: the number of values up to each bound, and beyond the last one. */
  readonly counts: readonly number[]
}

type JsonPoint = {
  readonly attributes?: JsonAttributes
  readonly asDouble?: number
  readonly asInt?: number | string
  readonly sum?: number
  readonly bucketCounts?: readonly (number | string)[]
}
type JsonMetric = {
  readonly name: string
  readonly unit?: string
} & { readonly [Kind in CollectedMetric['kind']]?: { readonly dataPoints: readonly JsonPoint[] } }
type JsonExport = {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: JsonAttributes }
    readonly scopeMetrics: readonly { readonly metrics: readonly JsonMetric[] }[]
  }[]
}

const KINDS = { gauge: 5, sum: 7, histogram: 9 } as const

export function metricsOfJson(text: string): readonly CollectedMetric[] {
  const exported: JsonExport = JSON.parse(text)
  return exported.resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map((metric) => {
        const kind = metric.gauge === undefined ? (metric.sum === undefined ? 'histogram' : 'sum') : 'gauge'
        return {
          resource: recordOf(resource.attributes),
          name: metric.name,
          unit: metric.unit ?? '',
          kind,
          points: (metric[kind]?.dataPoints ?? []).map((point) => ({
            labels: recordOf(point.attributes ?? []),
            value: Number(point.sum ?? point.asDouble ?? point.asInt ?? Number.NaN),
            counts: (point.bucketCounts ?? []).map(Number),
          })),
        }
      }),
    ),
  )
}

export function metricsOfProtobuf(body: Buffer): readonly CollectedMetric[] {
  return fieldsOf(body, 1).flatMap((resourceMetrics) => {
    const resource = labelsOf(fieldsOf(resourceMetrics, 1)[0], 1)
    return fieldsOf(resourceMetrics, 2)
      .flatMap((scopeMetrics) => fieldsOf(scopeMetrics, 2))
      .map((metric) => metricOf(metric, resource))
  })
}

function metricOf(metric: Buffer, resource: CollectedMetric['resource']): CollectedMetric {
  const kind = (['gauge', 'sum', 'histogram'] as const).find((one) => fieldsOf(metric, KINDS[one]).length > 0)
  if (kind === undefined) throw new Error('a metric of a kind that services do not have')
  const data = fieldsOf(metric, KINDS[kind])[0] ?? Buffer.alloc(0)
  return {
    resource,
    name: textOf(metric, 1) ?? '',
    unit: textOf(metric, 3) ?? '',
    kind,
    points: fieldsOf(data, 1).map((point) => pointOf(point, kind)),
  }
}

function pointOf(point: Buffer, kind: CollectedMetric['kind']): CollectedPoint {
  if (kind === 'histogram') {
    const packed = fieldsOf(point, 6)[0] ?? Buffer.alloc(0)
    const counts = Array.from({ length: packed.length / 8 }, (_, index) =>
      Number(packed.readBigUInt64LE(index * 8)),
    )
    return { labels: labelsOf(point, 9), value: fieldsOf(point, 5)[0]?.readDoubleLE() ?? 0, counts }
  }
  const [double] = fieldsOf(point, 4)
  const [integer] = fieldsOf(point, 6)
  return {
    labels: labelsOf(point, 7),
    value: double?.readDoubleLE() ?? Number(integer?.readBigInt64LE() ?? Number.NaN),
    counts: [],
  }
}

/** Texts and whole numbers, which is all that services use. */
function labelsOf(message: Buffer | undefined, field: number): Readonly<Record<string, unknown>> {
  const pairs = message === undefined ? [] : fieldsOf(message, field)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value = Buffer.alloc(0)] = fieldsOf(pair, 2)
      const [integer] = fieldsOf(value, 3)
      return [textOf(pair, 1) ?? '', integer === undefined ? (textOf(value, 1) ?? '') : numberOf(integer)]
    }),
  )
}

/** Returns the number that the bytes of a varint stand for. */
function numberOf(varint: Buffer): number {
  return varint.reduceRight((sum, byte) => sum * 128 + (byte & 127), 0)
}
