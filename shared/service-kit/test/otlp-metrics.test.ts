/** Metrics that a service sends to a collector, by the standard variables of OpenTelemetry. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { metrics } from '@opentelemetry/api'
import { type Collector, freePort, scrapeMetrics, startCollector, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  createCheapCounter,
  createCheapHistogram,
  declareCounter,
  declareHistogram,
  createLogger,
  type Environment,
  startWithMetrics,
} from '../src/index.ts'

type Line = { readonly event?: string; readonly msg?: string } & Record<string, unknown>

async function service(env: Environment) {
  const lines: Line[] = []
  const logger = createLogger({
    name: 'test',
    to: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const running = await startWithMetrics({ env, logger }, { service: 'test', defaultPort: 0 }, () =>
    Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  return { lines, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

const to = (collector: Collector, more: Environment = {}): Environment => ({
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  ...more,
})

function measure(): void {
  const meter = metrics.getMeter('test')
  meter.createCounter('test.counted', { unit: 'By' }).add(3, { kind: 'a' })
  createCheapCounter('test', declareCounter('test.cheap', { description: 'Things', labels: { status: '' } }))
    .of(200)
    .record(2)
  const durations = createCheapHistogram(
    'test',
    declareHistogram('test.durations', {
      description: 'Times',
      unit: 's',
      labels: { phase: '' },
      boundaries: [0.1, 1],
    }),
  )
  for (const value of [0.05, 0.5, 0.6, 7]) durations.of('read').record(value)
}

describe('metrics of a process', () => {
  it.each([
    ['http/protobuf', 'application/x-protobuf'],
    ['http/json', 'application/json'],
  ])('reach a collector by %s when the process stops', async (protocol, type) => {
    await using collector = await startCollector()
    {
      await using _running = await service(
        to(collector, {
          OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
          OTEL_EXPORTER_OTLP_HEADERS: 'x-team=shop%20floor',
          OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
          OTEL_SERVICE_NAME: 'renamed',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
        }),
      )
      measure()
      expect(collector.requests).toEqual([])
    }
    expect(collector.requests).toMatchObject([
      { path: '/v1/metrics', headers: { 'content-type': type, 'x-team': 'shop floor' } },
    ])
    const found = new Map(collector.metrics[0]?.map((metric) => [metric.name, metric]))
    const resource = { 'service.name': 'renamed', 'deployment.environment.name': 'production' }
    expect(found.get('test.counted')).toMatchObject({
      resource,
      kind: 'sum',
      unit: 'By',
      points: [{ labels: { kind: 'a' }, value: 3 }],
    })
    expect(found.get('test.cheap')).toMatchObject({ points: [{ labels: { status: 200 }, value: 2 }] })
    expect(found.get('test.durations')).toMatchObject({
      kind: 'histogram',
      unit: 's',
      points: [{ labels: { phase: 'read' }, value: 8.15, counts: [1, 2, 1] }],
    })
    expect(found.get('process.memory.usage')?.points[0]?.value).toBeGreaterThan(1e7)
  })

  it('are told as totals since the start, as often as the interval says, beside the page for Prometheus', async () => {
    await using collector = await startCollector()
    const port = await freePort()
    await using _running = await service(
      to(collector, {
        OTEL_METRICS_EXPORTER: 'otlp,prometheus',
        SWITCHYARD_METRICS_PORT: String(port),
        OTEL_METRIC_EXPORT_INTERVAL: '20',
      }),
    )
    const totals = () =>
      collector.metrics.flatMap((all) =>
        all.filter(({ name }) => name === 'test.counted').map(({ points }) => points[0]?.value),
      )
    measure()
    await waitFor('the first total', () => totals().includes(3))
    expect((await scrapeMetrics(port)).get('test_counted_bytes_total')?.samples[0]?.value).toBe(3)
    measure()
    await waitFor('the second total', () => totals().includes(6))
    expect((await scrapeMetrics(port)).get('test_counted_bytes_total')?.samples[0]?.value).toBe(6)
  })

  it('that no collector takes are told once, until one takes them again; secrets are not', async () => {
    await using collector = await startCollector()
    collector.answer(400)
    await using running = await service(
      to(collector, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace('//', '//user:hunter2@'),
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter3',
        OTEL_METRIC_EXPORT_INTERVAL: '5',
      }),
    )
    const events = () => running.lines.map(({ event }) => event)
    await waitFor('attempts', () => collector.requests.length > 4)
    expect(events()).toEqual(['metrics.exporting', 'metrics.export-failed'])
    collector.answer(200)
    await waitFor('the good news', () => events().includes('metrics.export-resumed'))
    await waitFor('exports', () => collector.metrics.length > 3)
    expect(events()).toEqual(['metrics.exporting', 'metrics.export-failed', 'metrics.export-resumed'])
    expect(collector.requests[0]?.headers['authorization']).toContain('hunter')
    expect(JSON.stringify(running.lines)).not.toContain('hunter')
  })

  it('do not keep a process from stopping whose collector is away', async () => {
    const port = await freePort()
    const running = await service({
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${port}/v1/metrics`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '50',
    })
    await running[Symbol.asyncDispose]()
    expect(running.lines.map(({ event }) => event)).toEqual(['metrics.exporting', 'metrics.export-failed'])
  })

  it('wait for a collector that does not answer one export at a time', async () => {
    const sockets = new Set<Socket>()
    let requests = 0
    let most = 0
    const hanging = createServer((socket) => {
      sockets.add(socket)
      most = Math.max(most, sockets.size)
      socket.once('data', () => requests++)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }).listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    const address = hanging.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const running = await service({
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '40',
      OTEL_METRIC_EXPORT_INTERVAL: '2',
    })
    await waitFor('some attempts', () => requests > 3)
    await running[Symbol.asyncDispose]()
    for (const socket of sockets) socket.destroy()
    hanging.close()
    // The one before may not have been seen to close.
    expect(most).toBeLessThanOrEqual(2)
    expect(running.lines.map(({ event }) => event)).toEqual(['metrics.exporting', 'metrics.export-failed'])
  })

  it.each([
    [{ OTEL_METRICS_EXPORTER: 'none', SWITCHYARD_METRICS_PORT: '1' }],
    [{ OTEL_METRICS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'TRUE' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }],
  ])('are not kept with %o', async (env) => {
    await using running = await service(env)
    const before = metrics.getMeterProvider()
    expect(running.lines).toEqual([])
    metrics.disable()
    expect(metrics.getMeterProvider()).toBe(before)
  })

  it.each([
    ['OTEL_METRICS_EXPORTER', 'console', 'is "console": expected otlp, prometheus'],
    ['OTEL_METRICS_EXPORTER', 'otlp,none', 'expected none alone'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'OTLP is spoken over HTTP only'],
    [
      'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
      'collector:4318',
      'http:// or https:// is missing; did you mean "http://collector:4318"?',
    ],
    ['OTEL_METRIC_EXPORT_INTERVAL', '0', 'expected a whole number'],
    ['OTEL_METRIC_EXPORT_TIMEOUT', 'soon', 'expected a whole number'],
    ['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', 'delta', 'expected cumulative'],
  ])('are refused with %s=%s', async (name, value, message) => {
    await expect(service({ OTEL_METRICS_EXPORTER: 'otlp', [name]: value })).rejects.toThrow(message)
  })

  it('are refused where a page is asked for and denied', async () => {
    const env = { OTEL_METRICS_EXPORTER: 'prometheus', SWITCHYARD_METRICS_PORT: '0' }
    await expect(service(env)).rejects.toThrow('there is no page for Prometheus')
  })
})
