import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_SDL_BYTES, Problem } from '@switchyard/contracts'
import { PIECES } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import {
  BOOTSTRAP_KEY,
  type Client,
  openStorage,
  problemOf,
  ROUTING_URL,
  type Storage,
  startClient,
} from './harness.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const GRAPHS = '/v1/graphs/default?wait=0'
const SCHEMA = '/v1/subgraphs/default/orders/schema?wait=0'

let storage: Storage
let client: Client
beforeAll(async () => {
  storage = await openStorage()
  client = await startClient(storage)
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})

/** Whatever was asked, the registry is up and nothing was written. */
async function expectUntouched(): Promise<void> {
  expect((await client.get('/health/ready')).status).toBe(200)
  expect(await storage.log.last({ kind: 'log', log: 'registry' })).toBeNull()
}

describe('bad requests', () => {
  it.each<[string, string, string, string, number, string]>([
    ['malformed JSON', 'POST', GRAPHS, '{"name": ', 400, 'INVALID_REQUEST'],
    ['half a megabyte of braces', 'POST', GRAPHS, '{'.repeat(512 * 1024), 400, 'INVALID_REQUEST'],
    ['a megabyte of braces', 'POST', GRAPHS, '{'.repeat(1024 * 1024), 400, 'INVALID_REQUEST'],
    ['a megabyte of brackets', 'POST', GRAPHS, '['.repeat(1024 * 1024), 400, 'INVALID_REQUEST'],
    [
      'three megabytes',
      'POST',
      GRAPHS,
      JSON.stringify({ name: 'a'.repeat(3 << 20) }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['an empty body', 'POST', GRAPHS, '', 400, 'INVALID_REQUEST'],
    ['null', 'POST', GRAPHS, 'null', 400, 'INVALID_REQUEST'],
    ['a list', 'POST', GRAPHS, '[]', 400, 'INVALID_REQUEST'],
    ['a missing member', 'POST', GRAPHS, '{}', 400, 'INVALID_REQUEST'],
    ['an unknown member', 'POST', GRAPHS, '{"name":"a","nmae":"b"}', 400, 'INVALID_REQUEST'],
    ['a member called __proto__', 'POST', GRAPHS, '{"name":"a","__proto__":{}}', 400, 'INVALID_REQUEST'],
    ['a name with a space', 'POST', GRAPHS, '{"name":"a b"}', 400, 'INVALID_REQUEST'],
    ['a name that is too long', 'POST', GRAPHS, `{"name":"${'a'.repeat(101)}"}`, 400, 'INVALID_REQUEST'],
    ['a malformed matcher', 'POST', GRAPHS, '{"name":"a","labelMatchers":["team"]}', 400, 'INVALID_REQUEST'],
    ['an upper-case namespace', 'POST', '/v1/namespaces', '{"name":"Team"}', 400, 'INVALID_REQUEST'],
    ['the name of the system log', 'POST', '/v1/namespaces', '{"name":"_system"}', 400, 'INVALID_REQUEST'],
    ['a malformed namespace in the path', 'POST', '/v1/graphs/a%20b', '{"name":"a"}', 400, 'INVALID_REQUEST'],
    ['a broken percent code', 'POST', '/v1/graphs/%zz', '{"name":"a"}', 400, 'INVALID_REQUEST'],
    [
      'an endless name in the path',
      'PUT',
      `/v1/subgraphs/default/${'a'.repeat(5000)}/schema`,
      '{"sdl":"x"}',
      404,
      'NOT_FOUND',
    ],
    [
      'a wait that is no number',
      'POST',
      '/v1/graphs/default?wait=soon',
      '{"name":"a"}',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a routing URL with a password',
      'POST',
      '/v1/subgraphs/default',
      '{"name":"a","routingUrl":"http://u:p@h/"}',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a malformed label',
      'POST',
      '/v1/subgraphs/default',
      '{"name":"a","routingUrl":"http://h/","labels":["team"]}',
      400,
      'INVALID_REQUEST',
    ],
    [
      'empty SDL',
      'PUT',
      SCHEMA,
      JSON.stringify({ sdl: ' \n', routingUrl: ROUTING_URL }),
      422,
      'SCHEMA_INVALID',
    ],
    [
      'an operation as SDL',
      'PUT',
      SCHEMA,
      JSON.stringify({ sdl: 'type A { a: Int }\n{ a }' }),
      422,
      'SCHEMA_INVALID',
    ],
    ['a publish to nobody', 'PUT', SCHEMA, JSON.stringify({ sdl: 'type A { a: Int }' }), 404, 'NOT_FOUND'],
    ['an unknown path', 'POST', '/v1/graphz/default', '{}', 404, 'NOT_FOUND'],
    ['a flag that does not exist', 'POST', '/v1/feature-flags/default/x/enable', '{}', 404, 'NOT_FOUND'],
  ])('answer %s with a problem', async (_, method, path, body, status, code) => {
    const reply = await client.request(method, path, { body, headers: JSON_TYPE })
    expect([reply.status, problemOf(reply).code]).toEqual([status, code])
    expect(problemOf(reply).detail.length).toBeLessThan(2000)
    await expectUntouched()
  })

  it('name the member that is wrong and the rule that it breaks', async () => {
    const reply = await client.post(GRAPHS, { name: 'a b', more: 1 })
    const { problems = [] } = problemOf(reply)
    expect(problems).toHaveLength(2)
    expect(problems[0]).toMatch(/^body\.name: a name is 1 to 100 characters/)
    expect(problems[1]).toContain('more')
  })

  it('say where SDL is wrong', async () => {
    const reply = await client.put(SCHEMA, { sdl: 'type Query {\n  hello: \n}', routingUrl: ROUTING_URL })
    expect(reply.status).toBe(422)
    const { code, detail, locations } = problemOf(reply)
    expect([code, locations?.[0]?.line, locations?.[0]?.column]).toEqual(['SCHEMA_INVALID', 3, 1])
    expect(detail).toContain('orders:3:1:')
    await expectUntouched()
  })

  it.each([
    ['one byte over 8 MiB', MAX_SDL_BYTES + 1],
    ['9 MB', 9_000_000],
    ['more than the registry reads at all', 4 * MAX_SDL_BYTES],
  ])('refuse SDL of %s', async (_, size) => {
    const sdl = 'type Query { hello: String }'.padEnd(size, ' ')
    const reply = await client.put(SCHEMA, { sdl, routingUrl: ROUTING_URL })
    expect([reply.status, problemOf(reply).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    await expectUntouched()
  })

  it('refuse a body in another coding, and bytes that are not UTF-8, instead of guessing', async () => {
    const send = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
      const authorization = 'Bearer bootstrap-key-of-the-tests'
      const reply = await fetch(`${client.registry.url}${SCHEMA}`, {
        method: 'PUT',
        body,
        headers: { authorization, ...JSON_TYPE, ...headers },
      })
      return [reply.status, Problem.parse(await reply.json()).code]
    }
    const text = JSON.stringify({ sdl: 'type Query { a: Int } # \xe9', routingUrl: ROUTING_URL })
    const gzip = { 'content-encoding': 'gzip' }
    expect(await send(new TextEncoder().encode(text), gzip)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(await send(new Uint8Array(Buffer.from(text, 'latin1')), {})).toEqual([400, 'INVALID_REQUEST'])
    await expectUntouched()
  })

  it.each([
    ['{"name":"a","name":"b"}', /"name" twice/],
    ['{"name":"a", "n\\u0061me" : "b"}', /"name" twice/],
    ['{"name":"a","more":[{"x":1},{"x":1,"y":"\\"","x":2}]}', /"x" twice/],
    ['{"name":"a","__proto__":{"x":1}}', /a member called "__proto__"/],
    ['{"name":"a","more":{"\\u005f_proto__":1}}', /a member called "__proto__"/],
    ['{"name": ', /not valid JSON/],
    ['', /empty/],
    // Told by the contract, which knows no such member: not ambiguous, only wrong.
    ['{"name":"a","x":["name","name"],"y":"name: \\\\"}', /unrecognized keys.*"x", "y"/i],
    ['{"name":"a","constructor":{"prototype":1}}', /unrecognized key.*"constructor"/i],
  ])('say what is wrong with the body %s', async (body, expected) => {
    const reply = await client.request('POST', GRAPHS, { body, headers: JSON_TYPE })
    const { status, code, detail } = problemOf(reply)
    expect([status, code]).toEqual([400, 'INVALID_REQUEST'])
    expect(detail).toMatch(expected)
    await expectUntouched()
  })

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/graphql',
    'application/json; charset=utf-16',
    'application/json;charset="ISO-8859-1"',
  ])('refuse a write with the content type %s', async (type) => {
    const body = new TextEncoder().encode('{"name":"a"}')
    const response = await fetch(`${client.registry.url}${GRAPHS}`, {
      method: 'POST',
      body,
      headers: {
        authorization: 'Bearer bootstrap-key-of-the-tests',
        ...(type === undefined ? {} : { 'content-type': type }),
      },
    })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'take the content type %s',
    async (type) => {
      const headers = { 'content-type': type }
      const reply = await client.request('POST', GRAPHS, { body: '{"name":"a b"}', headers })
      expect(problemOf(reply).detail).toContain('body.name')
    },
  )

  it.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'a method that HTTP does not know',
      'FETCH /v1/graphs/default HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['no Host', 'GET /v1/graphs/default HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'headers over 16 KiB',
      `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a path over 16 KiB',
      `GET /v1/graphs/${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an unknown expectation',
      'GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
  ])('answer %s with a problem and end the connection', async (_, request, status, code) => {
    const { hostname, port } = new URL(client.registry.url)
    const socket = connect(Number(port), hostname)
    socket.write(request)
    const answer = await textOf(socket)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`))
    expect(head).toMatch(/content-type: application\/problem\+json/i)
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ status, code })
    await expectUntouched()
  })

  it('tell a wrong method from a wrong path, and name the right one', async () => {
    const reply = await client.request('DELETE', '/v1/graphs/default')
    expect([reply.status, problemOf(reply).code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST')
    expect((await client.get('/v1/feature-flags/default/x/enable')).status).toBe(405)
    expect((await client.get('/favicon.ico')).status).toBe(404)
  })

  it.each([
    ['no key', {}],
    ['another key', { authorization: 'Bearer swy_x_0123' }],
    ['the key in another form', { authorization: 'Basic bootstrap-key-of-the-tests' }],
    ['part of the key', { authorization: 'Bearer bootstrap-key' }],
  ])('are refused with %s, before the body is looked at', async (_, headers) => {
    const response = await fetch(`${client.registry.url}${GRAPHS}`, {
      method: 'POST',
      body: '{{{',
      headers: { ...JSON_TYPE, ...headers },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it.each(['', 'with space', 'é', 'x'.repeat(201)])('refuse the idempotency key "%s"', async (key) => {
    const headers = { ...JSON_TYPE, 'idempotency-key': key }
    const reply = await client.request('POST', GRAPHS, { body: '{"name":"a"}', headers })
    expect([reply.status, problemOf(reply).code]).toEqual([400, 'INVALID_REQUEST'])
    await expectUntouched()
  })
})

describe('the description of the API', () => {
  it('is OpenAPI with every path, open to everybody', async () => {
    const response = await fetch(`${client.registry.url}/v1/openapi.json`)
    expect(response.status).toBe(200)
    const document: unknown = await response.json()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/namespaces': { get: {}, post: {} },
        '/v1/graphs/{namespace}': { get: {}, post: {} },
        '/v1/subgraphs/{namespace}/{name}/schema': { put: {} },
        '/v1/feature-flags/{namespace}/{name}/enable': { post: {} },
        '/v1/routers': { get: {} },
      },
    })
    expect(document).toMatchObject({
      paths: {
        '/v1/graphs/{namespace}': {
          post: {
            summary: 'Create a federated graph',
            requestBody: { content: { 'application/json': { schema: { required: ['name'] } } } },
            responses: { default: { content: { 'application/problem+json': {} } } },
          },
        },
      },
    })
    expect(JSON.stringify(document)).not.toContain('/health')
  })
})

describe('a body in chunks of one byte', () => {
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${BOOTSTRAP_KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunked = (text: string) => text.replaceAll(/./gs, '1\r\n$&\r\n')

  it('is read', async () => {
    const socket = connect(Number(new URL(client.registry.url).port), '127.0.0.1')
    socket.write(`${head('/v1/namespaces')}${chunked(`${' '.repeat(5000)}{"name":"_system"}`)}0\r\n\r\n`)
    expect(await textOf(socket)).toContain('INVALID_REQUEST')
    await expectUntouched()
  })

  it('is refused if there are more chunks than a program sends by accident', async () => {
    const socket = connect(Number(new URL(client.registry.url).port), '127.0.0.1')
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    socket.write(`${head('/v1/namespaces')}${chunked(' '.repeat(PIECES.any + 1000))}`)
    await waitFor('the end of the connection', () => socket.destroyed || socket.readableEnded)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain(`The body came in more than ${PIECES.any} pieces`)
    await expectUntouched()
  })
})
