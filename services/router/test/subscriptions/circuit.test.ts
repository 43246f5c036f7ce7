/** The circuit breaker of a subgraph, which calls and subscriptions share, on a real router. */
import { describe, expect, it } from 'vitest'
import { post, type TestRouter } from '../support/router.ts'
import { startEventWorld } from './support/event-world.ts'
import { subscribe } from './support/read-events.ts'

const CIRCUIT = 'circuit_breaker: { enabled: true, min_calls: 2, window: 1h, open_for: 1h }'
/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1/graphql'

async function codeOfSubscription(router: TestRouter): Promise<unknown> {
  const reading = subscribe(router, { query: 'subscription { ticks }' })
  await reading.until(({ end }) => end !== null, 'the end')
  return codeIn(reading.events[0]?.[1])
}

async function codeOfCall(router: TestRouter): Promise<unknown> {
  const { json } = await post(router, { query: '{ now }' })
  return codeIn(json)
}

function codeIn(result: unknown): unknown {
  expect(result).toMatchObject({ errors: [{ extensions: { code: expect.any(String) } }] })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was looked at just now
  return (result as { errors: [{ extensions: { code: string } }] }).errors[0].extensions.code
}

describe('the circuit of a subgraph', () => {
  it('that calls have opened refuses subscriptions', async () => {
    const overrides = `overrides: { events: { urls: ["http://${NOWHERE}"] } }`
    await using world = await startEventWorld('', `subgraphs: { ${CIRCUIT}, ${overrides} }`)
    for (let call = 0; call < 2; call++) expect(await codeOfCall(world.router)).toBe('SUBGRAPH_UNREACHABLE')
    expect(await codeOfSubscription(world.router)).toBe('SUBGRAPH_CIRCUIT_OPEN')
  })

  it('that subscriptions have opened refuses calls', async () => {
    const overrides = `overrides: { events: { urls: ["http://${NOWHERE}"] } }`
    await using world = await startEventWorld('', `subgraphs: { ${CIRCUIT}, ${overrides} }`)
    const { router } = world
    for (let source = 0; source < 2; source++)
      expect(await codeOfSubscription(router)).toBe('SUBGRAPH_UNREACHABLE')
    expect(await codeOfCall(router)).toBe('SUBGRAPH_CIRCUIT_OPEN')
    expect(router.logs.filter(({ event }) => event === 'subgraph.circuit-opened')).toMatchObject([
      { subgraph: 'events', calls: 2, failures: 2, count: 1 },
    ])
  })

  it.each([
    ['ws', 'graphql-transport-ws'],
    ['http', 'sse'],
  ])(
    'is another one for a URL of subscriptions, and is kept while none is open (%s)',
    async (scheme, protocol) => {
      const subscriptions = `subscriptions: { protocol: ${protocol}, url: "${scheme}://${NOWHERE}" }`
      const overrides = `overrides: { events: { ${subscriptions} } }`
      await using world = await startEventWorld('', `subgraphs: { ${CIRCUIT}, ${overrides} }`)
      const { router } = world
      for (let source = 0; source < 2; source++)
        expect(await codeOfSubscription(router)).toBe('SUBGRAPH_UNREACHABLE')
      expect(await codeOfSubscription(router)).toBe('SUBGRAPH_CIRCUIT_OPEN')
      expect(await codeOfCall(router)).toBe('SUBGRAPH_HTTP_ERROR')
    },
  )
})
