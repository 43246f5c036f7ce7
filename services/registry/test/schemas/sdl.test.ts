import { describe, expect, it } from 'vitest'
import { type Client, openStorage, outcome, problemOf, ROUTING_URL, startClient } from '../harness.ts'

function largeSdl(): string {
  const types = Array.from(
    { length: 20_000 },
    (_, index) => `type T${index} @key(fields: "id") { id: ID! name: String, other(a: Int = 3): [String!]! }`,
  )
  return `type Query { hello: String }\n${types.join('\n')}\n`
}

async function health(client: Client): Promise<false> {
  expect((await client.get('/health/live')).status).toBe(200)
  return false
}

describe('large SDL', () => {
  it('is published, and other requests are answered while it is checked', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const sdl = largeSdl()
    expect(sdl.length).toBeGreaterThan(1_500_000)
    const published = client.put('/v1/subgraphs/default/big/schema?wait=0', { sdl, routingUrl: ROUTING_URL })
    const isPublished = published.then(() => true)
    let answered = 0
    while (!(await Promise.race([isPublished, health(client)]))) answered += 1
    expect(outcome(await published).changed).toBe(true)
    expect(answered).toBeGreaterThan(1)
  })

  it('is refused with the place where it is wrong', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const sdl = `${largeSdl()}type {`
    const reply = await client.put('/v1/subgraphs/default/big/schema', { sdl, routingUrl: ROUTING_URL })
    expect(problemOf(reply)).toMatchObject({
      code: 'SCHEMA_INVALID',
      locations: [{ line: 20_002, column: 6 }],
    })
  })

  it.each(['[', '{ a: ['])('is refused when it is nested too deeply (%s)', async (opening) => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const sdl = `type A { a(b: [Int] = ${opening.repeat(1_000_000)}`
    const reply = await client.put('/v1/subgraphs/default/deep/schema', { sdl, routingUrl: ROUTING_URL })
    expect([reply.status, problemOf(reply).code]).toEqual([422, 'SCHEMA_INVALID'])
    expect((await client.get('/health/ready')).status).toBe(200)
  })
})
