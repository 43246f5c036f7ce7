import { connect } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { type Announcer, createNatsAnnouncer } from '../src/index.ts'
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
