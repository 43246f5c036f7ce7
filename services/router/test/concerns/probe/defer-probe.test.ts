import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { fileURLToPath } from 'node:url'
import {
  PROBE_HEADER,
  PROBE_LIMITS,
  PROBE_OPERATION,
  PROBE_QUERY,
  ProbePart,
  type ProbeRequest,
  ProbeStartData,
  writeProbeHeader,
} from '@switchyard/contracts'
import { mergeParts, protocolComplaints } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { STREAM_HEADERS } from '../../../src/incremental/multipart-stream.ts'
import { PartReader, readParts } from '../../support/parts.ts'
import { post, start, type TestRouter, until } from '../../support/router.ts'

const SUPERGRAPH = fileURLToPath(new URL('../../fixtures/supergraph-base.graphql', import.meta.url))
const TOKEN = 'a-long-enough-token'
const BODY = { query: PROBE_QUERY, operationName: PROBE_OPERATION }
const SHORT: ProbeRequest = { parts: 4, spacing: 1, padding: 0, token: null }
const LONG: ProbeRequest = { ...SHORT, parts: 2, spacing: PROBE_LIMITS.duration }

const probe = (request: Partial<ProbeRequest> = {}) => ({
  [PROBE_HEADER]: writeProbeHeader({ ...SHORT, ...request }),
})

const stack = new AsyncDisposableStack()
let router: TestRouter
let guarded: TestRouter

async function routerWith(settings: string): Promise<TestRouter> {
  return stack.use(await start({ kind: 'supergraph', path: SUPERGRAPH }, { settings }))
}
beforeAll(async () => {
  router = await routerWith('{ dev_mode: true, engine: { enable_defer: true } }')
  guarded = await routerWith(`engine: { defer_probe_token: "${TOKEN}" }`)
})
afterAll(() => stack.disposeAsync())

function partsOf(text: string): Record<string, unknown>[] {
  return readParts([Buffer.from(text)]).map(({ text: json }) =>
    z.record(z.string(), z.unknown()).parse(JSON.parse(json)),
  )
}

/** A probe whose first part was read. */
async function open(
  target: TestRouter,
  request: ProbeRequest,
): Promise<{ response: IncomingMessage; first: string; leave: () => void }> {
  const outgoing = httpRequest(target.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...probe(request) },
  })
  outgoing.on('error', () => {})
  outgoing.end(JSON.stringify(BODY))
  const [response] = await once(outgoing, 'response')
  const [chunk] = await once(response, 'data')
  return { response, first: String(chunk), leave: () => outgoing.destroy() }
}

describe('the probe of deferred answers', () => {
  it('is answered in parts that say when they were written, with the headers of deferred answers', async () => {
    const reply = await post(router, BODY, probe())
    expect(reply.status).toBe(200)
    const headers = Object.fromEntries(
      Object.entries(STREAM_HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
    )
    expect(reply.headers).toMatchObject(headers)
    const parts = partsOf(reply.text)
    expect(protocolComplaints(parts)).toEqual([])
    const { data } = mergeParts(parts)
    const { probe: first, ...later } = z.looseObject(ProbeStartData.shape).parse(data)
    const written = [first, ...Object.values(later).map((part) => ProbePart.parse(part))]
    expect(written.map(({ part }) => part)).toEqual([1, 2, 3, 4])
    const times = written.map(({ sentAt }) => sentAt)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBe(0)
    expect(first).toMatchObject({
      enableDefer: true,
      received: { httpVersion: '1.1', accept: null, hopHeaders: [] },
    })
  })

  it('fills each part as asked with what cannot be compressed away', async () => {
    const text = (await post(router, BODY, probe({ padding: 5000, parts: 2 }))).text
    const { probe: first } = ProbeStartData.parse(partsOf(text)[0]?.['data'])
    expect(first.padding).toHaveLength(5000)
    expect(new Set(first.padding).size).toBeGreaterThan(50)
  })

  it('can be a single part', async () => {
    const parts = partsOf((await post(router, BODY, probe({ parts: 1 }))).text)
    expect(parts).toEqual([{ data: expect.anything(), hasNext: false }])
  })

  it('tells what arrived of the request, and which proxies left a trace in it', async () => {
    const sent = { accept: 'multipart/mixed', 'accept-encoding': 'br', via: '1.1 edge', 'cf-ray': '1' }
    const reply = await post(router, BODY, { ...probe(), ...sent })
    expect(ProbeStartData.parse(partsOf(reply.text)[0]?.['data']).probe.received).toEqual({
      httpVersion: '1.1',
      accept: 'multipart/mixed',
      acceptEncoding: 'br',
      via: '1.1 edge',
      hopHeaders: ['cf-ray'],
    })
  })

  it('is answered over HTTP/2, too', async () => {
    const session = connectHttp2(router.url)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
      ...probe(),
    })
    stream.end(JSON.stringify(BODY))
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(Buffer.from(chunk))
    session.close()
    const parts = partsOf(Buffer.concat(chunks).toString())
    expect(parts).toHaveLength(4)
    expect(ProbeStartData.parse(parts[0]?.['data']).probe.received.httpVersion).toBe('2.0')
  })

  it.each([
    ['application/json', 'DEFER_BAD_HEADER'],
    ['multipart/mixed;deferSpec=20220824', 'DEFER_UNSUPPORTED_SPEC'],
  ])('with Accept: %s gets what a deferred operation gets, and what arrived', async (accept, code) => {
    const reply = await post(router, BODY, { ...probe(), accept })
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    })
    expect(reply.json.errors?.[0]?.extensions).toMatchObject({ code, received: { accept } })
  })

  it('is any operation without the header, and the header means nothing with another operation', async () => {
    const stream = partsOf((await post(router, BODY)).text)
    expect(stream).toEqual([{ data: { __typename: 'Query' }, hasNext: false }])
    const reply = await post(router, { query: 'query Other { __typename }' }, probe())
    expect(reply.json).toEqual({ data: { __typename: 'Query' } })
  })

  it.each([
    '',
    'parts=0; spacing=1; padding=0',
    'parts=2; spacing=1; padding=70000',
    'parts=10; spacing=120000; padding=0',
    'parts=2;spacing=-1;padding=1',
  ])('is refused with a header that it cannot be: %j', async (header) => {
    const reply = await post(router, BODY, { [PROBE_HEADER]: header })
    expect(reply.status).toBe(400)
    expect(reply.json.errors?.[0]).toMatchObject({
      extensions: { code: 'BAD_REQUEST' },
      message: expect.stringContaining(PROBE_HEADER),
    })
  })
})

describe('who may probe', () => {
  it.each([null, 'another-long-token', TOKEN.toUpperCase(), TOKEN.slice(1)])(
    'not one who sends the token %j',
    async (token) => {
      const reply = await post(guarded, BODY, probe({ token }))
      expect(reply.status).toBe(403)
      expect(reply.json.errors?.[0]).toMatchObject({
        extensions: { code: 'DEFER_PROBE_NOT_ALLOWED' },
        message: expect.stringMatching(/DEV_MODE.*ENGINE_DEFER_PROBE_TOKEN/),
      })
      if (token !== null) expect(reply.text).not.toContain(token)
    },
  )

  it('who sends the token; a router that defers nothing says so', async () => {
    const reply = await post(guarded, BODY, probe({ token: TOKEN }))
    expect(ProbeStartData.parse(partsOf(reply.text)[0]?.['data']).probe.enableDefer).toBe(false)
    await until(
      () => guarded.logs.some((line) => line['operation'] === PROBE_OPERATION && line['parts'] === 4),
      'the access log',
    )
    expect(JSON.stringify(guarded.logs)).not.toContain(TOKEN)
  })

  it('nobody where neither is set', async () => {
    const closed = await routerWith('engine: { enable_defer: true }')
    expect((await post(closed, BODY, probe({ token: TOKEN }))).status).toBe(403)
  })

  it('everybody in dev mode, which is warned of once', () => {
    const warnings = router.logs.filter(({ event }) => event === 'router.dev-mode')
    expect(warnings).toEqual([expect.objectContaining({ level: 'warn' })])
    expect(guarded.logs.some(({ event }) => event === 'router.dev-mode')).toBe(false)
  })
})

describe('a probe in progress', () => {
  it('is one of few: more are refused until one of them ends', async () => {
    const held = await Promise.all(Array.from({ length: PROBE_LIMITS.concurrent }, () => open(router, LONG)))
    const refused = await post(router, BODY, probe())
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(refused.json.errors?.[0]?.extensions).toEqual({ code: 'DEFER_PROBE_LIMIT' })
    held[0]?.leave()
    await until(async () => (await post(router, BODY, probe())).status === 200, 'a place to be free')
    for (const { leave } of held) leave()
  })

  it('comes to its proper end when the router stops', async () => {
    const stopping = await start(
      { kind: 'supergraph', path: SUPERGRAPH },
      { settings: '{ dev_mode: true, shutdown: { drain_timeout: 50ms } }' },
    )
    const { response, first } = await open(stopping, LONG)
    const reader = new PartReader()
    const parts = reader.read(Buffer.from(first))
    response.on('data', (chunk: Buffer) => void parts.push(...reader.read(chunk)))
    const ended = once(response, 'end')
    await stopping[Symbol.asyncDispose]()
    await ended
    expect(reader.isOver).toBe(true)
    expect(JSON.parse(parts.at(-1)?.text ?? '')).toMatchObject({
      completed: [{ id: '1', errors: [{ extensions: { code: 'DRAINING' } }] }],
      hasNext: false,
    })
  })
})
