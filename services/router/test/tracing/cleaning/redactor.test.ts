import { ExactNumber } from '@switchyard/engine'
import { fetchesOf, parseTrace, type Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { RecordedJson } from '../../../src/tracing/cleaning/recorded-json.ts'
import type { RedactionSettings } from '../../../src/tracing/cleaning/redaction-rules.ts'
import { answered, asked, createTrace, loadsOf, TestRedaction, type TraceParts } from '../traces.ts'

const SETTINGS: RedactionSettings = {
  allowedHeaders: ['content-type', 'Accept', 'x-request-id'],
  sensitiveNames: ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn'],
  vendor: 'VENDOR',
}

function redact(trace: Trace, settings: Partial<RedactionSettings> = {}): Trace {
  const before = JSON.stringify(trace)
  const shown = new TestRedaction({ ...SETTINGS, ...settings }).shown(deepFreeze(trace))
  expect(JSON.stringify(trace)).toBe(before)
  return parseTrace(shown)
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

/** What is shown of one answer. */
function shownAnswer(body: unknown, parts: TraceParts = {}): unknown {
  const [load] = loadsOf(redact(createTrace({ ...parts, loads: [answered(body)] })))
  return load?.output !== undefined && 'body' in load.output ? load.output.body : undefined
}

function shownQuery(query: string, parts: TraceParts = {}): string | null {
  return redact(createTrace({ ...parts, request: { ...parts.request, body: { query } } })).request.body.query
}

const KNOWN = { request: { headers: { 'x-api-key': 'k3y/with+signs?&"=ü' } } }
const KNOWN_SECRET = KNOWN.request.headers['x-api-key']

describe('headers of a trace', () => {
  it('are shown when they are listed, whatever their case', () => {
    const headers = { 'content-type': 'a/b', accept: 'c/d', 'X-Request-Id': '7', cookie: 'a=b', host: 'h' }
    const trace = createTrace({
      request: { headers },
      loads: [{ ...asked({}, { headers }), ...answered({}, headers) }],
    })
    const shown = { ...headers, cookie: '[redacted]', host: '[redacted]' }
    const redacted = redact(trace)
    expect(redacted.request.headers).toEqual(shown)
    expect(loadsOf(redacted)).toMatchObject([{ input: { headers: shown }, output: { headers: shown } }])
  })

  it('are all shown with *', () => {
    const headers = { cookie: 'session=abcdefghijkl', authorization: 'Bearer abcdefghijkl' }
    expect(redact(createTrace({ request: { headers } }), { allowedHeaders: ['*'] }).request.headers).toEqual(
      headers,
    )
  })

  it('with several lines show nothing of any of them', () => {
    const headers = { 'set-cookie': ['a=first-secret; Path=/', 'b=second-secret'] }
    const trace = createTrace({ request: { headers }, warnings: ['first-secret and second-secret, Path=/'] })
    const redacted = redact(trace)
    expect(redacted.request.headers).toEqual({ 'set-cookie': '[redacted]' })
    expect(redacted.warnings).toEqual(['[redacted] and [redacted], Path=/'])
  })

  it.each([
    ['a bearer token', 'authorization', 'Bearer abcdefgh.ijkl', 'abcdefgh.ijkl'],
    [
      'the password of basic authentication',
      'authorization',
      `Basic ${btoa('ann:hunter2hunter2')}`,
      'hunter2hunter2',
    ],
    ['a cookie among others', 'cookie', 'a=1; session="q%2Fw-er-ty"; b=2', 'q/w-er-ty'],
    ['all of a value', 'x-custom', 'one two three', 'one two three'],
  ])('make %s a secret', (_, name, value, secret) => {
    expect(shownAnswer({ note: `<${secret}>` }, { request: { headers: { [name]: value } } })).toEqual({
      note: '<[redacted]>',
    })
  })

  it('of the transport hide nothing elsewhere', () => {
    const headers = { host: 'api.example.com', connection: 'keep-alive', 'accept-encoding': 'gzip, deflate' }
    const url = 'https://api.example.com/graphql'
    const redacted = redact(createTrace({ request: { headers, url } }))
    expect(redacted.request.url).toBe(url)
    expect(Object.values(redacted.request.headers)).toEqual(['[redacted]', '[redacted]', '[redacted]'])
  })
})

describe('headers by which a client asks for something', () => {
  const ASKING = {
    'x-vendor-trace': 'exclude_nothing',
    'x-feature-flag': 'new-pricing',
    'x-apollo-operation-name': 'ShowProducts',
    cookie: 'feature_flag=other-pricing; session=abcdefghijkl',
    'x-vendor-token': 'mnopqrstuvwx',
  }

  it('are hidden where they stand unless they are listed, and hide nothing elsewhere', () => {
    const warnings = ['exclude_nothing, new-pricing, other-pricing', 'abcdefghijkl, mnopqrstuvwx']
    const body = { query: 'query ShowProducts { a }', operationName: 'ShowProducts' }
    const redacted = redact(createTrace({ request: { headers: ASKING, body }, warnings }))
    expect(new Set(Object.values(redacted.request.headers))).toEqual(new Set(['[redacted]']))
    expect(redacted.warnings).toEqual([warnings[0], '[redacted], [redacted]'])
    expect(redacted.request.body).toMatchObject(body)
  })

  it('go by the name that the operator has given them', () => {
    const headers = { 'X-Acme-Trace': 'exclude_nothing', 'x-vendor-trace': 'exclude_little' }
    const trace = createTrace({ request: { headers }, warnings: ['exclude_nothing, exclude_little'] })
    expect(redact(trace, { vendor: 'acme' }).warnings).toEqual(['exclude_nothing, [redacted]'])
  })

  it('tell no secret that something else says is one', () => {
    const headers = { ...ASKING, 'x-vendor-trace': 'mnopqrstuvwx' }
    const trace = createTrace({ request: { headers }, warnings: ['There is no "mnopqrstuvwx".'] })
    expect(redact(trace).warnings).toEqual(['There is no "[redacted]".'])
  })
})

describe('URLs of a trace', () => {
  it.each([
    ['https://ann:pw@users:4001/graphql?key=abc', 'https://[redacted]@users:4001/graphql?[redacted]'],
    ['https://users/graphql', 'https://users/graphql'],
    ['/graphql?vendor_trace=true', '/graphql?[redacted]'],
    ['/graphql?', '/graphql?'],
    ['/a?b=http://c@d/', '/a?[redacted]'],
    ['http://u@h', 'http://[redacted]@h'],
  ])('%s', (url, shown) => {
    const redacted = redact(createTrace({ request: { url }, loads: [asked({}, { url })] }))
    expect(redacted.request.url).toBe(shown)
    expect(loadsOf(redacted)).toMatchObject([{ input: { url: shown } }])
  })

  it('make their password and parameters secrets', () => {
    const loads = [
      { error: { code: 'SUBGRAPH_UNREACHABLE', message: 'hunter2hunter2, s3cr3t/key, s3cr3t%2fkey, users' } },
      asked({}, { url: 'http://users:hunter2hunter2@users/graphql?key=s3cr3t%2Fkey&b=users' }),
    ]
    expect(loadsOf(redact(createTrace({ loads })))[0]?.error?.message).toBe(
      '[redacted], [redacted], [redacted], users',
    )
  })

  it('do not make the GraphQL request in them a secret', () => {
    const query = '{ products { id } }'
    const url = `/graphql?query=${encodeURIComponent(query)}&operationName=AllProducts&acme_trace=exclude_input`
    const trace = createTrace({ request: { url, body: { query, operationName: 'AllProducts' } } })
    expect(redact(trace).request).toMatchObject({
      url: '/graphql?[redacted]',
      body: { query, operationName: 'AllProducts' },
    })
  })

  it('are redacted in the middle of other texts', () => {
    const message = 'connect http://a:b@c:1/x?y=z failed, see (https://docs.example.com/e#f?g) and ://'
    expect(shownAnswer({ message })).toEqual({
      message:
        'connect http://[redacted]@c:1/x?[redacted] failed, see (https://docs.example.com/e#f?g) and ://',
    })
  })

  it('in data make no plain word a secret', () => {
    const body = {
      url: 'https://shop/?sort=popularity&sig=abc123def456',
      sort: 'popularity',
      sig: 'abc123def456',
    }
    expect(shownAnswer(body)).toEqual({
      url: 'https://shop/?[redacted]',
      sort: 'popularity',
      sig: '[redacted]',
    })
  })

  it('make what they hold a secret also where all of the text is hidden', () => {
    const url = (secret: string) => `see https://user:${secret}-user@h/?key=${secret}-key for it`
    const trace = createTrace({
      request: {
        headers: { referer: url('h3ader') },
        body: { variables: { token: url('m3mber') } },
      },
      loads: [answered({ text: 'h3ader-user h3ader-key m3mber-user m3mber-key' })],
    })
    expect(loadsOf(redact(trace))).toMatchObject([
      { output: { body: { text: Array.from({ length: 4 }, () => '[redacted]').join(' ') } } },
    ])
  })
})

describe('members with sensitive names', () => {
  it('are hidden at any depth of variables, inputs, answers and raw input data', () => {
    const value = () => ({ id: 1, a: [[{ userPassword: 'x', tokens: ['y', 1], b: { card: { n: 1 } } }]] })
    const shown = {
      id: 1,
      a: [[{ userPassword: '[redacted]', tokens: '[redacted]', b: { card: '[redacted]' } }]],
    }
    const redacted = redact(
      createTrace({
        request: { body: { variables: value() } },
        loads: [
          {
            raw_input_data: value(),
            ...asked({ variables: { representations: [value()] } }),
            ...answered(value()),
          },
        ],
      }),
    )
    expect(redacted.request.body.variables).toEqual(shown)
    expect(loadsOf(redacted)).toMatchObject([
      {
        raw_input_data: shown,
        input: { body: { variables: { representations: [shown] } } },
        output: { body: shown },
      },
    ])
  })

  it('hide numbers, booleans and empty texts, but not null', () => {
    expect(
      shownAnswer({ ssn: 7, token: true, secret: '', card: null, apiKey: new ExactNumber('1e400') }),
    ).toEqual({
      ssn: '[redacted]',
      token: '[redacted]',
      secret: '[redacted]',
      card: null,
      apiKey: '[redacted]',
    })
  })

  it('make numbers of eight digits secrets, in texts and as numbers', () => {
    const big = '12345678901234567890'
    expect(
      shownAnswer({
        data: { ssn: 123456789, cards: [{ n: new ExactNumber(big) }] },
        errors: [{ message: `123456789 and ${big}` }, 123456789, new ExactNumber(big), 12345678],
      }),
    ).toEqual({
      data: { ssn: '[redacted]', cards: '[redacted]' },
      errors: [{ message: '[redacted] and [redacted]' }, '[redacted]', '[redacted]', 12345678],
    })
  })

  it('leave what is short alone elsewhere', () => {
    expect(shownAnswer({ token: '1234567', other: '1234567' })).toEqual({
      token: '[redacted]',
      other: '1234567',
    })
    expect(shownAnswer({ token: '👍👍👍👍', other: '👍👍👍👍' })).toEqual({
      token: '[redacted]',
      other: '👍👍👍👍',
    })
  })

  it('make no secret of blanks, with which each document is indented', () => {
    const query = '{\n                a\n}'
    const trace = createTrace({ request: { body: { query, variables: { password: ' '.repeat(12) } } } })
    expect(redact(trace).request.body).toMatchObject({ query, variables: { password: '[redacted]' } })
  })

  it('can be called toJSON and __proto__ around them', () => {
    const body: unknown = JSON.parse('{"__proto__":{"token":"a"},"toJSON":{"token":"b"},"x":1}')
    expect(JSON.stringify(shownAnswer(body))).toBe(
      '{"__proto__":{"token":"[redacted]"},"toJSON":{"token":"[redacted]"},"x":1}',
    )
  })

  it('are found in JSON inside of strings, and in JSON inside of those', () => {
    const inner = JSON.stringify({ token: 'a"b\\', ok: 1 })
    const outer = JSON.stringify({ inner, password: { x: ['y', 2] }, secret: null })
    expect(shownAnswer({ json: outer, broken: `payload={"ssn": 12, "token":"x` })).toEqual({
      json: JSON.stringify({
        inner: JSON.stringify({ token: '[redacted]', ok: 1 }),
        password: '[redacted]',
        secret: null,
      }),
      broken: 'payload={"ssn": "[redacted]", "token":"[redacted]"',
    })
    expect(shownAnswer({ json: '{"p\\u0061ssword":"x"}' })).toEqual({
      json: '{"p\\u0061ssword":"[redacted]"}',
    })
  })

  it('make values in JSON inside of strings secrets', () => {
    const json = JSON.stringify({ a: JSON.stringify({ token: { x: 'eight"chars' } }) })
    expect(shownAnswer({ json, other: 'is eight"chars' })).toMatchObject({ other: 'is [redacted]' })
  })

  it('cut off what nests too deeply, and say so', () => {
    let value: unknown = { token: 'a' }
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    const trace = createTrace({ loads: [answered(value)] })
    const shown = new TestRedaction(SETTINGS).shownText(trace)
    expect(shown).toContain('[nested too deeply]')
    expect(() => parseTrace(JSON.parse(shown))).not.toThrow()
  })
})

describe('documents in a trace', () => {
  it.each([
    [
      '{ login(password: "hunter2", name: "ann") { id } }',
      '{ login(password: "[redacted]", name: "ann") { id } }',
    ],
    ['{ a(in: {user: {pin: 1, apiKey: """x\ny"""}}) }', '{ a(in: {user: {pin: 1, apiKey: "[redacted]"}}) }'],
    [
      '{ a(card: {n: 1, e: [A, true], v: $v, z: null}) }',
      '{ a(card: {n: "[redacted]", e: ["[redacted]", "[redacted]"], v: $v, z: null}) }',
    ],
    [
      'query ($token: String = "x", $b: Int = 1) { a }',
      'query ($token: String = "[redacted]", $b: Int = 1) { a }',
    ],
    ['{ a @b(secret: -1.5e3) c(x: "y") }', '{ a @b(secret: "[redacted]") c(x: "y") }'],
    ['{ token: name(password: $p) password: card }', '{ token: name(password: $p) password: card }'],
    ['# token: "x"\n{ a(b: "token: \\"x\\"") }', '# token: "x"\n{ a(b: "token: \\"x\\"") }'],
    ['{ a(password: ["x", "y"], b: "z") }', '{ a(password: ["[redacted]", "[redacted]"], b: "z") }'],
  ])('hide literals at sensitive names: %s', (query, shown) => expect(shownQuery(query)).toBe(shown))

  it.each([
    ['{ login(password: "hunter2', '{ login(password: "[redacted]"'],
    ['{ login(password: "hunter2" }', '{ login(password: "[redacted]" }'],
    ['{ login password: "hunter2" }', '{ login password: "[redacted]" }'],
    ["{ login(password: 'hunter2') }", '{ login(password: "[redacted]") }'],
    ['{ login(password: """hunter2', '{ login(password: "[redacted]"'],
    ['}}) password: "hunter2"', '}}) password: "[redacted]"'],
    ['', ''],
  ])('hide them when the text is no document: %s', (query, shown) => expect(shownQuery(query)).toBe(shown))

  it('make literals secrets, as what they mean', () => {
    const query = '{ a(token: "eight\\u0020\\"chars\\"", secret: """\n    more\n      lines\n  """) }'
    const redacted = redact(
      createTrace({ request: { body: { query } }, warnings: ['eight "chars"', 'more\n  lines'] }),
    )
    expect(redacted.warnings).toEqual(['[redacted]', '[redacted]'])
  })

  it('make literals that are not closed secrets, as what they were to mean', () => {
    const queries = ['{ a(token: "eight \\"chars\\"\n b }', '{ a(token: """\n eight "chars"\n']
    for (const query of queries) {
      const redacted = redact(createTrace({ request: { body: { query } }, warnings: ['eight "chars"'] }))
      expect(redacted.warnings).toEqual(['[redacted]'])
    }
  })

  it('hide members with sensitive names in JSON inside of their strings', () => {
    const inner = JSON.stringify({ apiKey: 'a-key', plain: 1 })
    const query = `{ log(text: ${JSON.stringify(`it said ${inner}`)}, block: """${inner}""") }`
    const shown = shownQuery(query)
    expect(shown).not.toContain('a-key')
    expect(shown?.match(/\[redacted\]/g)).toHaveLength(2)
    expect(shown?.match(/plain/g)).toHaveLength(2)
  })

  it('make variables sensitive that are given to sensitive arguments', () => {
    const query = 'mutation ($p: String, $q: In) { login(password: $p, card: {n: [$q]}, name: $n) { id } }'
    const variables = { p: 'a', q: { x: 'b' }, n: 'c' }
    const shown = { p: '[redacted]', q: '[redacted]', n: 'c' }
    const redacted = redact(
      createTrace({ request: { body: { query, variables } }, loads: [asked({ query, variables })] }),
    )
    expect(redacted.request.body.variables).toEqual(shown)
    expect(loadsOf(redacted)).toMatchObject([{ input: { body: { query, variables: shown } } }])
  })

  it('make aliases of sensitive fields sensitive, in the answer and in raw input data', () => {
    const redacted = redact(
      createTrace({
        loads: [
          { raw_input_data: { t: 'a', name: 'b' } },
          {
            ...asked({ query: '{ me { t: token name } }' }),
            ...answered({ data: { me: { t: 'a', name: 'b' } } }),
          },
        ],
      }),
    )
    expect(loadsOf(redacted)).toMatchObject([
      { raw_input_data: { t: '[redacted]', name: 'b' } },
      { output: { body: { data: { me: { t: '[redacted]', name: 'b' } } } } },
    ])
  })
})

describe('values redacted once', () => {
  it.each([
    ['plain', KNOWN_SECRET],
    ['percent-encoded', encodeURIComponent(KNOWN_SECRET)],
    ['percent-encoded with small digits', encodeURIComponent(KNOWN_SECRET).toLowerCase()],
    ['percent-encoded as a whole', Buffer.from(KNOWN_SECRET).toString('hex').replace(/../g, '%$&')],
    ['escaped as JSON', JSON.stringify(KNOWN_SECRET).slice(1, -1)],
    ['in base64', Buffer.from(KNOWN_SECRET).toString('base64')],
    ['in base64url', Buffer.from(KNOWN_SECRET).toString('base64url')],
  ])('are hidden %s', (_, form) => {
    const shown = shownAnswer({ message: `before ${form} after`, [`key ${form}`]: 1 }, KNOWN)
    const text = JSON.stringify(shown)
    expect(text).toMatch(/^\{"message":"before \[redacted\]=* after","key \[redacted\]=*":1\}$/)
  })

  it.each([
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(KNOWN_SECRET))],
    ['in base64 of base64', btoa(Buffer.from(KNOWN_SECRET).toString('base64'))],
    ['in base64 that is broken into lines', btoa('k3y/with+signs?').replace(/.{9}/g, '$&\r\n')],
    ['with escapes that JSON does not need', KNOWN_SECRET.replace('k', String.raw`\u006b`)],
  ])('are not found %s: one encoding is looked for, in its usual form', (_, form) => {
    expect(shownAnswer({ message: form }, KNOWN)).toEqual({ message: form })
  })

  it.each([0, 1, 2, 3, 4, 5])('are hidden in base64 of a text in which they begin at byte %i', (offset) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const token = Buffer.from(`${'é~?'.repeat(2).slice(0, offset)}${KNOWN_SECRET}ü tail`).toString(encoding)
      for (const text of [token, `x${token}`, `id_${token}`, `Basic ${token}`]) {
        const shown = String(shownAnswer(text, KNOWN))
        expect(shown).toContain('[redacted]')
        expect(shown.length).toBeLessThan(40)
      }
    }
  })

  it('are hidden in every text of a trace', () => {
    const planted = `a ${KNOWN_SECRET} b`
    const trace = createTrace({
      request: {
        ...KNOWN.request,
        url: `/${encodeURIComponent(KNOWN_SECRET)}`,
        headers: { ...KNOWN.request.headers, accept: planted, 'content-type': planted },
        body: { query: `{ a # ${planted}\n}`, operationName: planted, variables: { a: planted } },
      },
      loads: [
        {
          raw_input_data: [planted],
          ...asked(
            { query: planted, variables: { [planted]: [planted] }, extra: planted },
            { url: `http://h/${planted}` },
          ),
          ...answered(planted, { accept: planted }),
          error: { code: 'SUBGRAPH_HTTP_ERROR', message: planted },
        },
      ],
      warnings: [planted],
    })
    const shown = JSON.stringify(redact(trace))
    expect(shown).not.toContain('k3y')
    expect(shown.split('[redacted]')).toHaveLength(18)
  })

  it('are hidden together where they overlap', () => {
    const body = { tokens: ['abcdefgh1', 'efgh1jklm', 'klm99999'], other: 'xabcdefgh1jklm99999y' }
    expect(shownAnswer(body)).toEqual({ tokens: '[redacted]', other: 'x[redacted]y' })
  })

  it('keep members apart whose names look the same then', () => {
    expect(shownAnswer({ tokens: ['aaaaaaaa1', 'bbbbbbbb2'], aaaaaaaa1: 1, bbbbbbbb2: 2 })).toEqual({
      tokens: '[redacted]',
      '[redacted]': 1,
      '[redacted] (2)': 2,
    })
  })

  it('leave the words of the router itself', () => {
    const trace = createTrace({
      request: {
        body: { variables: { tokens: ['Sequence', 'Parallel', 'a'.repeat(64), 'SUBGRAPH_HTTP_ERROR'] } },
      },
      loads: [{ error: { code: 'SUBGRAPH_HTTP_ERROR', message: 'x' } }],
    })
    const { fetches, composition } = redact(trace)
    expect({ fetches, composition }).toEqual({ fetches: trace.fetches, composition: trace.composition })
  })

  it('do not include the mark itself', () => {
    const once = shownAnswer({ token: 'x', note: '[redacted]' })
    expect(shownAnswer(once)).toEqual({ token: '[redacted]', note: '[redacted]' })
  })

  it('are learned of parts that are not shown', () => {
    const redaction = new TestRedaction(SETTINGS)
    redaction.learn(createTrace({ loads: [answered({ token: 'from-an-answer' })] }))
    const shown = redaction.shown(createTrace({ warnings: ['from-an-answer'] }))
    expect(shown.warnings).toEqual(['[redacted]'])
  })

  it('leave all texts out when they are too many to look for, and say so', () => {
    const tokens = Array.from({ length: 30_000 }, (_, n) => `${n}-${'x'.repeat(40)}`)
    const body = { tokens, 'what is it': 'could be anything', short: 'abc', n: 1, big: 12345678 }
    const shown = redact(createTrace({ loads: [answered(body)], request: { url: '/graphql?a=b' } }))
    expect(loadsOf(shown)[0]?.output).toMatchObject({
      body: {
        tokens: '[redacted]',
        '[left out: too many secrets]': '[left out: too many secrets]',
        short: 'abc',
        n: 1,
        big: '[redacted]',
      },
    })
    expect(shown.request).toMatchObject({ url: '[left out: too many secrets]', method: 'POST' })
    expect(shown.warnings).toEqual([expect.stringContaining('all its texts were left out')])
  })
})

describe('redaction', () => {
  it('is off with all headers allowed and no sensitive name', () => {
    const trace = createTrace({
      request: { url: 'http://a:b@c/?d=e', headers: { cookie: 'x' }, body: { variables: { password: 'x' } } },
    })
    expect(redact(trace, { allowedHeaders: ['*'], sensitiveNames: [] })).toEqual(trace)
  })

  it.each([{ allowedHeaders: ['*'] }, { sensitiveNames: [] }])(
    'hides what is in URLs with only %o',
    (settings) => {
      expect(redact(createTrace({ request: { url: 'http://a:b@c/?d=e' } }), settings).request.url).toBe(
        'http://[redacted]@c/?[redacted]',
      )
    },
  )

  it('keeps numbers, blanks and the order of members as they came', () => {
    const text = '{ "b" : 1.50,\n"1": 12345678901234567890, "token": "x", "a": 1e2 }'
    const trace = createTrace({ loads: [answered(RecordedJson.ofText(text))] })
    expect(new TestRedaction(SETTINGS).shownText(trace)).toContain(text.replace('"x"', '"[redacted]"'))
  })
})

describe('labels of deferred fragments', () => {
  const shownLabel = (label: string, sensitive: readonly string[] = SETTINGS.sensitiveNames) => {
    const trace = redact(createTrace({ ...KNOWN, loads: [answered({})], label }), {
      sensitiveNames: sensitive,
    })
    return fetchesOf(trace).map((fetch) => fetch.defer_label)
  }

  it('are shown', () => {
    expect(shownLabel('reviews of the week')).toEqual(['reviews of the week'])
  })

  it('are shown without the secrets of the request, and without passwords in URLs', () => {
    expect(shownLabel(`for ${KNOWN_SECRET}`)).toEqual(['for [redacted]'])
    expect(shownLabel('http://me:hush@host/')).toEqual(['http://[redacted]@host/'])
  })

  it('are hidden where "label" is a sensitive name', () => {
    expect(shownLabel('short', ['label'])).toEqual(['[redacted]'])
  })
})
