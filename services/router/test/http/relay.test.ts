/**
 * Relay on a router, with artifacts as its compiler writes them and a network layer as its guide has it.
 * Relay reads an older format of deferred fragments, so the network layer translates: docs/defer.md shows
 * how.
 */
import { meros } from 'meros/browser'
import type { StreamPart } from '@switchyard/testkit'
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  type FetchFunction,
  fetchQuery,
  type GraphQLResponse,
  Network,
  type NormalizationSelection,
  Observable,
  RecordSource,
  Store,
} from 'relay-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManifestFolder } from '../support/manifests.ts'
import { post as send } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
const FORMS = ['fragment', 'item'] as const
const urls = new Map<string, string>()

beforeAll(async () => {
  for (const form of FORMS) {
    const settings = `engine: { enable_defer: true, defer_pending: ${form} }`
    urls.set(form, stack.use(await startShopRouter({ settings })).router.graphqlUrl)
  }
})
afterAll(() => stack.disposeAsync())

type Asked = Parameters<FetchFunction>

function post(form: string, [{ text }, variables]: Asked, headers: Readonly<Record<string, string>> = {}) {
  return fetch(urls.get(form) ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: text, variables }),
  })
}

/** The network layer of the guide: one answer for one request. */
const whole = async (...asked: Asked) => (await (await post('fragment', asked)).json()) as GraphQLResponse

/** One that reads answers in parts, and gives Relay each fragment of an object with label, path and data. */
const inParts =
  (form: string) =>
  (...asked: Asked) =>
    Observable.create<GraphQLResponse>((sink) => {
      const read = async () => {
        const answer = await post(form, asked, { accept: 'multipart/mixed;incrementalSpec=v0.2' })
        const parts = await meros<StreamPart>(answer)
        if (parts instanceof Response) return sink.next((await parts.json()) as GraphQLResponse)
        const announced = new Map<
          string,
          { readonly path: readonly (string | number)[]; readonly label?: string }
        >()
        for await (const { body } of parts) {
          const { data, errors, pending = [], incremental = [], hasNext } = body as StreamPart
          const extensions = { is_final: hasNext === false }
          for (const one of pending) announced.set(one.id, one)
          if (data !== undefined) sink.next({ data, errors, extensions } as GraphQLResponse)
          const later = incremental.map(({ id, subPath = [], data, errors }) => {
            const { path = [], label } = announced.get(id) ?? {}
            return { label, path: [...path, ...subPath], data, errors, extensions }
          })
          if (later.length > 0) sink.next(later as GraphQLResponse)
        }
      }
      read().then(
        () => sink.complete(),
        (error: unknown) => sink.error(error as Error),
      )
    })

const scalar = (name: string) => ({ kind: 'ScalarField', name, alias: null, args: null, storageKey: null })
const linked = (name: string, type: string, selections: readonly object[]) => ({
  kind: 'LinkedField',
  name,
  alias: null,
  args: null,
  concreteType: type,
  plural: true,
  storageKey: null,
  selections,
})
const deferred = (label: string, selections: readonly object[]) => ({
  kind: 'Defer',
  if: null,
  label,
  selections,
})

/**
 * What the compiler makes of an operation: the text, and the same selections to read and to write the store
 * by.
 */
function artifact(name: string, text: string, selections: readonly object[]): ConcreteRequest {
  const node = { name, argumentDefinitions: [], selections: selections as readonly NormalizationSelection[] }
  return {
    kind: 'Request',
    fragment: { ...node, kind: 'Fragment', type: 'Query', metadata: null, abstractKey: null },
    operation: { ...node, kind: 'Operation' },
    params: { id: null, cacheID: name, metadata: {}, name, operationKind: 'query', text },
  } as unknown as ConcreteRequest
}

const environmentOn = (layer: FetchFunction) =>
  new Environment({ network: Network.create(layer), store: new Store(new RecordSource()) })

const PLAIN = artifact('TopQuery', 'query TopQuery { topProducts { upc name reviews { body } } }', [
  linked('topProducts', 'Product', [
    scalar('upc'),
    scalar('name'),
    linked('reviews', 'Review', [scalar('body')]),
  ]),
])

const OUTER = 'LaterQuery$defer$Outer'
const INNER = 'LaterQuery$defer$Inner'
const NESTED = artifact(
  'LaterQuery',
  `query LaterQuery {
    topProducts { upc ... @defer(label: "${OUTER}") { name ... @defer(label: "${INNER}") { reviews { body } } } }
  }`,
  [
    linked('topProducts', 'Product', [
      scalar('upc'),
      deferred(OUTER, [scalar('name'), deferred(INNER, [linked('reviews', 'Review', [scalar('body')])])]),
    ]),
  ],
)

const ALL = {
  topProducts: [
    { upc: '1', name: 'Table', reviews: [{ body: 'Review of 1' }] },
    { upc: '2', name: 'Couch', reviews: [{ body: 'Review of 2' }] },
  ],
}

describe('Relay', () => {
  it('is answered through the network layer of its guide', async () => {
    const data = await fetchQuery(environmentOn(whole), PLAIN, {}).toPromise()
    expect(data).toEqual(ALL)
  })

  it.each(FORMS)(
    'told by %s, shows fragments as they arrive, nested in a list too, through a layer that translates',
    async (form) => {
      const environment = environmentOn(inParts(form))
      const operation = createOperationDescriptor(NESTED, {})
      const shown: unknown[] = []
      await new Promise<void>((resolve, reject) => {
        environment.execute({ operation }).subscribe({
          next: () => shown.push(structuredClone(environment.lookup(operation.fragment).data)),
          complete: resolve,
          error: reject,
        })
      })
      expect(shown).toMatchObject([
        { topProducts: [{ upc: '1' }, { upc: '2' }] },
        {
          topProducts: [
            { upc: '1', name: 'Table' },
            { upc: '2', name: 'Couch' },
          ],
        },
        ALL,
      ])
      expect(environment.lookup(operation.fragment).isMissingData).toBe(false)
    },
  )

  it('is told so when its network layer does not read parts', async () => {
    const json = async (...asked: Asked) =>
      (await (await post('item', asked, { accept: 'application/json' })).json()) as GraphQLResponse
    await expect(fetchQuery(environmentOn(json), NESTED, {}).toPromise()).rejects.toThrow(/multipart\/mixed/)
  })
})

it('Relay names documents that its compiler has persisted', async () => {
  const text = PLAIN.params.text ?? ''
  const id = 'd41d8cd98f00b204e9800998ecf8427e'
  await using folder = await createManifestFolder({ 'queries.json': { [id]: text } })
  const settings = `documents: { mode: ids_only, manifests: [{ file: ${folder.path('queries.json')} }] }`
  await using started = await startShopRouter({ settings })
  const persisted = { ...PLAIN, params: { ...PLAIN.params, id, text: null } } as ConcreteRequest
  const layer: FetchFunction = async (params, variables) => {
    const { json } = await send(started.router, { doc_id: params.id, variables })
    return json as GraphQLResponse
  }
  expect(await fetchQuery(environmentOn(layer), persisted, {}).toPromise()).toEqual(ALL)
})
