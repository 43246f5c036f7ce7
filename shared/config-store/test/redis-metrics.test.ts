/** What metrics tell of a connection to Redis, on a real server. */
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import { connectionLife, freePort, redisServerAvailable, startRedisServer } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { openRedisConfigStore } from '../src/index.ts'

it.runIf(redisServerAvailable())('tells whether it is there, and how often it was made again', async () => {
  await using server = await startRedisServer()
  const port = await freePort()
  const logger = createLogger({ name: 'test', level: 'silent' })
  const context = { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger }
  await using _metrics = await startWithMetrics(context, { service: 'test' }, () =>
    Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  const open = () => openRedisConfigStore({ url: server.url, name: 'test' })
  const { opened, remade, closed } = await connectionLife(port, server, open)
  expect(opened).toEqual({
    labels: { system: 'redis', server: `127.0.0.1:${server.port}` },
    connected: 1,
    reconnects: 0,
    missing: [],
  })
  expect(remade.reconnects).toBe(1)
  expect(closed.connected).toBeUndefined()
})
