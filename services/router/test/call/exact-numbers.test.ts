import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { data, json, type Ledger, startLedger, variablesIn } from '../support/ledger.ts'
import { post, send } from '../support/router.ts'

let world: Ledger

beforeAll(async () => {
  world = await startLedger('subgraph_errors: { allowed_extensions: [code, ids] }')
})
afterAll(() => world[Symbol.asyncDispose]())

describe('numbers that a double cannot hold', () => {
  it('go from subgraph to subgraph and to the client without losing a digit', async () => {
    world.ledger.answers(
      data(
        '{"accounts":[{"number":9007199254740993,"balance":-12345678901234567890,"settings":{"limits":[1e400,0.1000000000000000055511]}}]}',
      ),
    )
    world.audit.answers(data('{"_entities":[{"score":18446744073709551615}]}'))
    const { text } = await post(world.router, { query: '{ accounts { number score settings } }' })
    expect(variablesIn(world.audit.received[0])).toBe(
      '{"r0":[{"__typename":"Account","number":9007199254740993,"balance":-12345678901234567890,"settings":{"limits":[1e400,0.1000000000000000055511]}}]}',
    )
    expect(text).toBe(
      '{"data":{"accounts":[{"number":9007199254740993,"score":18446744073709551615,"settings":{"limits":[1e400,0.1000000000000000055511]}}]}}',
    )
  })

  it.each(['POST', 'GET'])('go from the variables of a %s request to the subgraph', async (method) => {
    world.ledger.answers(data('{"echo":[12345678901234567890]}'))
    const query =
      'query ($long: Long, $value: JSON, $id: ID, $filter: Filter) { echo(long: $long, value: $value, id: $id, filter: $filter) }'
    const variables =
      '{"long":9007199254740993,"value":{"a":[0.10000000000000000001]},"id":12345678901234567890,"filter":{"above":-9007199254740993,"ratio":9007199254740993}}'
    const { text } =
      method === 'POST'
        ? await post(world.router, `{"query":${JSON.stringify(query)},"variables":${variables}}`)
        : await send(`${world.router.graphqlUrl}?${new URLSearchParams({ query, variables }).toString()}`, {
            headers: { 'apollo-require-preflight': '1' },
          })
    expect(text).toBe('{"data":{"echo":[12345678901234567890]}}')
    expect(variablesIn(world.ledger.received[0])).toBe(
      '{"long":9007199254740993,"value":{"a":[0.10000000000000000001]},"id":"12345678901234567890","filter":{"above":-9007199254740993,"ratio":9007199254740992}}',
    )
  })

  it('go from the literals of a document to the subgraph', async () => {
    world.ledger.answers(data('{"echo":null}'))
    await post(world.router, { query: '{ echo(long: 12345678901234567890, value: { a: 1e400 }) }' })
    expect(JSON.parse(world.ledger.received[0] ?? '').query).toBe(
      '{echo(long:12345678901234567890,value:{a:1e400})}',
    )
  })

  it('stay what they are in the extensions of errors', async () => {
    world.ledger.answers(
      json(
        '{"data":{"owners":null},"errors":[{"message":"No","path":["owners"],"extensions":{"ids":[12345678901234567890]}}]}',
      ),
    )
    const { text } = await post(world.router, { query: '{ owners { id } }' })
    expect(text).toBe(
      '{"errors":[{"message":"No","path":["owners"],"extensions":{"ids":[12345678901234567890],"serviceName":"ledger"}}],"data":{"owners":null}}',
    )
  })

  it('in variables that nest too deeply are refused, not a failure of the router', async () => {
    const deep = `${'['.repeat(50_000)}12345678901234567890${']'.repeat(50_000)}`
    const reply = await post(
      world.router,
      `{"query":"query ($value: JSON) { echo(value: $value) }","variables":{"value":${deep}}}`,
    )
    expect(reply.status).toBe(400)
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('OPERATION_LIMIT_EXCEEDED')
  })
})
