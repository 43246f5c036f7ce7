import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { emptyResource } from '@opentelemetry/resources'
import { ValueType } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { withWorkers } from '../src/metrics/with-workers.ts'

const counter = (name: string, value: number, attributes = {}): MetricData => ({
  descriptor: { name, description: '', unit: '', valueType: ValueType.INT },
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
  dataPointType: DataPointType.SUM,
  isMonotonic: true,
  dataPoints: [{ startTime: [0, 0], endTime: [1, 0], attributes, value }],
})
const measured = (...metrics: MetricData[]) => [{ scope: { name: 'm' }, metrics }]
const own = async () => ({ resource: emptyResource(), scopeMetrics: measured(counter('swaps', 1)) })

/** Values by instrument and labels. */
async function read(workers: Parameters<typeof withWorkers>[1]) {
  const { scopeMetrics } = await withWorkers(own, workers)
  return scopeMetrics.map(({ scope, metrics }) => [
    scope.name,
    metrics.map((metric) => [
      metric.descriptor.name,
      metric.dataPoints.map(({ attributes, value }) => [attributes, value]),
    ]),
  ])
}

describe('metrics of a service with workers', () => {
  it('are one instrument with a series for each process that says whose it is', async () => {
    const workers = new Map([
      ['1', measured(counter('requests', 2, { status: 200 }))],
      ['2', measured(counter('requests', 3, { status: 200 }), counter('swaps', 4))],
    ])
    expect(await read(() => Promise.resolve(workers))).toEqual([
      [
        'm',
        [
          [
            'swaps',
            [
              [{ worker: 'primary' }, 1],
              [{ worker: '2' }, 4],
            ],
          ],
          [
            'requests',
            [
              [{ status: 200, worker: '1' }, 2],
              [{ status: 200, worker: '2' }, 3],
            ],
          ],
        ],
      ],
    ])
  })

  it('have no such label where there are no workers', async () => {
    expect(await read(() => null)).toEqual([['m', [['swaps', [[{}, 1]]]]]])
  })
})
