import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import {
  compileSupergraph,
  execute,
  ExactNumber,
  type ExecutionResult,
  openGraph,
  parseExactly,
  prepareOperation,
} from '../../../src/index.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])\n`

const LEDGER = `${LINK}
  scalar Long
  scalar JSON
  type Query {
    accounts: [Account] account: Account numbers: Numbers people: [Person]
    echo(value: JSON, filter: Filter, id: ID, long: Long, float: Float, int: Int): JSON
  }
  input Filter { above: Long ids: [ID!] ratio: Float inner: Filter from: Long = 9007199254740993 }
  type Account @key(fields: "number") @key(fields: "branch { code } ids") {
    number: Long! balance: Long settings: JSON history: [[Long]] branch: Branch ids: [Long!]
  }
  type Branch { code: Long! }
  type Numbers { int: Int float: Float id: ID string: String boolean: Boolean long: Long list: [Long] strict: Float! }
  type Person @key(fields: "id") { id: ID! age: Int }
`
const AUDIT = `${LINK}
  scalar Long
  scalar JSON
  type Account @key(fields: "number") {
    number: Long! balance: Long @external settings: JSON @external history: [[Long]] @external
    score: Long @requires(fields: "balance settings history") note: String
  }
  type Person @key(fields: "id") { id: ID! name: String }
`
const BRANCHES = `${LINK}
  scalar Long
  type Account @key(fields: "branch { code } ids") { branch: Branch ids: [Long!] manager: String }
  type Branch { code: Long! }
`

const composed = compose({
  subgraphs: [
    { name: 'ledger', routingUrl: 'http://ledger.test/', sdl: LEDGER },
    { name: 'audit', routingUrl: 'http://audit.test/', sdl: AUDIT },
    { name: 'branches', routingUrl: 'http://branches.test/', sdl: BRANCHES },
  ].map((subgraph) => ({
    ...subgraph,
    sdl: subgraph.sdl
      .replace('type Branch', 'type Branch @shareable')
      .replace('"@key"', '"@key", "@shareable"'),
  })),
})
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed))
const graph = openGraph(compileSupergraph(composed.supergraphSdl))

type Exchange = {
  readonly result: ExecutionResult
  /** The response as it is written. */
  readonly text: string
  /** Request bodies as they are sent, by subgraph. */
  readonly sent: Readonly<Record<string, string>>
}

/** `replies`: the text of `data`, by subgraph. `variables`: JSON, as a client sends them. */
async function ask(
  query: string,
  replies: Readonly<Record<string, string>>,
  variables = '{}',
): Promise<Exchange> {
  const operation = prepareOperation(graph, { document: query })
  const raw = operation.takesExactNumbers ? parseExactly(variables) : JSON.parse(variables)
  const coerced = operation.coerceVariables(raw as Record<string, unknown>)
  const sent: Record<string, string> = {}
  const result = await new Promise<ExecutionResult>((resolve) => {
    execute(
      graph,
      {
        plan: planOperation(operation, coerced),
        variables: coerced,
        fetch: ({ subgraph, body, fetch }, done) => {
          sent[subgraph] = body
          const text = `{"data":${replies[subgraph] ?? 'null'}}`
          const parsed: unknown = fetch.exactNumbers ? parseExactly(text) : JSON.parse(text)
          setImmediate(() => done({ kind: 'answer', status: 200, body: parsed }))
        },
      },
      resolve,
    )
  })
  return { result, text: JSON.stringify(result.data), sent }
}

const variablesOf = (body: string | undefined) => body?.replace(/^.*"variables":/s, '').slice(0, -1)

describe('numbers that a double cannot hold', () => {
  it.each([
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551615',
    '1000000000000000000000',
    '1e400',
    '-1e-400',
    '0.1000000000000000055511',
    '123456789.12345678912',
    '1.5',
    '0.30000000000000004',
    '1e21',
  ])('reach the client as the subgraph sent them, in a custom scalar: %s', async (number) => {
    const written = number === '1e21' ? '1e+21' : number
    const { text, result } = await ask('{ numbers { long list } }', {
      ledger: `{"numbers":{"long":${number},"list":[${number},null,"${number}"]}}`,
    })
    expect(result.errors).toEqual([])
    expect(text).toBe(`{"numbers":{"long":${written},"list":[${written},null,"${number}"]}}`)
  })

  it('reach the client in the depths of a structured scalar', async () => {
    const settings =
      '{"a":[{"limit":12345678901234567890,"__proto__":{"b":-0.12345678901234567890}}],"rawJSON":"1"}'
    const { text } = await ask('{ account { settings } }', { ledger: `{"account":{"settings":${settings}}}` })
    expect(text).toBe(`{"account":{"settings":${settings}}}`)
  })

  it('are the same number without their trailing zeros, and -0 is 0', async () => {
    const { text } = await ask('{ numbers { list } }', {
      ledger: '{"numbers":{"list":[1.0,-0,0.0000000000000000000,100e-2,1.500000000000000000000]}}',
    })
    expect(text).toBe('{"numbers":{"list":[1,0,0,1,1.5]}}')
  })

  it('identify entities', async () => {
    const { text, sent } = await ask('{ accounts { number note } }', {
      ledger:
        '{"accounts":[{"number":9007199254740993},{"number":9007199254740992},null,{"number":9007199254740993}]}',
      audit: '{"_entities":[{"note":"odd"},{"note":"even"}]}',
    })
    expect(variablesOf(sent['audit'])).toBe(
      '{"r0":[{"__typename":"Account","number":9007199254740993},{"__typename":"Account","number":9007199254740992}]}',
    )
    expect(text).toBe(
      '{"accounts":[{"number":9007199254740993,"note":"odd"},{"number":9007199254740992,"note":"even"},null,{"number":9007199254740993,"note":"odd"}]}',
    )
  })

  it('identify entities from inside of nested and listed keys, though the client asks for none of them', async () => {
    const { text, sent } = await ask('{ account { manager } }', {
      ledger: '{"account":{"branch":{"code":12345678901234567891},"ids":[9007199254740993,1]}}',
      branches: '{"_entities":[{"manager":"M"}]}',
    })
    expect(variablesOf(sent['branches'])).toContain(
      '"branch":{"code":12345678901234567891},"ids":[9007199254740993,1]',
    )
    expect(text).toBe('{"account":{"manager":"M"}}')
  })

  it('are sent as inputs of requires', async () => {
    const { text, sent } = await ask('{ account { score } }', {
      ledger:
        '{"account":{"number":1,"balance":12345678901234567890,"settings":{"deep":[0.12345678901234567891]},"history":[[9007199254740993,null],[]]}}',
      audit: '{"_entities":[{"score":-12345678901234567890}]}',
    })
    expect(variablesOf(sent['audit'])).toBe(
      '{"r0":[{"__typename":"Account","number":1,"balance":12345678901234567890,"settings":{"deep":[0.12345678901234567891]},"history":[[9007199254740993,null],[]]}]}',
    )
    expect(text).toBe('{"account":{"score":-12345678901234567890}}')
  })

  it.each([
    ['int', '9007199254740993', 'null', /^Int cannot represent/],
    ['float', '9007199254740993', '9007199254740992', null],
    ['float', '0.1000000000000000055511', '0.1', null],
    ['float', '1e400', 'null', /^Float cannot represent/],
    ['strict', '1e400', null, /^Float cannot represent/],
    ['id', '9007199254740993', 'null', /^ID cannot represent/],
    ['id', '9007199254740991', '"9007199254740991"', null],
    ['string', '9007199254740993', 'null', /^String cannot represent/],
    ['string', '1e400', 'null', /^String cannot represent/],
    ['boolean', '9007199254740993', 'null', /^Boolean cannot represent/],
  ])('in the place of %s: %s is %s, whatever else is selected', async (field, sent, shown, message) => {
    const ledger = `{"numbers":{"${field}":${sent},"long":7}}`
    const alone = await ask(`{ numbers { ${field} } }`, { ledger })
    const beside = await ask(`{ numbers { ${field} long } }`, { ledger })
    expect(alone.text).toBe(shown === null ? '{"numbers":null}' : `{"numbers":{"${field}":${shown}}}`)
    expect(beside.text).toBe(
      shown === null ? '{"numbers":null}' : `{"numbers":{"${field}":${shown},"long":7}}`,
    )
    for (const { errors } of [alone.result, beside.result]) {
      if (message === null) expect(errors).toEqual([])
      else expect(errors).toMatchObject([{ message, path: ['numbers', field] }])
    }
  })

  it('identify no entity as an ID, since another one may have the number that is left of them', async () => {
    const people = '{"people":[{"id":9007199254740993},{"id":9007199254740991},{"id":"9007199254740993"}]}'
    const { text, sent } = await ask('{ people { name } }', {
      ledger: people,
      audit: '{"_entities":[{"name":"A"},{"name":"B"}]}',
    })
    expect(variablesOf(sent['audit'])).toBe(
      '{"r0":[{"__typename":"Person","id":9007199254740991},{"__typename":"Person","id":"9007199254740993"}]}',
    )
    expect(text).toBe('{"people":[{"name":null},{"name":"A"},{"name":"B"}]}')
  })

  it('are no objects and no lists', async () => {
    const { text, result } = await ask('{ account { settings } numbers { list } accounts { settings } }', {
      ledger:
        '{"account":12345678901234567890,"numbers":{"list":12345678901234567890},"accounts":[12345678901234567890]}',
    })
    expect(text).toBe('{"account":null,"numbers":{"list":null},"accounts":[null]}')
    expect(result.errors.map(({ path }) => path)).toEqual([['account'], ['numbers', 'list'], ['accounts', 0]])
  })

  it('are asked for only where a custom scalar is read', () => {
    const exact = (query: string) =>
      planOperation(prepareOperation(graph, { document: query }), new Map()).fetches.map(
        ({ exactNumbers }) => exactNumbers,
      )
    expect(exact('{ people { id age } }')).toEqual([false])
    expect(exact('{ people { id name } }')).toEqual([false, false])
    expect(exact('{ numbers { int float id string boolean } }')).toEqual([false])
    expect(exact('{ accounts { __typename } }')).toEqual([false])
    expect(exact('{ accounts { note } }')).toEqual([true, false])
    expect(exact('{ accounts { branch { code } } }')).toEqual([true])
    expect(exact('{ accounts { score } }')).toEqual([true, true])
  })

  it('nested deeper than can be written are null with an error, not a response that cannot be written', async () => {
    const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`
    const { text, result } = await ask('{ numbers { long } account { settings } }', {
      ledger: `{"numbers":{"long":${deep}},"account":{"settings":{"a":${deep}}}}`,
    })
    expect(text).toBe('{"numbers":{"long":null},"account":{"settings":null}}')
    expect(result.errors.map(({ path, message }) => [path, message])).toEqual([
      [['numbers', 'long'], 'Long cannot represent a value that nests so deeply.'],
      [['account', 'settings'], 'JSON cannot represent a value that nests so deeply.'],
    ])
  })
})

describe('numbers of clients that a double cannot hold', () => {
  const echo = async (query: string, variables?: string) => {
    const { sent } = await ask(query, { ledger: '{"echo":null}' }, variables)
    return sent['ledger']
  }

  it('in variables reach the subgraph as they were sent', async () => {
    const body = await echo(
      'query ($value: JSON, $filter: Filter, $long: Long) { echo(value: $value, filter: $filter, long: $long) }',
      '{"long":12345678901234567890,"value":{"a":[1e400,{"__proto__":0.10000000000000000001}]},"filter":{"above":9007199254740993,"inner":{"above":-9007199254740993,"from":1}}}',
    )
    expect(variablesOf(body)).toBe(
      '{"value":{"a":[1e400,{"__proto__":0.10000000000000000001}]},"filter":{"above":9007199254740993,"inner":{"above":-9007199254740993,"from":1},"from":9007199254740993},"long":12345678901234567890}',
    )
  })

  it('in variables that are ids become text with all digits', async () => {
    const body = await echo(
      'query ($id: ID, $filter: Filter) { echo(id: $id, filter: $filter) }',
      '{"id":12345678901234567890,"filter":{"ids":[9007199254740993,"x",7],"from":0}}',
    )
    expect(variablesOf(body)).toBe(
      '{"id":"12345678901234567890","filter":{"ids":["9007199254740993","x","7"],"from":0}}',
    )
    const single = await echo(
      'query ($filter: Filter) { echo(filter: $filter) }',
      '{"filter":{"ids":9007199254740993,"from":0}}',
    )
    expect(variablesOf(single)).toBe('{"filter":{"ids":["9007199254740993"],"from":0}}')
  })

  it('in variables that are floats are doubles, and integers have 32 bits', async () => {
    const query =
      'query ($float: Float, $int: Int, $long: Long) { echo(float: $float, int: $int, long: $long) }'
    expect(variablesOf(await echo(query, '{"float":9007199254740993,"long":9007199254740993}'))).toBe(
      '{"float":9007199254740992,"long":9007199254740993}',
    )
    await expect(echo(query, '{"int":9007199254740993}')).rejects.toThrow(/Int cannot represent/)
    await expect(echo(query, '{"float":1e400}')).rejects.toThrow(/Float cannot represent/)
    await expect(echo('query ($id: ID) { echo(id: $id) }', '{"id":1e400}')).rejects.toThrow(
      /ID cannot represent/,
    )
  })

  it('in literals and defaults reach the subgraph as they were written', async () => {
    expect(await echo('{ echo(long: 12345678901234567890, value: { a: [1e400] }) }')).toContain(
      '12345678901234567890',
    )
    const body = await echo(
      'query ($long: Long = 12345678901234567890, $value: JSON = { a: [0.10000000000000000001, RED, "s", true, null] }) { echo(long: $long, value: $value) }',
    )
    expect(variablesOf(body)).toBe(
      '{"long":12345678901234567890,"value":{"a":[0.10000000000000000001,"RED","s",true,null]}}',
    )
  })

  it('are looked for only where a variable may hold them', () => {
    const takes = (query: string) => prepareOperation(graph, { document: query }).takesExactNumbers
    expect(takes('{ people { id } }')).toBe(false)
    expect(takes('query ($float: Float, $int: Int) { echo(float: $float, int: $int) }')).toBe(false)
    expect(takes('query ($id: ID) { echo(id: $id) }')).toBe(true)
    expect(takes('query ($long: Long) { echo(long: $long) }')).toBe(true)
    expect(takes('query ($filter: Filter) { echo(filter: $filter) }')).toBe(true)
  })
})

describe('an exact number', () => {
  it('is written as its text, and only where a double would not do', () => {
    expect(parseExactly('[1,1.5,12345678901234567890,"12345678901234567890"]')).toEqual([
      1,
      1.5,
      new ExactNumber('12345678901234567890'),
      '12345678901234567890',
    ])
    expect(JSON.stringify({ a: [new ExactNumber('1E+400')] })).toBe('{"a":[1E+400]}')
  })
})
