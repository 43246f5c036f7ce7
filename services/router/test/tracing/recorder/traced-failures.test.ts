import { gzipSync } from 'node:zlib'
import { fetchesOf, parseTrace } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildLedgerArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { data, json, type Ledger, type Responder, startLedger } from '../../support/ledger.ts'
import { routerOn } from '../../support/router.ts'
import { overHttp1 } from '../../support/streams.ts'
import { TRACED, traced } from './traced.ts'

const QUERY = '{ account { number note } }'
const ACCOUNT = data('{"account":{"number":7,"__typename":"Account"}}')

const stack = new AsyncDisposableStack()
let patient: Ledger
/** Only for answers that never come: on a busy machine others may take as long. */
let impatient: Ledger

beforeAll(async () => {
  const start = async (subgraphs: string) =>
    stack.use(
      await startLedger(
        `{ dev_mode: true, engine: { enable_defer: true }, subgraphs: { max_response_size: 10KiB${subgraphs} } }`,
      ),
    )
  patient = await start('')
  impatient = await start(', overrides: { audit: { timeout: 150ms } }')
})
afterAll(() => stack.disposeAsync())

const INVALID = 'SUBGRAPH_INVALID_RESPONSE'
const HIDDEN = '[redacted]'

function bytes(body: Uint8Array): Responder {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  }
}

const worldFor = (code: string | null) => (code === 'SUBGRAPH_TIMEOUT' ? impatient : patient)

async function ask(audit: Responder, world = patient) {
  world.ledger.answers(ACCOUNT)
  world.audit.answers(audit)
  const { fetches, ...rest } = await traced(world.router, { query: QUERY })
  return { ...rest, load: fetches[1]?.trace }
}

describe('the trace of a fetch that fails', () => {
  it.each<readonly [string, Responder, string, number | undefined, unknown]>([
    ['HTTP 500 with text', json('<b>no</b>', 500, 'text/html'), 'SUBGRAPH_HTTP_ERROR', 500, '<b>no</b>'],
    ['HTTP 500 with JSON', json('{"a":1}', 500), 'SUBGRAPH_HTTP_ERROR', 500, { a: 1 }],
    ['what is no JSON', json('{"data":'), 'SUBGRAPH_INVALID_RESPONSE', 200, '{"data":'],
    ['JSON that is no answer', json('[1]'), 'SUBGRAPH_INVALID_RESPONSE', 200, [1]],
    ['no text, which nobody can search', bytes(Buffer.from('{"a":"b"}', 'utf16le')), INVALID, 200, HIDDEN],
    ['compressed data', bytes(gzipSync('{"password":"b"}')), INVALID, 200, HIDDEN],
    ['a broken character', bytes(Buffer.from('no é').subarray(0, 4)), INVALID, 200, 'no \ufffd'],
    ['nothing in time', () => {}, 'SUBGRAPH_TIMEOUT', undefined, undefined],
    [
      'a broken connection',
      (_body, response) => response.destroy(),
      'SUBGRAPH_UNREACHABLE',
      undefined,
      undefined,
    ],
  ])('shows %s', async (_, responder, code, status, body) => {
    const { reply, load } = await ask(responder, worldFor(code))
    expect(Object.keys(reply.json)).toEqual(['errors', 'data', 'extensions'])
    expect(load?.error).toEqual({ code, message: expect.stringContaining('audit') })
    expect(load?.input).toMatchObject({ method: 'POST' })
    expect(load?.load_stats).toHaveProperty('get_conn')
    if (status === undefined) expect(load).not.toHaveProperty('output')
    else expect(load?.output).toMatchObject({ status_code: status, body })
  })

  it('shows an answer that was broken off as far as it came', async () => {
    const { load } = await ask((_body, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data":{"_ent', () => response.destroy())
    })
    expect(load?.error?.code).toBe('SUBGRAPH_INVALID_RESPONSE')
    expect(load?.output).toMatchObject({ body: '{"data":{"_ent', body_size: 14 })
  })

  it('shows a refused connection', async () => {
    await using config = await ConfigWorld.create()
    const closed = 'http://127.0.0.1:9/graphql'
    await config.publish({
      revision: 1,
      base: buildLedgerArtifact({ ledger: patient.ledger.url, audit: closed }),
    })
    await using router = await routerOn(config, { settings: 'dev_mode: true' })
    await router.ready
    patient.ledger.answers(ACCOUNT)
    const { fetches } = await traced(router, { query: QUERY })
    expect(fetches[1]?.trace).toMatchObject({
      error: { code: 'SUBGRAPH_UNREACHABLE' },
      input: { url: closed },
      load_skipped: false,
    })
  })

  it('shows errors of a subgraph beside its data as they came, with what clients do not see', async () => {
    const errors = [{ message: 'partly', path: ['_entities', 0, 'note'], extensions: { hidden: 1 } }]
    const { reply, load } = await ask(json(JSON.stringify({ data: { _entities: [{ note: null }] }, errors })))
    expect(reply.json.errors?.[0]?.message).toBe('partly')
    expect(JSON.stringify(reply.json.errors)).not.toContain('hidden')
    expect(load).not.toHaveProperty('error')
    expect(load?.output).toMatchObject({ body: { errors } })
  })
})

describe('the trace of a deferred fetch that fails', () => {
  const entities = (text: string) =>
    json(`{"data":{"_entities":[${text}]},"errors":[{"message":"partly","path":["_entities",0,"risk"]}]}`)

  it.each<readonly [string, Responder, string | null, unknown]>([
    ['HTTP 500', json('{"a":1}', 500), 'SUBGRAPH_HTTP_ERROR', { a: 1 }],
    ['what is no JSON', json('{"data":'), 'SUBGRAPH_INVALID_RESPONSE', '{"data":'],
    ['a broken connection', (_body, response) => response.destroy(), 'SUBGRAPH_UNREACHABLE', undefined],
    ['nothing in time', () => {}, 'SUBGRAPH_TIMEOUT', undefined],
    ['an error of a field that may not be null', entities('null'), null, undefined],
    ['an error of a field beside data', entities('{"note":"a","risk":null}'), null, undefined],
  ])('is in the last part, whole: %s', async (_, responder, code, body) => {
    const world = worldFor(code)
    world.ledger.answers(ACCOUNT)
    world.audit.answers(responder)
    const query = '{ account { number ... @defer { note risk } } }'
    const stream = await overHttp1(world.router, query, TRACED)
    const parts: unknown[] = []
    for (let part = await stream.next(); part !== null; part = await stream.next()) parts.push(part)
    expect(parts[0]).toMatchObject({ data: { account: { number: 7 } }, hasNext: true })
    expect(JSON.stringify(parts.at(-1))).toContain('"errors":[{"message"')
    const [first, deferred] = fetchesOf(parseTrace(parts.at(-1)))
    expect(first?.trace.output).toMatchObject({ status_code: 200 })
    expect(deferred).toMatchObject({ defer_id: '1', trace: { input: { method: 'POST' } } })
    expect(deferred?.trace.error?.code ?? null).toBe(code)
    if (body !== undefined) expect(deferred?.trace.output).toMatchObject({ body })
    if (code === null) expect(JSON.stringify(deferred?.trace.output)).toContain('partly')
  })
})

describe('what a trace shows of data', () => {
  it('has all digits of numbers', async () => {
    patient.ledger.answers(data('{"account":{"number":90071992547409931,"__typename":"Account"}}'))
    patient.audit.answers(data('{"_entities":[{"note":"a"}]}'))
    const { reply } = await traced(patient.router, { query: QUERY })
    const [, trace = ''] = reply.text.split('"extensions"')
    // Raw input, the request made of it, and the answer that it came with.
    expect(trace.match(/90071992547409931/g)?.length).toBe(3)
  })

  it('is cut off where it nests too deeply', async () => {
    const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`
    patient.ledger.answers(json(`{"data":{"account":null},"extensions":${deep}}`))
    await using plain = await startLedger(
      '{ dev_mode: true, tracing: { allowed_headers: ["*"], sensitive_names: [] } }',
    )
    plain.ledger.answers(json(`{"data":{"account":null},"extensions":${deep}}`))
    for (const { router } of [patient, plain]) {
      const { reply, trace } = await traced(router, { query: '{ account { number } }' })
      expect(reply.json.data).toEqual({ account: null })
      expect(JSON.stringify(fetchesOf(trace)[0]?.trace.output)).toMatch(
        /\{"data":\{"account":null\},"extensions":\[{399}"\[nested too deeply\]"\]{399}\}/,
      )
    }
  })
})
