/** Public URLs of graphs, and what a policy names of them. */
import { applyEvents, emptyNamespace, type NamespaceState } from '@switchyard/domain'
import { PublicUrl } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { GraphUrlsVariable } from '../../src/reading/graph-urls.ts'
import { PublicUrls, type ToldUrls } from '../../src/reading/public-urls.ts'

const URL = 'https://graph.example.com/graphql'

function urlsOf(graphs: Readonly<Record<string, string | null>>, told?: ToldUrls): PublicUrls {
  const state = applyEvents(
    emptyNamespace('default'),
    Object.entries(graphs).map(([name, publicUrl]) => ({
      type: 'federated-graph.created' as const,
      name,
      labelMatchers: [],
      ...(publicUrl === null ? {} : { publicUrl }),
    })),
  )
  const states = new Map<string, NamespaceState>([['default', state]])
  return new PublicUrls(
    { namespaces: () => [...states.keys()], state: (name) => states.get(name) ?? emptyNamespace(name) },
    told,
  )
}

const of = (graph: string) => ({ namespace: 'default', graph })

describe('a public URL', () => {
  it.each([URL, 'http://localhost:4000/graphql', 'http://127.0.0.1:4000/', 'https://a.example/x?y=1'])(
    'may be %s',
    (url) => expect(PublicUrl.safeParse(url).success).toBe(true),
  )

  it.each([
    'graph.example.com/graphql',
    'ftp://graph.example.com/',
    'https://user:password@graph.example.com/',
    'https://graph.example.com/#top',
    `https://graph.example.com/${'x'.repeat(500)}`,
    // Would say something else in the policy of a page.
    'https://*/',
    'https://*.example.com/',
    'https://a;sandbox/',
    "https://a'self'/",
    'https://a,b/',
    'https://a b/',
    'https://a_b/',
    'http://[::1]:4000/graphql',
  ])('may not be %s', (url) => expect(PublicUrl.safeParse(url).success).toBe(false))
})

describe('public URLs', () => {
  it('are those of the records, or else those that the registry was told', () => {
    const told = GraphUrlsVariable.parse(`{"default/told":"${URL}","default/shop":"https://other.example/"}`)
    const urls = urlsOf({ shop: URL, told: null, none: null }, told)
    expect(['shop', 'told', 'none', 'missing'].map((name) => urls.of(of(name)))).toEqual([
      URL,
      URL,
      null,
      null,
    ])
  })

  it('are in a policy as origins, each once, and that of the graph which is shown comes first', () => {
    const urls = urlsOf({ a: 'http://localhost:4000/a', b: 'http://localhost:4000/b', shop: URL })
    expect(urls.origins(null)).toEqual(['http://localhost:4000', 'https://graph.example.com'])
    expect(urls.origins(of('shop'))).toEqual(['https://graph.example.com', 'http://localhost:4000'])
  })

  it('are so many in a policy as servers and proxies take, the one that is shown among them', () => {
    const graphs = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`g${at}`, `https://g${at}.example/`]),
    )
    const origins = urlsOf(graphs).origins(of('g299'))
    expect([origins.length, origins[0]]).toEqual([20, 'https://g299.example'])
    const told = { of: () => null, all: () => Object.values(graphs) }
    expect(urlsOf({}, told).origins(null)).toHaveLength(20)
  })

  it('are left out of a policy where no rule allows them, as an import may bring them', () => {
    const urls = urlsOf({ shop: 'https://a;script-src *', other: 'javascript:alert(1)' })
    expect(urls.origins(of('shop'))).toEqual([])
  })

  it.each(['[]', '{', '{"shop":"https://a.example/"}', '{"default/shop":"a.example"}'])(
    'are refused in the environment as %s',
    (text) => expect(GraphUrlsVariable.safeParse(text).success).toBe(false),
  )
})
