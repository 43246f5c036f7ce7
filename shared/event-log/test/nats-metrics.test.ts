/** What metrics tell of a connection to NATS, on a real server. */
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import { connectionLife, freePort, natsServerAvailable, startNatsServer } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { connectNats } from '../src/index.ts'

it.runIf(natsServerAvailable())('tells whether it is there, and how often it was made again', async () => {
  await using server = await startNatsServer()
  const port = await freePort()
  const logger = createLogger({ name: 'test', level: 'silent' })
  const context = { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger }
  await using _metrics = await startWithMetrics(context, { service: 'test' }, () =>
    Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  const open = () => connectNats({ url: withPassword(server.url), name: 'test' })
  const { opened, remade, closed } = await connectionLife(port, server, open)
  expect(opened).toEqual({
    labels: { system: 'nats', server: `127.0.0.1:${server.port}` },
    connected: 1,
    reconnects: 0,
    missing: [],
  })
  expect(remade.reconnects).toBe(1)
  expect(closed.connected).toBeUndefined()
})

/** A server without users takes any. */
function withPassword(url: string): string {
  return url.replace('//', '//someone:hunter2@')
}
