/** In these modes nothing is carried out that is in no manifest, however it is asked for. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShopRouter } from '../../support/shop-router.ts'
import { createManifestFolder, manifestOf, sha256 } from '../../support/manifests.ts'
import { type Reply, send, type TestRouter } from '../../support/router.ts'
import type { Shop } from '../../support/shop.ts'

const LISTED = [
  'query A { version }',
  '{ header(name: "# not , a comment") }',
  'query B { fails } fragment F on Query { version }',
]
/** What nobody may carry out asks for this. */
const SECRET = 'secret'

const RUN = new RandomRun(import.meta.url, 400, 1200)
const stack = new AsyncDisposableStack()
const routers = new Map<string, { readonly router: TestRouter; readonly shop: Shop }>()
const MODES = ['safelist', 'ids_only'] as const

beforeAll(async () => {
  const folder = stack.use(
    await createManifestFolder({ 'm.json': { ...manifestOf(...LISTED), custom: LISTED[0] } }),
  )
  for (const mode of MODES) {
    const settings = `
engine: { enable_defer: true }
documents: { mode: ${mode}, manifests: [{ file: ${folder.path('m.json')} }] }
`
    routers.set(mode, stack.use(await startShopRouter({ settings })))
  }
})
afterAll(() => stack.disposeAsync())

const unlisted = fc.constantFrom(
  `{ ${SECRET}: version }`,
  `query A { version ${SECRET}: version }`,
  `query A { version } query ${SECRET} { ${SECRET}: version }`,
  `{ ${SECRET}: header(name: "# not , a comment") }`,
  `{ header(name: "${SECRET}") }`,
  `{ header(name: """# not , a comment""") ${SECRET}: version }`,
  `query A { version # }\n ${SECRET}: version }`,
  `query A { version ... @defer { ${SECRET}: version } }`,
  `\ufeff{ ${SECRET}: __typename }`,
)
const listed = fc
  .tuple(fc.constantFrom(...LISTED), fc.constantFrom('', ' ', '\n# comment\n', ',\t'))
  .map(([text, more]) => more + text + more)
const text = fc.oneof(unlisted, listed, fc.constantFrom('', ' ', '{'))
const id = fc.oneof(
  fc.constantFrom('custom', 'nobody', ...LISTED.map(sha256), `sha256:${sha256(LISTED[0] ?? '')}`),
  unlisted.map(sha256),
  unlisted.map((one) => `sha256:${sha256(one)}`),
  fc.string({ maxLength: 10 }),
)
const json = (value: unknown) => JSON.stringify(value)
const member = fc.oneof(
  { weight: 3, arbitrary: text.map((value) => ['query', json(value)] as const) },
  { weight: 2, arbitrary: id.map((value) => ['documentId', json(value)] as const) },
  { weight: 2, arbitrary: fc.constant(['documentId', json('custom')] as const) },
  id.map((value) => ['doc_id', json(value)] as const),
  id.map((value) => ['extensions', json({ persistedQuery: { version: 1, sha256Hash: value } })] as const),
  fc.constantFrom(['operationName', json(SECRET)] as const, ['operationName', 'null'] as const),
  fc.constantFrom(
    ['id', json('custom')] as const,
    ['__proto__', json({ query: `{ ${SECRET}: version }` })] as const,
  ),
)
const request = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  // Names may come several times.
  members: fc.array(member, { minLength: 1, maxLength: 4 }),
  accept: fc.constantFrom(
    'application/json',
    'application/graphql-response+json',
    'multipart/mixed;incrementalSpec=v0.2',
    '*/*',
  ),
})

type Drawn = Parameters<Parameters<typeof request.map>[0]>[0]

function ask(router: TestRouter, { method, members, accept }: Drawn): Promise<Reply> {
  const headers = { accept, 'content-type': 'application/json' }
  if (method === 'POST') {
    const body = `{${members.map(([name, value]) => `${json(name)}:${value}`).join(',')}}`
    return send(router.graphqlUrl, { method, headers, body })
  }
  const parameters = members.map(([name, value]): [string, string] => {
    const parsed: unknown = JSON.parse(value)
    return [name, typeof parsed === 'string' ? parsed : value]
  })
  return send(`${router.graphqlUrl}?${new URLSearchParams(parameters)}`, { headers })
}

describe.each(MODES)('documents.mode: %s', (mode) => {
  const limit = RUN.timeout(60_000)
  it('carries out what is in a manifest, and nothing else', { timeout: limit }, async () => {
    const { router, shop } = routers.get(mode) ?? expect.fail()
    const seen = { answered: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(request, async (drawn) => {
        const { status, text: answer } = await ask(router, drawn)
        expect(status).toBeLessThan(500)
        const isAnswered = answer.includes('"data":')
        if (isAnswered) seen.answered++
        else seen.refused++
        expect(isAnswered && answer.includes(SECRET)).toBe(false)
      }),
      RUN.parameters,
    )
    expect(JSON.stringify(shop.products.requests)).not.toContain(SECRET)
    expect(seen.answered).toBeGreaterThan(20)
    expect(seen.refused).toBeGreaterThan(20)
  })
})
