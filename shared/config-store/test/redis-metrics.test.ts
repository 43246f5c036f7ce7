/** What metrics tell of a connection to Redis, on a real server. */
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import {
  freePort,
  redisServerAvailable,
  startRedisServer,
  toldConnection,
  waitFor,
} from '@switchyard/testkit'
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
  const connection = await openRedisConfigStore({ url: server.url, name: 'test' })
  expect(await toldConnection(port)).toEqual({
    labels: { system: 'redis', server: `127.0.0.1:${server.port}` },
    connected: 1,
    reconnects: 0,
    missing: [],
  })
  await server.kill9()
  await waitFor('the loss', async () => (await toldConnection(port)).connected === 0)
  await server.restart()
  await waitFor('the connection', async () => (await toldConnection(port)).connected === 1)
  expect((await toldConnection(port)).reconnects).toBe(1)
  await connection[Symbol.asyncDispose]()
  expect((await toldConnection(port)).connected).toBeUndefined()
})
