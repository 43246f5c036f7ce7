import { expect, it } from 'vitest'
import { startEventWorld } from './support/event-world.ts'
import { subscribe } from './support/read-events.ts'

const QUERY = 'subscription { changed { upc ... @defer { price } } }'
const event = { data: { changed: { upc: '1', price: 10 } } }

it('@defer in a subscription has no effect where it is off', async () => {
  await using world = await startEventWorld()
  const reading = subscribe(world.router, { query: QUERY })
  await world.subscribed(1)
  world.events.send({ changed: { upc: '1' } })
  await reading.until(({ events }) => events.length === 1, 'an event')
  expect(reading.events[0]?.[1]).toEqual(event)
})

it('@defer in a subscription is refused where it is on, and has no effect where it is inactive', async () => {
  await using world = await startEventWorld('', 'engine: { enable_defer: true }')
  // Also of a client that takes answers in parts.
  const accept = 'text/event-stream, multipart/mixed;incrementalSpec=v0.2'
  const refused = subscribe(world.router, { query: QUERY }, { accept })
  await refused.until(({ end }) => end === 'whole', 'a refusal')
  expect(JSON.parse(refused.text).errors).toMatchObject([
    {
      message: expect.stringContaining('must not stand in a subscription'),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
  ])
  const inactive = subscribe(world.router, { query: QUERY.replace('@defer', '@defer(if: false)') })
  await world.subscribed(1)
  world.events.send({ changed: { upc: '1' } })
  await inactive.until(({ events }) => events.length === 1, 'an event')
  expect(inactive.events[0]?.[1]).toEqual(event)
})
