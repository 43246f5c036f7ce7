import { once } from 'node:events'
import { createServer } from 'node:http'
import { metrics } from '@opentelemetry/api'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { createLogger, type Environment, startWithMetrics } from '../src/index.ts'

type Line = { readonly event?: string; readonly msg?: string }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function service(env: Environment, options: { defaultPort?: number; onStart?: () => void } = {}) {
  const lines: Line[] = []
  const logger = createLogger({
    name: 'test',
    to: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const { onStart = () => {}, ...more } = options
  const running = await startWithMetrics({ env, logger }, { service: 'test', ...more }, async () => {
    onStart()
    return { [Symbol.asyncDispose]: async () => {} }
  })
  return { lines, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

const scrape = async (port: number, path = '/metrics', method = 'GET') => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { status: reply.status, text: await reply.text() }
}

describe('the metrics of a process', () => {
  it('are served on a port of their own, with what was measured since the service began', async () => {
    const port = await freePort()
    {
      await using running = await service(
        { SWITCHYARD_METRICS_PORT: String(port) },
        {
          onStart: () =>
            metrics
              .getMeter('test')
              .createCounter('test.things', { description: 'Things' })
              .add(2, { kind: 'a' }),
        },
      )
      expect(running.lines.map(({ event }) => event)).toEqual(['metrics.listening'])
      const { status, text } = await scrape(port)
      expect(status).toBe(200)
      expect(text).toContain('# HELP test_things_total Things\n')
      expect(text).toContain('test_things_total{kind="a"} 2\n')
      expect(text).toMatch(/^target_info\{.*service_name="test".*\} 1$/m)
      expect(text).toMatch(/^process_memory_usage_bytes \d{7,}/m)
      expect(text).toMatch(/^process_cpu_time_seconds_total\{cpu_mode="user"\} \d/m)
      expect(text).toMatch(/^nodejs_eventloop_utilization_ratio [\d.]+/m)
      expect(text).not.toContain('description missing')
      expect((await scrape(port, '/')).status).toBe(404)
      expect((await scrape(port, '/metrics', 'POST')).status).toBe(405)
    }
    await expect(scrape(port)).rejects.toThrow('fetch failed')
  })

  it('tell each time how late the event loop was since the time before', async () => {
    const port = await freePort()
    await using _running = await service({ SWITCHYARD_METRICS_PORT: String(port) })
    const longest = async () => {
      let found: RegExpExecArray | null = null
      while (found === null)
        found = /^nodejs_eventloop_delay_max_seconds ([\d.e-]+)/m.exec((await scrape(port)).text)
      return Number(found[1])
    }
    // Nothing is measured between a time that somebody asked and the next look at the event loop, 10 ms
    // later.
    await vi.waitFor(async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      expect(await longest()).toBeGreaterThan(0.2)
    }, PATIENTLY)
  })

  it('keep no more than 2000 series of one instrument', async () => {
    const port = await freePort()
    await using _running = await service({ SWITCHYARD_METRICS_PORT: String(port) })
    const counter = metrics.getMeter('test').createCounter('test.made_up')
    for (let index = 0; index < 10_000; index++) counter.add(1, { name: `made-up-${index}` })
    const series = (await scrape(port)).text
      .split('\n')
      .filter((line) => line.startsWith('test_made_up_total{'))
    expect(series.length).toBeLessThanOrEqual(2000)
    const counted = series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    expect(counted).toBe(10_000)
  })

  it('are not kept where the port is 0', async () => {
    await using running = await service({}, { defaultPort: 0 })
    expect(running.lines).toEqual([])
  })

  it('are missing where the default port is taken, which stops nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      await using running = await service({}, { defaultPort: port })
      expect(running.lines).toMatchObject([{ event: 'metrics.unavailable' }])
      expect(running.lines[0]?.msg).toContain('the port is taken')
      const chosen = { SWITCHYARD_METRICS_PORT: String(port) }
      await expect(service(chosen)).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' })
      await expect(service({ SWITCHYARD_METRICS_PORT: 'x' })).rejects.toThrow(
        'SWITCHYARD_METRICS_PORT is "x"',
      )
    } finally {
      other.close()
      await once(other, 'close')
    }
  })
})
