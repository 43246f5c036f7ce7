import { once } from 'node:events'
import { createServer } from 'node:net'
import { trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { createLogger, startWithTelemetry } from '../src/index.ts'

it('stops although the collector takes connections and never answers', async () => {
  await using silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sockets = new Set<{ destroy(): void }>()
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  const running = await startWithTelemetry(
    {
      env: {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
        OTEL_BSP_EXPORT_TIMEOUT: '600000',
      },
      logger: createLogger({ name: 'test', level: 'silent' }),
    },
    { service: 'test', defaultPort: 0 },
    () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  trace.getTracer('test').startSpan('work').end()
  await running[Symbol.asyncDispose]()
  expect(sockets.size).toBe(1)
  for (const socket of sockets) socket.destroy()
})
