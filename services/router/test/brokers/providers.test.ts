/** What the log says of providers of events, on a real router. */
import { natsServerAvailable } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { type BrokerWorld, EVENTS, startBrokerWorld } from './support/broker-world.ts'

const stack = new AsyncDisposableStack()
let world: BrokerWorld

const lines = (event: string) => world.router.logs.filter((line) => line.event === event)
const missing = () => lines('events.provider-missing').map(({ provider, fields }) => ({ provider, fields }))

async function served(revision: number, events: string): Promise<void> {
  await world.serve(revision, events)
  await until(() => lines('config.swapped').length === revision, `revision ${revision}`)
}

/** The settings with a provider that is called so, and listens nowhere. */
const withProvider = (name: string) =>
  `subscriptions: { enabled: true }\nevents: { providers: { ${name}: { url: "nats://127.0.0.1:1" } } }`

describe.skipIf(!natsServerAvailable())('a provider that the settings do not have', () => {
  beforeAll(async () => {
    world = stack.use(await startBrokerWorld())
  })
  afterAll(() => stack.disposeAsync())

  it('is named when the graph is served, with its fields and what to set', () => {
    expect(lines('events.provider-missing')).toMatchObject([
      { level: 'warn', provider: 'elsewhere', fields: ['Subscription.elsewhere'], count: 1 },
    ])
    expect(lines('events.provider-missing')[0]?.msg).toContain('events.providers.elsewhere.url')
  })

  it('is named once for each field, whatever is served later', async () => {
    await served(2, `${EVENTS} type Spare { id: ID }`)
    await served(3, EVENTS.replace('pages: [Int!]!', 'pages: [Int!]! note: String'))
    expect(missing()).toHaveLength(1)
    const more =
      'type Mutation { tell: edfs__PublishResult! @edfs__natsPublish(subject: "x.y", providerId: "elsewhere") }'
    await served(4, `${EVENTS} ${more}`)
    expect(missing()[1]).toEqual({ provider: 'elsewhere', fields: ['Mutation.tell'] })
  })

  it('is named again when the settings had it and have it no more', async () => {
    await world.apply(withProvider('elsewhere'))
    expect(
      missing()
        .slice(2)
        .map(({ provider }) => provider),
    ).toEqual(['default'])
    await world.apply(withProvider('default'))
    expect(missing().slice(3)).toEqual([
      { provider: 'elsewhere', fields: ['Subscription.elsewhere', 'Mutation.tell'] },
    ])
  })
})
