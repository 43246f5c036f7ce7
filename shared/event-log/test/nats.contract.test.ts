import { connect } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { type Announcer, connectNats, createNatsAnnouncer, NatsUsage } from '../src/index.ts'
import { describeAnnouncer } from './announcer.contract.ts'
import { describeNatsContracts } from './nats-server.contract.ts'
import { natsServerAvailable, startNatsServer, waitFor } from '@switchyard/testkit'

describe.skipIf(!natsServerAvailable())('with a NATS server', () => {
  describeNatsContracts(() => startNatsServer())

  it('passes over messages that are no notice or too large for one, and does not report each of them', async () => {
    await using server = await startNatsServer()
    await using use = new AsyncDisposableStack()
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const announcer = use.use(createNatsAnnouncer({ url: server.url, name: 'listener', onError }))
    const stranger = await connect({ servers: server.url })
    use.defer(() => stranger.close())
    const heard: unknown[] = []
    announcer.subscribe('config.shop.web', (message) => heard.push(message))
    await waitFor('the subscription to take effect', () => {
      stranger.publish('config.shop.web', '{"probe":true}')
      return heard.length > 0
    })
    const flood = 2000
    for (let index = 0; index < flood; index += 1) stranger.publish('config.shop.web', 'no notice')
    stranger.publish('config.shop.web', JSON.stringify('x'.repeat(300 * 1024)))
    stranger.publish('config.shop.web', '{"last":true}')
    await waitFor('what came last', () =>
      heard.some((message) => JSON.stringify(message) === '{"last":true}'),
    )
    expect(heard.every((message) => JSON.stringify(message).length < 20)).toBe(true)
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.length).toBeLessThan(flood / 10)
  })

  it('keeps the usage of routers for listeners that come later, and brings what comes', async () => {
    await using server = await startNatsServer()
    await using use = new AsyncDisposableStack()
    const router = await connect({ servers: server.url })
    use.defer(() => router.close())
    const listen = async (since: number | null) => {
      const link = use.use(await connectNats({ url: server.url, name: 'listener' }))
      const heard: unknown[] = []
      const usage = use.use(new NatsUsage(link, {}))
      use.use(
        usage.subscribe(
          (message) => heard.push(message),
          async () => since,
        ),
      )
      await waitFor('the listener', () => usage.isListening)
      return heard
    }
    const first = await listen(null)
    const publish = (text: string) => router.publish('router.usage.default.shop.r1', text)
    for (const text of ['1', 'no JSON', '2']) publish(text)
    await waitFor('what was published', () => first.length === 3)
    const later = await listen(null)
    const latest = await listen(Date.now() + 60_000)
    publish('3')
    await waitFor('what the stream kept', () => later.length === 4 && latest.length === 1)
    expect([first, later, latest]).toEqual([[1, null, 2, 3], [1, null, 2, 3], [3]])
  })

  describeAnnouncer('over NATS', async () => {
    const server = await startNatsServer()
    const opened: Announcer[] = []
    return {
      async open(onError) {
        const near = createNatsAnnouncer({ url: server.url, name: 'near', onError })
        const far = createNatsAnnouncer({ url: server.url, name: 'far', onError })
        opened.push(near, far)
        return { near, far }
      },
      async [Symbol.asyncDispose]() {
        for (const announcer of opened) await announcer[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  })
})
