/** Commands that would ask first, where nobody can answer: they say what they would do, and do nothing. */
import type { NamespaceSnapshot } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'

const SUBGRAPH = {
  routingUrl: 'http://a',
  labels: [],
  base: null,
  schema: { sha256: 'b'.repeat(64), bytes: 9 },
}
const SNAPSHOT: NamespaceSnapshot = {
  namespace: 'default',
  sequence: 9,
  graphs: [
    {
      name: 'shop',
      labelMatchers: [],
      allowUnenforcedAuthorization: false,
      publicUrl: null,
      pinnedRevision: null,
      documents: [{ name: 'web', manifest: 'a'.repeat(64), bytes: 9, documents: 2, clients: null }],
    },
  ],
  subgraphs: [
    { ...SUBGRAPH, name: 'products' },
    { ...SUBGRAPH, name: 'products-next', base: 'products' },
  ],
  featureFlags: [{ name: 'new-pricing', labels: [], featureSubgraphs: ['products-next'], enabled: true }],
  rollouts: [],
  previews: [],
  previewHosts: [],
}
const KEY = { id: 'k1', name: 'ci', scopes: ['read'], createdAt: '2026-01-01T00:00:00Z', createdBy: 'k0' }

/** `asked`: what the registry was asked. */
async function run(line: string, options: { readonly json?: boolean } = {}) {
  const asked: string[] = []
  const env = await fakeRegistry(({ method = '', url = '' }, response) => {
    asked.push(`${method} ${url}`)
    const answer = url.includes('api-keys')
      ? { apiKeys: [KEY] }
      : url.includes('/snapshot')
        ? SNAPSHOT
        : { ...SUBGRAPH, name: 'products-next', base: 'products' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const words = [...line.split(' '), ...(options.json === true ? ['--json'] : [])]
  return { ...(await runCommand(words, { env })), asked }
}

describe('a deletion without a terminal and without --force', () => {
  it.each([
    [
      'subgraph delete products',
      'delete subgraph "products" in namespace "default"',
      [
        'deleted with it, feature subgraphs: products-next',
        'feature flag "new-pricing" loses "products-next" and is left empty: it composes nothing',
        'composed anew without it: shop',
      ],
    ],
    [
      'feature-flag delete new-pricing',
      'delete feature flag "new-pricing" in namespace "default"',
      ['requests that name it get the base graph of: shop'],
    ],
    [
      'federated-graph delete shop',
      'delete federated graph "shop" in namespace "default"',
      [
        'its routers keep serving its last composition until they are stopped',
        'its subgraphs and feature flags stay',
        'deleted with it, manifests of documents: web',
      ],
    ],
    [
      'namespace delete default',
      'delete namespace "default" and everything in it',
      [
        'deleted with it, federated graphs: shop',
        'deleted with it, subgraphs: products',
        'deleted with it, feature subgraphs: products-next',
        'deleted with it, feature flags: new-pricing',
        'routers of its federated graphs keep serving their last compositions until they are stopped',
      ],
    ],
    [
      'documents delete web --graph shop',
      'delete manifest "web" of federated graph "shop" in namespace "default"',
      ['routers that use it know its 2 documents no more, for all clients'],
    ],
    ['api-key delete ci', 'delete API key "ci"', ['Whoever uses the key k1 (read) is refused from then on.']],
    [
      'config rollback shop --to 1',
      'roll federated graph "shop" in namespace "default" back to revision 1',
      [
        'routers serve that revision until "config release": what is published meanwhile waits',
        'feature flags that were removed or disabled since stay off',
      ],
    ],
  ])('%s says what it would do, and does nothing', async (line, deed, consequences) => {
    const refused = await run(line)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    const numbered = consequences.length === 1 ? ['  '] : consequences.map((_, index) => `  ${index + 1}. `)
    expect(refused.stderr.trimEnd().split('\n')).toEqual([
      `error: There is no terminal to ask on, so nothing was changed: say --force to do it. It would ${deed}, which means:`,
      ...consequences.map((text, index) => `${numbered[index]}${text}`),
    ])
    expect(refused.asked.filter((request) => !request.startsWith('GET '))).toEqual([])
    const json = await run(line, { json: true })
    expect(json).toMatchObject({ exitCode: 2, stderr: '' })
    expect(json.json()).toMatchObject({ ok: false, error: { problems: consequences } })
  })
})

describe('a name that does not exist', () => {
  it.each([
    [
      'subgraph delete prodcts',
      'There is no subgraph "prodcts" in namespace "default". Did you mean "products"?',
    ],
    [
      'federated-graph delete shp',
      'There is no federated graph "shp" in namespace "default". Did you mean "shop"?',
    ],
    ['feature-flag delete new-prcing', 'Did you mean "new-pricing"?'],
    ['documents delete wb --graph shop', 'Did you mean "web"?'],
    ['documents delete web --graph shopp', 'Did you mean "shop"?'],
    ['api-key delete ic', 'Did you mean "ci"?'],
  ])('is told with the one that is near: %s', async (line, says) => {
    const refused = await run(line)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(says) })
    expect(refused.stderr).toMatch(/\? Nothing was changed\.\n$/)
  })

  it('is told alone where none is near', async () => {
    expect((await run('subgraph delete stock')).stderr).toBe(
      'error: There is no subgraph "stock" in namespace "default". Nothing was changed.\n',
    )
  })
})
