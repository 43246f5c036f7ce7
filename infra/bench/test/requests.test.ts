import { temporaryDirectory, waitFor } from '@switchyard/testkit'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type LoadRequest, readRequests, startLoad } from '../src/index.ts'
import { answerJson, FIRST_PART, LAST_PART, serve, STREAM_TYPE } from './support/misbehaving-server.ts'

const SHOP = fileURLToPath(new URL('../requests/shop.yaml', import.meta.url))

/** What the server was asked: as many requests as are wanted, at least. */
async function asked(requests: readonly LoadRequest[], count: number, urls: readonly string[] = ['/']) {
  const seen: IncomingMessage[] = []
  await using server = await serve((request, response) => {
    seen.push(request)
    answerJson(response, { data: {}, extensions: { trace: {} } })
  })
  await using load = startLoad({
    urls: urls.map((url) => `${server.url}${url}`),
    pace: { kind: 'connections', count: 1 },
    requests,
    traceToken: 'secret',
    headers: { 'x-shared': 'yes', 'X-Own': 'no' },
  })
  await waitFor('the requests', () => seen.length >= count)
  const report = await load.stop()
  expect(report.failed).toBe(0)
  return { seen, report }
}

describe('requests', () => {
  it('each go to each URL', async () => {
    const requests = ['a', 'b'].map((name) => ({ name, query: '{ a }', headers: { 'x-name': name } }))
    const { seen } = await asked(requests, 8, ['/1', '/2'])
    const pairs = seen.slice(0, 8).map(({ url, headers }) => `${headers['x-name']?.toString()}${url}`)
    expect(pairs).toEqual(['a/1', 'a/2', 'b/1', 'b/2', 'a/1', 'a/2', 'b/1', 'b/2'])
  })

  it('come as often as their weights say, spread', async () => {
    const requests = [
      { name: 'a', query: '{ a }', weight: 3 },
      { name: 'b', query: '{ a }' },
      { name: 'c', query: '{ a }' },
    ]
    const named = requests.map((request) => ({ ...request, headers: { 'x-name': request.name } }))
    const { seen, report } = await asked(named, 10)
    expect(
      seen
        .slice(0, 10)
        .map(({ headers }) => headers['x-name'])
        .join(''),
    ).toBe('abacaabaca')
    expect(report.byRequest.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('have the headers of all and their own, and what a trace needs', async () => {
    const { seen } = await asked(
      [{ name: 'it', query: '{ a }', traced: true, headers: { 'x-own': 'own' } }],
      1,
    )
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-shared': 'yes',
      'x-own': 'own',
      'x-vendor-trace': 'true',
      'x-vendor-token': 'secret',
    })
  })

  it('are sent by GET as the GraphQL over HTTP specification says', async () => {
    const { seen } = await asked(
      [{ name: 'it', query: '{ a }', variables: { first: 1 }, operationName: 'A', method: 'GET' }],
      1,
      ['/graphql?tenant=x'],
    )
    expect(seen[0]?.method).toBe('GET')
    const { searchParams } = new URL(seen[0]?.url ?? '', 'http://x')
    expect(Object.fromEntries(searchParams)).toEqual({
      tenant: 'x',
      query: '{ a }',
      variables: '{"first":1}',
      operationName: 'A',
    })
  })

  it('that are deferred are read to the end and put together', async () => {
    const sendRest: (() => void)[] = []
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': STREAM_TYPE })
      response.write(FIRST_PART)
      sendRest.push(() => response.end(`${LAST_PART}\r\n--graphql--\r\n`))
    })
    await using load = startLoad({
      urls: [server.url],
      pace: { kind: 'connections', count: 1 },
      requests: [{ name: 'it', query: '{ a }', deferred: true, expected: [{ a: 1, b: 2 }] }],
    })
    await waitFor('the first', () => sendRest.length === 1)
    expect(load.report.requests).toBe(0)
    sendRest[0]?.()
    await waitFor('the answer', () => load.report.requests === 1 && sendRest.length === 2)
    sendRest[1]?.()
    const { failed, firstPart } = await load.stop()
    expect(failed).toBe(0)
    expect(firstPart).not.toBeNull()
  })

  it.each([
    ['deferred', { deferred: true }, /Parts were expected/],
    ['traced', { traced: true }, /no trace/],
    ['judged', { judge: () => 'not as I like it' }, /not as I like it/],
  ])('that are %s want more than data', async (_, extra, message) => {
    await using server = await serve((_request, response) => answerJson(response, { data: {} }))
    const requests = [{ name: 'it', query: '{ a }', ...extra }]
    await using load = startLoad({
      urls: [server.url],
      pace: { kind: 'connections', count: 1 },
      requests,
      traceToken: 'x',
    })
    await waitFor('a failure', () => load.report.failed > 0)
    expect((await load.stop()).failures['wrong-data']?.examples[0]?.message).toMatch(message)
  })
})

describe('a file of requests', () => {
  it('can say all that a request is', async () => {
    const requests = await readRequests(SHOP)
    expect(requests.map(({ name }) => name)).toEqual([
      'base',
      'flagged',
      'by GET, with a variable',
      'deferred',
      'traced',
    ])
    expect(requests[1]).toEqual({
      name: 'flagged',
      query: '{ products(first: 1) { name price } }',
      headers: { 'X-Feature-Flag': 'new-pricing' },
      weight: 3,
      expected: [{ products: [{ name: 'Two-person tent', price: 22_410 }] }],
    })
  })

  it.each([
    ['{"query": "{ a }"}', /expected array/i],
    ['[]', /Too small/],
    ['- name: a', /query/],
    ['- { query: a, varables: {} }', /varables/],
    ['- { query: a, weight: 0.5 }', /weight/],
    ['- [', /at line 2, column 1/],
  ])('that is wrong is refused with the place: %s', async (text, message) => {
    await using folder = await temporaryDirectory()
    const file = join(folder.path, 'requests.yaml')
    await writeFile(file, `${text}\n`)
    await expect(readRequests(file)).rejects.toThrow(message)
  })
})
