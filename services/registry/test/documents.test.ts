/** Manifests of persisted documents before they are checked against compositions, of which none is here. */
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DocumentThread } from '../src/documents/document-thread.ts'
import { type Client, openStorage, outcome, problemOf, startClient } from './harness.ts'

const TEXT = 'query Hello { hello }'
const ID = hash('sha256', TEXT)
const PATH = '/v1/graphs/default/shop/documents/web?wait=0'

async function startGraph() {
  await using stack = new AsyncDisposableStack()
  const storage = stack.use(await openStorage())
  const client = stack.use(await startClient(storage))
  outcome(await client.post('/v1/graphs/default?wait=0', { name: 'shop' }))
  const parts = stack.move()
  return { client, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

const publish = (client: Client, manifest: unknown, more: object = {}, path = PATH) =>
  client.put(path, { manifest: typeof manifest === 'string' ? manifest : JSON.stringify(manifest), ...more })

describe('a manifest', () => {
  it('is the same in each of its forms, and replaces the one of its name', async () => {
    await using graph = await startGraph()
    const { client } = graph
    const first = outcome(await publish(client, { [ID]: TEXT, a: '{ hello }' }))
    expect(first).toMatchObject({ changed: true, affectedGraphs: ['shop'] })
    expect(first.warnings).toEqual([
      'Nothing is composed for federated graph "shop" yet, so its documents were not checked.',
    ])
    const operations = [
      { id: 'a', name: 'A', type: 'query', body: '{ hello }' },
      { id: `sha256:${ID}`, name: 'Hello', type: 'query', body: TEXT },
    ]
    const apollo = { format: 'apollo-persisted-query-manifest', version: 1, operations }
    const second = outcome(await publish(client, apollo))
    expect(second).toMatchObject({ changed: false, affectedGraphs: [] })
    expect(outcome(await publish(client, apollo, { clients: ['ios', 'web'] }))).toMatchObject({
      changed: true,
    })
    expect(outcome(await publish(client, apollo, { clients: ['web', 'ios'] }))).toMatchObject({
      changed: false,
    })
    const { body } = await client.get('/v1/graphs/default/shop/documents/web')
    const manifest = JSON.stringify({ [ID]: TEXT, a: '{ hello }' })
    expect(body).toMatchObject({ name: 'web', documents: 2, clients: ['ios', 'web'], manifest })
    expect(outcome(await publish(client, { a: '{ hello }' }))).toMatchObject({ changed: true })
    const listed = await client.get('/v1/graphs/default/shop/documents')
    expect(listed.body).toMatchObject({ manifests: [{ name: 'web', documents: 1, clients: null }] })
    outcome(await client.delete(PATH))
    expect(problemOf(await client.get('/v1/graphs/default/shop/documents/web')).code).toBe('NOT_FOUND')
    expect(problemOf(await client.delete(PATH)).code).toBe('NOT_FOUND')
  })

  it.each<[string, unknown, string]>([
    ['that is no JSON', 'nonsense', 'it is not JSON'],
    ['that is a list', [], 'expected a JSON object of documents by identifier'],
    ['with a wrong hash', { [ID]: '{ other }' }, `"${ID}" is not the SHA-256 of its text`],
    ['with a broken document', { a: 'query {' }, '"a" is no GraphQL document'],
    ['without an operation', { a: 'fragment F on Query { hello }' }, '"a" has no operation'],
    [
      'with one identifier for two texts',
      `{ "format": "apollo-persisted-query-manifest", "version": 1, "operations": [{ "id": "a", "body": "{ a }" }, { "id": "a", "body": "{ b }" }] }`,
      '"a" stands for two different texts',
    ],
  ])('%s is refused, and says why', async (_, manifest, told) => {
    await using graph = await startGraph()
    const refused = problemOf(await publish(graph.client, manifest))
    expect(refused).toMatchObject({ status: 422, code: 'DOCUMENTS_INVALID' })
    expect(refused.detail).toContain('Manifest "web" cannot be used, and nothing was published. ')
    expect(refused.problems?.join()).toContain(told)
    expect(outcome(await publish(graph.client, { a: '{ hello }' })).changed).toBe(true)
  })

  it('is refused where it is too large, or there are too many', async () => {
    await using graph = await startGraph()
    const { client } = graph
    const large = problemOf(await publish(client, { a: `{ hello } # ${'x'.repeat(8 * 1024 * 1024)}` }))
    expect(large).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    const path = (index: number) => `/v1/graphs/default/shop/documents/m${index}?wait=0`
    for (let index = 0; index < 50; index++)
      outcome(await publish(client, { a: '{ hello }' }, {}, path(index)))
    const many = problemOf(await publish(client, { a: '{ hello }' }, {}, path(50)))
    expect(many).toMatchObject({ status: 422, code: 'LIMIT_EXCEEDED' })
    expect(outcome(await publish(client, { b: '{ hello }' }, {}, path(7))).changed).toBe(true)
  })

  it('is refused where it contradicts another one for the same client, and only there', async () => {
    await using graph = await startGraph()
    const { client } = graph
    const path = (name: string) => `/v1/graphs/default/shop/documents/${name}?wait=0`
    outcome(await publish(client, { a: '{ one }' }, { clients: ['ios', 'tv'] }, path('ios')))
    outcome(await publish(client, { a: '{ two }' }, { clients: ['web'] }, path('web')))
    const refused = problemOf(
      await publish(client, { a: '{ two }' }, { clients: ['web', 'tv'] }, path('new')),
    )
    expect(refused.detail).toContain('"a" has another text in manifest "ios"')
    outcome(await publish(client, { a: '{ two }' }, { clients: ['web', 'kiosk'] }, path('new')))
  })
})

describe('a task of the thread', () => {
  it('that takes too long is ended, and the next one is done', async () => {
    await using slow = new DocumentThread({ cpuMs: 30 })
    const documents = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`id${index}`, `query Q${index} { a b c d e f g }`]),
    )
    const large = Buffer.from(JSON.stringify(documents))
    await expect(slow.read('default', large)).rejects.toMatchObject({
      problem: { code: 'DOCUMENTS_INVALID' },
    })
    await using thread = new DocumentThread()
    const read = await thread.read('default', large)
    expect(read).toMatchObject({ kind: 'manifest', namesOwn: true })
  })
})
