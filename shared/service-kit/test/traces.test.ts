import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { type Collector, freePort, startCollector, waitFor } from '@switchyard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger, type Environment, EnvironmentError, startWithTelemetry } from '../src/index.ts'

type Line = { readonly event?: string; readonly msg: string; readonly level: string } & Record<
  string,
  unknown
>

const NO_METRICS = { service: 'test', defaultPort: 0 }

async function service(env: Environment) {
  const lines: Line[] = []
  const logger = createLogger({
    name: 'test',
    to: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const running = await startWithTelemetry({ env, logger }, NO_METRICS, () =>
    Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  return { lines, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

function spans(count: number, name = 'work'): void {
  const tracer = trace.getTracer('test')
  for (let number = 0; number < count; number++)
    tracer.startSpan(name, { attributes: { 'test.number': number } }).end()
}

const exportTo = (collector: Collector, more: Environment = {}): Environment => ({
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  ...more,
})

afterEach(() => trace.disable())

describe('spans of a process', () => {
  it('are not kept unless they are asked for', async () => {
    await using _running = await service({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    expect(trace.getTracer('test').startSpan('work').isRecording()).toBe(false)
  })

  it.each([
    ['http/protobuf', 'application/x-protobuf'],
    ['http/json', 'application/json'],
  ])('reach a collector by %s when the process stops', async (protocol, type) => {
    await using collector = await startCollector()
    {
      await using _running = await service(
        exportTo(collector, {
          OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
          OTEL_EXPORTER_OTLP_HEADERS: 'x-team=shop%20floor',
          OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
          OTEL_SERVICE_NAME: 'renamed',
        }),
      )
      spans(2)
      expect(collector.requests).toEqual([])
    }
    expect(collector.spans.map(({ name, service: of, kind }) => [of, name, kind])).toEqual([
      ['renamed', 'work', 1],
      ['renamed', 'work', 1],
    ])
    expect(collector.requests).toMatchObject([
      {
        path: '/v1/traces',
        headers: { 'content-type': type, 'content-encoding': 'gzip', 'x-team': 'shop floor' },
      },
    ])
  })

  it('go where the variables of traces say, before those of all signals', async () => {
    await using collector = await startCollector()
    {
      await using _running = await service(
        exportTo(collector, {
          OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/here`,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
          OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
          OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=1',
          OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%2Cb,service.name=given',
        }),
      )
      spans(1)
    }
    expect(collector.requests).toMatchObject([{ path: '/here', headers: { a: '1', b: '2' } }])
    expect(collector.spans).toMatchObject([{ service: 'given', attributes: { 'test.number': 0 } }])
  })

  it('are dropped beyond what the queue takes', async () => {
    await using collector = await startCollector()
    {
      await using _running = await service(
        exportTo(collector, { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' }),
      )
      // In one turn: ten are taken out to be exported, and ten wait.
      spans(1000)
    }
    expect(collector.spans).toHaveLength(20)
  })

  it('are log lines with the exporter "console"', async () => {
    await using running = await service({ OTEL_TRACES_EXPORTER: 'console' })
    spans(1)
    expect(running.lines.at(-1)).toMatchObject({
      event: 'traces.span',
      msg: 'work',
      kind: 'INTERNAL',
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      attributes: { 'test.number': 0 },
    })
  })

  it('are not kept while the SDK is disabled', async () => {
    await using _running = await service({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'TRUE' })
    expect(trace.getTracer('test').startSpan('work').isRecording()).toBe(false)
  })

  it.each([
    ['always_on', undefined, true, true],
    ['always_off', undefined, false, false],
    ['traceidratio', '1', true, true],
    ['traceidratio', '0', false, false],
    ['parentbased_always_on', undefined, true, false],
    ['parentbased_always_off', undefined, false, false],
    ['parentbased_traceidratio', '1.0', true, false],
    ['parentbased_traceidratio', '0', false, false],
    ['made_up', undefined, true, false],
  ])(
    'are sampled by %s with %s: alone %s, below a caller that is not sampled %s',
    async (name, ratio, alone, below) => {
      await using running = await service({
        OTEL_TRACES_EXPORTER: 'console',
        OTEL_TRACES_SAMPLER: name,
        OTEL_TRACES_SAMPLER_ARG: ratio,
      })
      const caller = trace.setSpanContext(ROOT_CONTEXT, {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        traceFlags: 0,
        isRemote: true,
      })
      const tracer = trace.getTracer('test')
      expect(tracer.startSpan('work').isRecording()).toBe(alone)
      expect(tracer.startSpan('work', {}, caller).isRecording()).toBe(below)
      const warnings = running.lines.filter(({ event }) => event === 'telemetry.setting-ignored')
      expect(warnings.map(({ msg }) => msg.includes('parentbased_always_on is used'))).toEqual(
        name === 'made_up' ? [true] : [],
      )
    },
  )

  it('warns of what the specification lets it go on with', async () => {
    await using running = await service({
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
      OTEL_RESOURCE_ATTRIBUTES: 'a=1,nonsense',
    })
    const warnings = running.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
    expect(warnings).toEqual([
      expect.stringContaining('OTEL_TRACES_SAMPLER_ARG is "1.5": every trace is sampled'),
      expect.stringContaining('OTEL_RESOURCE_ATTRIBUTES is not used'),
    ])
  })

  it('names all variables that are wrong, without what may be secret', async () => {
    const wrong = service({
      OTEL_TRACES_EXPORTER: 'otlp,zipkin',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318?key=hush',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
      OTEL_EXPORTER_OTLP_TIMEOUT: '10s',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '200',
    })
    const error = await wrong.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(EnvironmentError)
    const { message } = error as EnvironmentError
    expect(message).toContain('OTEL_TRACES_EXPORTER is "zipkin": expected otlp, console')
    expect(message).toContain(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set to a value that is not shown here: expected a URL',
    )
    expect(message).toContain('OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": OTLP is spoken over HTTP only')
    expect(message).toContain('OTEL_EXPORTER_OTLP_HEADERS is set to a value that is not shown')
    expect(message).toContain('OTEL_EXPORTER_OTLP_TIMEOUT is "10s": expected a whole number')
    expect(message).toContain('OTEL_BSP_MAX_EXPORT_BATCH_SIZE is "200": expected at most')
    expect(message).not.toContain('hush')
  })
})

describe('a collector that is away', () => {
  it('is told once, with what is lost, and once that it is back', async () => {
    await using collector = await startCollector()
    collector.answer(400)
    await using running = await service(
      exportTo(collector, { OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' }),
    )
    const told = () => running.lines.filter(({ event }) => event?.startsWith('traces.export-'))
    for (let round = 1; round <= 3; round++) {
      spans(2)
      await waitFor('an export', () => collector.requests.length >= round || undefined)
    }
    await waitFor('the failure is told', () => told()[0])
    collector.answer(200)
    spans(1)
    await waitFor('the collector takes spans again', () => told()[1])
    expect(told()).toMatchObject([
      { level: 'warn', event: 'traces.export-failed', url: `${collector.url}/v1/traces` },
      { level: 'info', event: 'traces.export-resumed', lost: 6 },
    ])
    expect(running.lines.map(({ event }) => event)).toEqual([
      'traces.exporting',
      'traces.export-failed',
      'traces.export-resumed',
    ])
  })

  it('is told once by a service that stops, which is not held up', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const running = await service({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
    })
    spans(10)
    await running[Symbol.asyncDispose]()
    const [first, ...more] = running.lines.filter(({ level }) => level === 'warn')
    expect(first).toMatchObject({
      event: 'traces.export-failed',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
    expect(more).toEqual([])
  })
})
