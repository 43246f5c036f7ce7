import { describe, expect, it } from 'vitest'
import { attention, type Facts } from '../src/page/pages/home/attention.ts'

const GRAPH: Facts['graphs'][number] = {
  namespace: 'default',
  name: 'shop',
  labelMatchers: [],
  allowUnenforcedAuthorization: false,
  publicUrl: null,
  subgraphs: ['products'],
  base: 'composed',
  revision: 3,
  pinnedRevision: null,
}
const ROUTER: Facts['routers'][number] = {
  instance: 'router-1',
  boot: 'b1',
  namespace: 'default',
  graph: 'shop',
  epoch: 1,
  revision: 3,
  registrySequence: 7,
  flags: [],
  configCreatedAt: null,
  state: 'serving',
  ageSeconds: 1,
  alive: true,
  serves: 'newest',
}
const FLAG: Facts['flags'][number] = {
  namespace: 'default',
  name: 'prices',
  labels: [],
  featureSubgraphs: ['products-prices'],
  enabled: true,
  graphs: [{ graph: 'shop', state: 'served' }],
  stage: 'live',
}
const FINE: Facts = { graphs: [GRAPH], flags: [FLAG], rollouts: [], routers: [ROUTER] }
const statesOf = (facts: Partial<Facts>) => attention({ ...FINE, ...facts }).map(({ state }) => state)

describe('what wants attention', () => {
  it('is nothing where all is well', () => {
    expect(attention(FINE)).toEqual([])
  })

  it('is failures first, whatever they are of', () => {
    expect(
      statesOf({
        graphs: [{ ...GRAPH, pinnedRevision: 2 }],
        routers: [{ ...ROUTER, alive: false }],
      }),
    ).toEqual(['router lost', 'held'])
  })

  it('is a flag that is enabled and not served, and one that nobody needs', () => {
    const graphs = [{ graph: 'shop', state: 'not served: composition failed' }]
    expect(statesOf({ flags: [{ ...FLAG, graphs }] })).toEqual(['flag not served'])
    expect(statesOf({ flags: [{ ...FLAG, graphs, enabled: false }] })).toEqual([])
    expect(statesOf({ flags: [{ ...FLAG, stage: 'unused' }] })).toEqual(['unused flag'])
  })

  it('is a router that is behind, astray, or refused a revision, and none that was stopped', () => {
    const rejected = { epoch: 1, revision: 4, code: 'MANIFEST_REJECTED', message: 'wrong hash' }
    expect(statesOf({ routers: [{ ...ROUTER, serves: 'older' }] })).toEqual(['router behind'])
    expect(statesOf({ routers: [{ ...ROUTER, serves: 'not-in-log' }] })).toEqual(['router astray'])
    expect(statesOf({ routers: [{ ...ROUTER, rejected }] })).toEqual(['router refused'])
    expect(statesOf({ routers: [{ ...ROUTER, alive: false, state: 'stopped' }] })).toEqual([])
  })
})
