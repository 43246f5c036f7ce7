/** How the page asks a router, with a server that answers what a test tells it to. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { PlaygroundAnswer, ShownResponse } from '../src/page/answer.ts'
import { type Choices, FIRST_CHOICES } from '../src/page/choices.ts'
import { requestHeaders, INTROSPECTION, type OperationToSend, send } from '../src/page/send.ts'
import { Store } from '../src/page/store.ts'
import type { PlaygroundState } from '../src/state.ts'

const TRACING = {
  header: 'X-VENDOR-Trace',
  tokenHeader: 'X-VENDOR-Token',
  standInHeader: 'X-VENDOR-Trace-As',
  needsToken: true,
}
const STATE: PlaygroundState = {
  waitingFor: null,
  graphqlPath: '/graphql',
  flags: [],
  flagHeader: 'X-Feature-Flag',
  tracing: TRACING,
}
const NOTHING: Choices = FIRST_CHOICES
const QUERY: OperationToSend = { query: '{ a }' }

type Served = AsyncDisposable & { readonly state: PlaygroundState; readonly received: IncomingMessage[] }

async function serve(listener: RequestListener): Promise<Served> {
  const received: IncomingMessage[] = []
  const server = createServer((request, response) => {
    received.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    state: { ...STATE, graphqlPath: `http://127.0.0.1:${port}/graphql` },
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const part = (body: unknown) =>
  `\r\n--graphql\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(body)}`
const MULTIPART = { 'content-type': 'multipart/mixed; boundary="graphql"; incrementalSpec=v0.2' }

function ask(state: PlaygroundState, operation: OperationToSend = QUERY, choices: Choices = NOTHING) {
  const answer = new Store<PlaygroundAnswer | null>(null)
  const missed: unknown[] = []
  const noAnswer = () => void missed.push(state)
  const subscribed = () => {}
  return {
    answer,
    missed,
    responses: send(operation, {}, { state, choices: new Store(choices), answer, noAnswer, subscribed }),
  }
}

async function all(responses: AsyncIterable<ShownResponse>): Promise<readonly ShownResponse[]> {
  const shown: ShownResponse[] = []
  // What is shown goes on changing with the parts that come later.
  for await (const one of responses) shown.push(structuredClone(one))
  return shown
}

describe('asking for an answer', () => {
  it('sends the operation, and shows the answer with who gave it', async () => {
    const bodies: unknown[] = []
    await using served = await serve((request, response) => {
      void json(request).then((body) => {
        bodies.push(body)
        response.writeHead(200, { 'x-feature-flag': 'sale', 'content-type': 'application/json' })
        response.end('{"data":{"a":1},"extensions":{"cost":2}}')
      })
    })
    const operation = { query: 'query A { a }', variables: { x: 1 }, operationName: 'A' }
    const { answer, responses } = ask(served.state, operation, {
      ...FIRST_CHOICES,
      flag: 'sale',
      trace: true,
      token: 't',
    })
    expect(await all(responses)).toEqual([{ data: { a: 1 }, extensions: { cost: 2 } }])
    expect(bodies).toEqual([operation])
    expect(served.received[0]?.headers).toMatchObject({
      'x-feature-flag': 'sale',
      'x-vendor-trace': 'true',
      'x-vendor-token': 't',
    })
    expect(answer.value).toMatchObject({ status: 200, flag: 'sale', hasNext: false, trace: null })
    expect(answer.value?.parts).toHaveLength(1)
  })

  it('shows each part as it comes, put together with those before it', async () => {
    const second = Promise.withResolvers<void>()
    await using served = await serve((_, response) => {
      response.writeHead(200, MULTIPART)
      const first = { data: { a: { b: 1 } }, pending: [{ id: '0', path: ['a'] }], hasNext: true }
      response.write(part(first) + '\r\n--graphql')
      void second.promise.then(() => {
        const last = {
          incremental: [{ id: '0', data: { c: 2 }, errors: [{ message: 'late' }] }],
          completed: [{ id: '0' }],
          extensions: { trace: { version: '1' }, cost: 3 },
          hasNext: false,
        }
        response.end(part(last).slice('\r\n--graphql'.length) + '\r\n--graphql--')
      })
    })
    const { answer, responses } = ask(served.state)
    const first = await responses.next()
    expect(structuredClone(first.value)).toEqual({ data: { a: { b: 1 } } })
    expect(answer.value).toMatchObject({ hasNext: true, trace: null })
    second.resolve()
    // The trace has a page of its own.
    expect(await all(responses)).toEqual([
      { errors: [{ message: 'late' }], data: { a: { b: 1, c: 2 } }, extensions: { cost: 3 } },
    ])
    expect(answer.value).toMatchObject({ hasNext: false, trace: { version: '1' } })
    expect(answer.value?.parts).toHaveLength(2)
  })

  it('ends the request when nobody waits for the rest', async () => {
    const gone = Promise.withResolvers<void>()
    await using served = await serve((_, response) => {
      response.on('close', () => gone.resolve())
      response.writeHead(200, MULTIPART)
      response.write(part({ data: {}, pending: [{ id: '0', path: [] }], hasNext: true }) + '\r\n--graphql')
    })
    const { answer, missed, responses } = ask(served.state)
    await responses.next()
    const waiting = responses.next()
    void responses.return?.()
    await expect(waiting).rejects.toThrow('The request was stopped.')
    await gone.promise
    expect(missed).toEqual([])
    expect(answer.value).toMatchObject({ hasNext: false, failure: 'The request was stopped.' })
  })

  it('neither asks for a trace of introspection nor shows its answer as the last one', async () => {
    await using served = await serve((_, response) => response.end('{"data":{}}'))
    const { answer, responses } = ask(
      served.state,
      { query: 'query IntrospectionQuery { a }', operationName: INTROSPECTION },
      { ...FIRST_CHOICES, flag: 'sale', trace: true, token: 't' },
    )
    await all(responses)
    const [request] = served.received
    expect(request?.headers['x-feature-flag']).toBe('sale')
    expect(request?.headers['x-vendor-trace']).toBeUndefined()
    expect(answer.value).toBeNull()
  })

  it.each([
    ['HTML', '<h1>502 Bad Gateway</h1>', 'The answer is not one of GraphQL: status 502, text/html, "<h1>502'],
    ['JSON that is no object', '[]', 'The answer is not one of GraphQL: status 502, text/html, "[]"'],
  ])('says what came instead: %s', async (_, body, message) => {
    await using served = await serve((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end(body)
    })
    await expect(all(ask(served.state).responses)).rejects.toThrow(message)
  })

  it('says that nobody answered', async () => {
    const served = await serve((_, response) => response.end())
    await served[Symbol.asyncDispose]()
    const { answer, missed, responses } = ask(served.state)
    const error: unknown = await all(responses).catch((thrown: unknown) => thrown)
    const message = expect.stringContaining('the router cannot be reached')
    expect(error).toMatchObject({ message, stack: undefined })
    expect(answer.value).toMatchObject({ status: null, failure: message })
    expect(missed).toHaveLength(1)
  })

  it.each([
    ['cuts the connection', (response: ServerResponse) => response.destroy()],
    ['ends the answer', (response: ServerResponse) => response.end()],
  ])('says that parts are missing where the router %s before the last one', async (_, stop) => {
    const received = Promise.withResolvers<void>()
    await using served = await serve((_request, response) => {
      response.writeHead(200, MULTIPART)
      response.write(
        part({ data: { a: 1 }, pending: [{ id: '0', path: [] }], hasNext: true }) + '\r\n--graphql',
      )
      void received.promise.then(() => stop(response))
    })
    const { answer, missed, responses } = ask(served.state)
    await responses.next()
    received.resolve()
    await expect(all(responses)).rejects.toThrow('The answer broke off before its last part')
    expect(answer.value).toMatchObject({
      status: 200,
      hasNext: false,
      failure: expect.stringContaining('broke off'),
    })
    expect(answer.value?.parts).toHaveLength(1)
    expect(missed).toHaveLength(1)
  })

  it('forgets the answer before as soon as it asks again', async () => {
    await using served = await serve(() => {})
    const { answer, responses } = ask(served.state)
    answer.set({
      status: 200,
      flag: null,
      parts: [],
      merged: null,
      events: null,
      hasNext: false,
      failure: null,
      trace: null,
      isStandInIgnored: false,
    })
    const waiting = responses.next()
    expect(answer.value).toBeNull()
    void responses.return?.()
    await expect(waiting).rejects.toThrow()
  })
})

describe('headers', () => {
  it('are those that were written, before those of the controls', () => {
    const headers = requestHeaders(
      { 'x-feature-flag': 'mine', Authorization: 'Bearer x', 'X-Number': 3 },
      STATE,
      { ...FIRST_CHOICES, flag: 'chosen', token: 'unused' },
      false,
    )
    expect(headers.get('x-feature-flag')).toBe('mine')
    expect(headers.get('authorization')).toBe('Bearer x')
    expect(headers.get('x-number')).toBe('3')
    expect(headers.get('x-vendor-token')).toBeNull()
  })

  it.each([['a b'], [''], ['ü']])('cannot have the name %j', (name) => {
    expect(() => requestHeaders({ [name]: 'x' }, STATE, NOTHING, false)).toThrow(JSON.stringify(name))
  })

  const asAnn = {
    ...FIRST_CHOICES,
    trace: true,
    standIn: { claims: '{"sub": "ann"}', headers: '', cookies: '' },
  }
  const standInOf = (...given: Parameters<typeof requestHeaders>) =>
    requestHeaders(...given).get('x-vendor-trace-as')

  it('bring another user with a trace token, or where nobody needs one', () => {
    const encoded = btoa('{"claims":{"sub":"ann"}}')
    expect(standInOf({}, STATE, { ...asAnn, token: 't' }, false)).toBe(encoded)
    const free = { ...STATE, tracing: { ...TRACING, needsToken: false } }
    expect(standInOf({}, free, asAnn, false)).toBe(encoded)
    expect(standInOf({}, STATE, asAnn, false)).toBeNull()
    expect(standInOf({}, STATE, { ...asAnn, token: 't', trace: false }, false)).toBeNull()
    expect(standInOf({}, STATE, { ...asAnn, token: 't' }, true)).toBeNull()
    expect(standInOf({}, STATE, { ...FIRST_CHOICES, trace: true, token: 't' }, false)).toBeNull()
  })

  it('are not sent while another user cannot be read', () => {
    const wrong = { ...asAnn, token: 't', standIn: { ...asAnn.standIn, cookies: 'no cookie' } }
    expect(() => requestHeaders({}, STATE, wrong, false)).toThrow(
      'Nothing was sent, since the cookies of the other user cannot be read. Line 1: expected name=value.',
    )
  })

  it('do not ask for a trace that the router does not give', () => {
    const headers = requestHeaders(
      {},
      { ...STATE, tracing: null },
      { ...FIRST_CHOICES, trace: true, token: 't' },
      false,
    )
    expect([...headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
  })
})
