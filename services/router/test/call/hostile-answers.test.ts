import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { data, json, type Ledger, type Responder, startLedger } from '../support/ledger.ts'
import { post, type Reply } from '../support/router.ts'

const stack = new AsyncDisposableStack()
/** A router that is patient, and two that wait shortly for one of the subgraphs, which does not answer. */
let worlds: { readonly patient: Ledger; readonly ledger: Ledger; readonly audit: Ledger }

beforeAll(async () => {
  const start = async (timeouts: string) =>
    stack.use(
      await startLedger(`
subgraphs: { timeout: 60s, overrides: { ${timeouts} } }
subgraph_errors: { allowed_extensions: [code, details] }
`),
    )
  worlds = {
    patient: await start(''),
    ledger: await start('ledger: { timeout: 150ms }'),
    audit: await start('audit: { timeout: 150ms }'),
  }
})
afterAll(() => stack.disposeAsync())

/** Nothing that happened may leave a trace in the next request. */
async function ask(
  query: string,
  ledger: Responder,
  audit: Responder = data('null'),
  world = worlds.patient,
): Promise<Reply & { readonly auditCalls: number }> {
  world.ledger.answers(ledger)
  world.audit.answers(audit)
  const reply = await post(world.router, { query })
  expect(reply.status).toBe(200)
  expect(reply.text).not.toMatch(/127\.0\.0\.1|_entities|_e\d|SECRET|Ghost|_s\d/)
  expect(world.router.logs.filter(({ event }) => event === 'request.failed')).toEqual([])
  return { ...reply, auditCalls: world.audit.received.length }
}

const worldFor = (code: string, subgraph: 'ledger' | 'audit') =>
  worlds[code === 'SUBGRAPH_TIMEOUT' ? subgraph : 'patient']

const write =
  (status: number, headers: Record<string, string>, act: (response: ServerResponse) => void): Responder =>
  (_body, response) => {
    response.writeHead(status, headers)
    act(response)
  }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Answers that are lost as a whole, and the code of the one error that says so. */
const LOST: readonly (readonly [string, Responder, string])[] = [
  ['HTML with status 200', json('<html>', 200, 'text/html'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['HTML that claims to be JSON', json('<html>'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['GraphQL as text/plain', json('{"data":{}}', 200, 'text/plain'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['an empty 200', json(''), 'SUBGRAPH_INVALID_RESPONSE'],
  ['a 204', write(204, {}, (response) => response.end()), 'SUBGRAPH_INVALID_RESPONSE'],
  ['white space', json(' \n '), 'SUBGRAPH_INVALID_RESPONSE'],
  ['two documents', json('{"data":{}}{"data":{}}'), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'bytes that are not UTF-8',
    json(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  [
    'UTF-8 that is cut',
    json(Buffer.from('{"data":{"account":"é').subarray(0, -1)),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['UTF-16', json(Buffer.from('{"data":{}}', 'utf16le')), 'SUBGRAPH_INVALID_RESPONSE'],
  ['nesting without end', json('['.repeat(1_000_000)), 'SUBGRAPH_INVALID_RESPONSE'],
  ['nesting with an end', json(`${'['.repeat(400_000)}${']'.repeat(400_000)}`), 'SUBGRAPH_INVALID_RESPONSE'],
  ['null', json('null'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['data that is a list', json('{"data":[]}'), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'data that is a number of many digits',
    json('{"data":12345678901234567890}'),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  [
    'data under __proto__',
    json('{"__proto__":{"data":{"account":{"number":1}}}}'),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['errors that are an object', json('{"errors":{"message":"x"}}'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['a 404 page', json('nothing here', 404, 'text/plain'), 'SUBGRAPH_HTTP_ERROR'],
  ['a 500 with other JSON', json('{"error":"x"}', 500), 'SUBGRAPH_HTTP_ERROR'],
  ['no answer', () => {}, 'SUBGRAPH_TIMEOUT'],
  [
    'headers and nothing more',
    write(200, JSON_TYPE, (response) => response.flushHeaders()),
    'SUBGRAPH_TIMEOUT',
  ],
  [
    'half an answer and nothing more',
    write(200, JSON_TYPE, (response) => response.write('{"data":')),
    'SUBGRAPH_TIMEOUT',
  ],
  ['a closed connection', (_body, response) => response.socket?.destroy(), 'SUBGRAPH_UNREACHABLE'],
  [
    'a connection that is reset amid the answer',
    write(200, { ...JSON_TYPE, 'content-length': '99' }, (response) =>
      response.write('{"data":{"account":', () => response.socket?.resetAndDestroy()),
    ),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  [
    'an answer in chunks that ends too early',
    write(200, JSON_TYPE, (response) => response.write('{"data":{', () => response.socket?.end())),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  [
    'what is not HTTP',
    (_body, response) => response.socket?.end('SSH-2.0-OpenSSH_9\r\n'),
    'SUBGRAPH_UNREACHABLE',
  ],
]

describe('an answer that is lost', () => {
  it.each(LOST)('at the root is one error at the field: %s', async (_name, responder, code) => {
    const { json: answer, auditCalls } = await ask(
      '{ account { number settings note } }',
      responder,
      data('null'),
      worldFor(code, 'ledger'),
    )
    expect(answer).toEqual({
      data: { account: null },
      errors: [
        { message: expect.any(String), path: ['account'], extensions: { code, serviceName: 'ledger' } },
      ],
    })
    expect(auditCalls).toBe(0)
  })

  it.each(LOST)(
    'of entities in a list is an error at each field of them: %s',
    async (_name, responder, code) => {
      const accounts = data('{"all":[{"n":1,"number":1},null,{"n":2,"number":2}]}')
      const { json: answer } = await ask(
        '{ all: accounts { n: number hint: note must: risk } }',
        accounts,
        responder,
        worldFor(code, 'audit'),
      )
      expect(answer).toEqual({
        data: { all: [null, null, null] },
        errors: [
          ['all', 0, 'hint'],
          ['all', 2, 'hint'],
          ['all', 0, 'must'],
          ['all', 2, 'must'],
        ].map((path) => ({ message: expect.any(String), path, extensions: { code, serviceName: 'audit' } })),
      })
    },
  )

  it.each(LOST)(
    'of a mutation is one error, and the next field runs if null is allowed: %s',
    async (_name, responder, code) => {
      const { json: answer } = await ask(
        'mutation { open { number } review }',
        responder,
        data('{"review":3}'),
        worldFor(code, 'ledger'),
      )
      expect(answer).toEqual({
        data: { open: null, review: 3 },
        errors: [
          { message: expect.any(String), path: ['open'], extensions: { code, serviceName: 'ledger' } },
        ],
      })
    },
  )

  it.each(LOST)('of a mutation that must not be null ends it: %s', async (_name, responder, code) => {
    const { json: answer, auditCalls } = await ask(
      'mutation { close { number } review }',
      responder,
      data('{"review":3}'),
      worldFor(code, 'ledger'),
    )
    expect(answer).toEqual({
      data: null,
      errors: [{ message: expect.any(String), path: ['close'], extensions: { code, serviceName: 'ledger' } }],
    })
    expect(auditCalls).toBe(0)
  })
})

describe('an answer that is odd, but can be used,', () => {
  const query = '{ account { number } }'
  const shown = { account: { number: 1 } }
  const sent = '{"data":{"account":{"number":1}}}'

  it.each<[string, Responder]>([
    ['with an error status', json(sent, 500)],
    ['with status 404', json(sent, 404)],
    ['with a byte order mark', json(`\ufeff${sent}`)],
    ['with the GraphQL media type', json(sent, 200, 'application/graphql-response+json; charset=utf-8')],
    ['with a media type in capitals', json(sent, 200, 'Application/JSON')],
    ['without a media type', write(200, {}, (response) => response.end(sent))],
    [
      'with members of its own',
      json(sent.replace('{', '{"extensions":{"a":[]},"__proto__":{"data":null},"x":1,')),
    ],
    [
      'with fields nobody asked for',
      json('{"data":{"account":{"number":1,"secret":1,"__proto__":{"number":2}},"more":1}}'),
    ],
    ['with errors null', json('{"errors":null,"data":{"account":{"number":1}}}')],
    ['with no errors in a list', json('{"errors":[],"data":{"account":{"number":1}}}')],
  ])('%s is used', async (_name, responder) => {
    expect((await ask(query, responder, undefined, worlds.patient)).json).toEqual({ data: shown })
  })

  it('in many small pieces, cut within a character, is used', async () => {
    const bytes = Buffer.from('{"data":{"account":{"settings":"é€🦊"}}}')
    const responder = write(200, JSON_TYPE, (response) => {
      response.socket?.setNoDelay(true)
      for (const byte of bytes) response.write(Buffer.from([byte]))
      response.end()
    })
    expect((await ask('{ account { settings } }', responder, undefined, worlds.patient)).json).toEqual({
      data: { account: { settings: 'é€🦊' } },
    })
  })

  it('may hold the replacement character', async () => {
    const { json: answer } = await ask(
      '{ account { settings } }',
      data('{"account":{"settings":"\ufffd"}}'),
      undefined,
      worlds.patient,
    )
    expect(answer).toEqual({ data: { account: { settings: '\ufffd' } } })
  })
})

describe('errors that a subgraph reports', () => {
  it.each<[string, string, readonly unknown[]]>([
    ['no list', '"many"', []],
    ['a number of many digits', '12345678901234567890', []],
    [
      'no objects',
      '[1,null,"x",[],12345678901234567890]',
      Array.from({ length: 5 }, () => [['account'], {}]),
    ],
    [
      'a path that is none',
      '[{"message":"m","path":"account"},{"message":"m","path":[-1]},{"message":"m","path":[1.5]},{"message":"m","path":[{}]},{"message":"m","path":[12345678901234567890]}]',
      Array.from({ length: 5 }, () => [['account'], {}]),
    ],
    ['a path into nothing', '[{"message":"m","path":["nowhere",3,"x"]}]', [[['account'], {}]]],
    [
      'a path to what nobody asked for',
      '[{"message":"m","path":["account","__proto__","x"]}]',
      [[['account'], {}]],
    ],
    [
      'extensions of the wrong kind',
      '[{"message":"m","extensions":[]},{"message":"m","extensions":"x"},{"message":"m","extensions":12345678901234567890}]',
      Array.from({ length: 3 }, () => [['account'], {}]),
    ],
    [
      'extensions with a prototype',
      '[{"message":"m","extensions":{"__proto__":{"code":"EVIL"},"constructor":1}}]',
      [[['account'], {}]],
    ],
    [
      'extensions that hold what they should not',
      '[{"message":"m","path":["account","settings"],"extensions":{"code":{"a":[null]},"stacktrace":["at x"],"serviceName":"other"}}]',
      [[['account', 'settings'], { code: { a: [null] } }]],
    ],
  ])('and that are %s never break the answer', async (_name, errors, shown) => {
    const { json: answer } = await ask(
      '{ account { number settings } }',
      json(`{"data":{"account":{"number":1,"settings":null}},"errors":${errors}}`),
    )
    expect(answer.data).toEqual({ account: { number: 1, settings: null } })
    expect((answer.errors ?? []).map(({ path, extensions }) => [path, extensions])).toEqual(
      (shown as [unknown, object][]).map(([path, extensions]) => [
        path,
        { ...extensions, serviceName: 'ledger' },
      ]),
    )
  })

  it('without data leave every field of that call null, each with what was said', async () => {
    const sent = json('{"errors":[{"message":"No","extensions":{"code":"DENIED"}}]}', 401)
    const { json: answer } = await ask('{ account { number } owners { id } }', sent)
    expect(answer).toEqual({
      data: { account: null, owners: null },
      errors: ['account', 'owners'].map((field) => ({
        message: 'No',
        path: [field],
        extensions: { code: 'DENIED', serviceName: 'ledger' },
      })),
    })
  })

  it('with data null leave every field of that call null', async () => {
    const sent = json('{"data":null,"errors":[{"message":"No","path":["must","number"]}]}')
    const { json: answer } = await ask('{ account { number } must { number } }', sent)
    expect(answer).toEqual({
      data: null,
      errors: [{ message: 'No', path: ['must', 'number'], extensions: { serviceName: 'ledger' } }],
    })
  })

  it('about an entity stand at every place that shows it, fifty at most, under the names the client chose', async () => {
    const accounts = Array.from({ length: 60 }, (_, index) => (index === 1 ? 'null' : '{"number":7}'))
    const { json: answer } = await ask(
      '{ one: account { hint: note toString: notes } accounts { hint: note toString: notes } }',
      data(`{"accounts":[${accounts.join(',')}],"one":{"number":7}}`),
      json(
        '{"data":{"_entities":[{"hint":null,"_s0":null,"_s1":null}]},"errors":[{"message":"N","path":["_entities",0,"hint"]},{"message":"L","path":["_entities",0,"_s1",2]}]}',
      ),
    )
    const pathsOf = (message: string) =>
      (answer.errors ?? []).filter((error) => error.message === message).map(({ path }) => path)
    const indices = Array.from({ length: 51 }, (_, index) => index).filter((index) => index !== 1)
    expect(pathsOf('N')).toEqual([
      ['one', 'hint'],
      ...indices.slice(0, 49).map((index) => ['accounts', index, 'hint']),
    ])
    expect(pathsOf('L')).toEqual(indices.map((index) => ['accounts', index, 'toString', 2]))
    expect(answer.data).toMatchObject({ one: { hint: null, toString: null } })
  })
})

describe('entities that a subgraph sends', () => {
  const accounts = data('{"accounts":[{"number":1},{"number":2}]}')
  const query = '{ accounts { number note } }'

  it.each<[string, string, readonly (string | null)[], string | null]>([
    ['null', '[null,{"note":"b"}]', [null, 'b'], null],
    ['too few', '[{"note":"a"}]', ['a', null], 'ENTITY_COUNT_MISMATCH'],
    ['none', '[]', [null, null], 'ENTITY_COUNT_MISMATCH'],
    ['too many', '[{"note":"a"},{"note":"b"},{"note":"c"}]', ['a', 'b'], 'ENTITY_COUNT_MISMATCH'],
    ['of the wrong kind', '["a",[{"note":"b"}]]', [null, null], null],
    ['no list', '{"0":{"note":"a"},"length":2}', [null, null], 'ENTITY_COUNT_MISMATCH'],
    ['a number of many digits', '12345678901234567890', [null, null], 'ENTITY_COUNT_MISMATCH'],
  ])('as %s are never mixed up', async (_name, entities, notes, code) => {
    const { json: answer } = await ask(query, accounts, data(`{"_entities":${entities}}`))
    expect(answer.data).toEqual({ accounts: notes.map((note, index) => ({ number: index + 1, note })) })
    const missing = notes.flatMap((note, index) => (note === null ? [['accounts', index, 'note']] : []))
    // Of what is sent too often nothing is null.
    const paths = missing.length > 0 ? missing : [['accounts']]
    expect((answer.errors ?? []).map(({ path, extensions }) => [path, extensions])).toEqual(
      code === null ? [] : paths.map((path) => [path, { code, serviceName: 'audit' }]),
    )
  })

  it('under another name are missing', async () => {
    const { json: answer } = await ask(query, accounts, data('{"_entitites":[{"note":"a"},{"note":"b"}]}'))
    expect(answer.data).toEqual({ accounts: [1, 2].map((number) => ({ number, note: null })) })
    expect(answer.errors).toMatchObject(
      [0, 1].map((index) => ({
        path: ['accounts', index, 'note'],
        extensions: { code: 'ENTITY_COUNT_MISMATCH' },
      })),
    )
  })
})

describe('values that do not fit', () => {
  it('of types and enums are null, and hidden names stay hidden', async () => {
    const names = [
      '"Person"',
      '"Ghost"',
      '"Nowhere"',
      '"Owner"',
      '"Account"',
      '7',
      'null',
      '["Person"]',
      '{"a":1}',
    ]
    const owners = names.map((name) => `{"__typename":${name},"id":"1"}`)
    const { json: answer, text } = await ask(
      '{ owners { id } account { kind } }',
      data(`{"owners":[${owners.join(',')},{"id":"1"},"x"],"account":{"kind":"SECRET"}}`),
    )
    expect(answer.data).toEqual({
      owners: [{ id: '1' }, ...Array.from({ length: 10 }, () => null)],
      account: { kind: null },
    })
    expect(answer.errors?.map(({ path }) => path)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => ['owners', index + 1]),
      ['account', 'kind'],
    ])
    expect(text).not.toMatch(/Ghost|SECRET|Nowhere/)
  })
})
