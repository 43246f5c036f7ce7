/** Requests with files that take longer than others may, and what else of the router they meet. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Reply, send, until } from '../../support/router.ts'
import { http2SessionOn } from '../../support/streams.ts'
import { FORM_TYPE, formOf, GUARD, STORE } from './support/forms.ts'
import { type FileWorld, startFileWorld } from './support/file-world.ts'

/** The limit for other requests. Much shorter ones could hit those that are only slow with other tests. */
const LIMIT = 1000
const stack = new AsyncDisposableStack()
let world: FileWorld
beforeAll(async () => {
  const settings = [
    `traffic: { request_timeout: ${LIMIT}ms, headers_timeout: ${LIMIT}ms }`,
    'headers: { request: [{ propagate_matching: "*" }] }',
    `subgraphs: { timeout: ${LIMIT}ms, first_byte_timeout: ${LIMIT - 100}ms, overrides: { files: { max_calls: 1 } } }`,
    'engine: { enable_defer: true }',
  ]
  world = stack.use(await startFileWorld({ settings: `${settings.join('\n')}\n`, limits: 'timeout: 1m' }))
})
afterAll(() => stack.disposeAsync())

const BODY = formOf(
  { query: STORE, variables: { file: null } },
  { 0: ['variables.file'] },
  { 0: { content: 'x'.repeat(50_000) } },
)
const HEADERS = { ...FORM_TYPE, ...GUARD }
const STORED = { store: { name: '0.txt', type: 'text/plain', size: 50_000 } }

const codeOf = ({ json }: Reply) => json.errors?.[0]?.extensions['code']

function begin(
  headers: Readonly<Record<string, string>>,
  first: Buffer | string,
  url = world.router.graphqlUrl,
) {
  const outgoing = httpRequest(url, {
    // A connection that was used before is closed without an answer.
    agent: false,
    method: 'POST',
    headers: { ...headers },
  })
  outgoing.on('error', () => {})
  const reply = once(outgoing, 'response').then(async ([response]) => {
    let text = ''
    for await (const chunk of response) text += String(chunk)
    return { status: response.statusCode, text, json: text.startsWith('{') ? JSON.parse(text) : {} } as Reply
  })
  reply.catch(() => {})
  outgoing.write(first)
  return { outgoing, reply }
}

describe('a request with files', () => {
  it('may take longer than others over HTTP/1.1, and so may the call of its subgraph', async () => {
    const { outgoing, reply } = begin(HEADERS, BODY.subarray(0, 30_000))
    await delay(2.5 * LIMIT)
    outgoing.end(BODY.subarray(30_000))
    expect((await reply).json.data).toMatchObject(STORED)
    const slow = begin({ 'content-type': 'application/json' }, '{"query":')
    expect(await slow.reply).toMatchObject({ status: 408 })
  })

  it('may take longer than others over HTTP/2', async () => {
    using session = await http2SessionOn(world.router)
    const ask = (headers: Readonly<Record<string, string>>) =>
      session.request({ ':method': 'POST', ':path': '/graphql', ...headers })
    const stream = ask(HEADERS)
    stream.write(BODY.subarray(0, 30_000))
    const slow = ask({ 'content-type': 'application/json' }).on('error', () => {})
    const refused = once(slow, 'response')
    slow.write('{"query":')
    await delay(2.5 * LIMIT)
    stream.end(BODY.subarray(30_000))
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    expect(JSON.parse(text).data).toMatchObject(STORED)
    const [headers] = await refused
    expect(headers[':status']).toBe(408)
  })

  it('has the time limits for answers of subgraphs once it is sent', async () => {
    const { take } = world
    world.take = async (content, name) => {
      await take(content, name)
      return new Promise(() => {})
    }
    const reply = await send(world.router.graphqlUrl, { method: 'POST', headers: HEADERS, body: BODY })
    expect(codeOf(reply)).toBe('SUBGRAPH_TIMEOUT')
    world.take = take
  })

  it('waits for a slot of its subgraph without being read', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { take } = world
    world.take = async (content, name) => {
      await promise
      return take(content, name)
    }
    world.files.length = 0
    const first = send(world.router.graphqlUrl, { method: 'POST', headers: HEADERS, body: BODY })
    await until(() => world.files.length === 1, 'the first one is called')
    const second = send(world.router.graphqlUrl, { method: 'POST', headers: HEADERS, body: BODY })
    await delay(100)
    expect(world.files.length).toBe(1)
    resolve()
    expect((await first).json.data).toMatchObject(STORED)
    expect((await second).json.data).toMatchObject(STORED)
    world.take = take
  })

  it('has header fields of its own at the subgraph, whatever rules propagate', async () => {
    world.files.length = 0
    await send(world.router.graphqlUrl, {
      method: 'POST',
      headers: { ...HEADERS, 'x-of-client': 'yes' },
      body: BODY,
    })
    const [call] = world.files
    expect(call?.request.headers['x-of-client']).toBe('yes')
    expect(call?.request.headers['content-type']).toContain('----switchyard-')
    const names = call?.request.rawHeaders
      .filter((_, index) => index % 2 === 0)
      .map((name) => name.toLowerCase())
    for (const name of ['content-type', 'apollo-require-preflight', 'transfer-encoding'])
      expect(names?.filter((one) => one === name).length).toBe(1)
  })

  it('may have a deferred fragment', async () => {
    const query = `mutation ($file: Upload) { store(file: $file) { size ... @defer { note { text } } } }`
    const body = formOf(
      { query, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: 'abc' } },
    )
    const headers = { ...HEADERS, accept: 'multipart/mixed;incrementalSpec=v0.2' }
    const { text } = await send(world.router.graphqlUrl, { method: 'POST', headers, body })
    expect(text).toContain('"size":3')
    expect(text).toContain('"text":"a text"')
  })

  it('gives way where too much is held, also before its fields are read', async () => {
    await using small = await startFileWorld({
      settings: 'traffic: { max_unanswered_size: 300KiB, max_unanswered_size_per_client: 300KiB }\n',
    })
    const url = small.router.graphqlUrl
    const started = [1, 2].map(() => begin(HEADERS, BODY.subarray(0, 60), url))
    const refused = await Promise.race(started.map(({ reply }) => reply))
    expect(refused.status).toBe(503)
    for (const { outgoing } of started) outgoing.destroy()
    const { json } = await send(url, { method: 'POST', headers: HEADERS, body: BODY })
    expect(json.data).toMatchObject(STORED)
  })

  it('is forgotten where its client leaves before its files are wanted', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    world.noted = () => promise
    world.files.length = 0
    const query = 'mutation ($file: Upload) { note(text: "n") store(file: $file) { size } }'
    const body = formOf(
      { query, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: 'x'.repeat(50_000) } },
    )
    const { outgoing } = begin(HEADERS, body)
    await until(() => world.notes.length > 0, 'the first field is called')
    outgoing.destroy()
    await until(() => world.router.activeRequests() === 0, 'nothing is in progress')
    resolve()
    await delay(50)
    expect(world.files).toEqual([])
  })
})
