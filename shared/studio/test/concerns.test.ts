import type { LiveEvent } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { askedBy, concerns } from '../src/page/api/live/concerns.ts'

const OF_SHOP = { path: { namespace: 'default', name: 'shop' } }
const OF_DEFAULT = { path: { namespace: 'default' } }
const READS: Readonly<Record<string, readonly unknown[]>> = {
  session: ['session'],
  namespaces: ['read', '/v1/namespaces', {}],
  keys: ['read', '/v1/api-keys', {}],
  log: ['read', '/v1/log', { query: { limit: 8 } }],
  otherLog: ['read', '/v1/log', { query: { namespace: 'other' } }],
  routers: ['read', '/v1/routers', {}],
  paymentsRouters: ['read', '/v1/routers', { query: { namespace: 'default', graph: 'payments' } }],
  services: ['read', '/v1/services', {}],
  shop: ['read', '/v1/graphs/{namespace}/{name}', OF_SHOP],
  shopTypes: ['read', '/v1/graphs/{namespace}/{name}/types', OF_SHOP],
  shopFigures: ['read', '/v1/figures/{namespace}/{graph}', { path: { namespace: 'default', graph: 'shop' } }],
  payments: ['read', '/v1/graphs/{namespace}/{name}', { path: { namespace: 'default', name: 'payments' } }],
  flags: ['read', '/v1/feature-flags/{namespace}', OF_DEFAULT],
  otherFlags: ['read', '/v1/feature-flags/{namespace}', { path: { namespace: 'other' } }],
  otherShop: ['read', '/v1/graphs/{namespace}/{name}', { path: { namespace: 'other', name: 'shop' } }],
}

function readAgain(event: LiveEvent): readonly string[] {
  return Object.entries(READS).flatMap(([name, key]) => {
    const asked = askedBy(key)
    return asked !== null && concerns(event, asked) ? [name] : []
  })
}
const SHOP = { namespace: 'default', graph: 'shop' }

describe('what is read again', () => {
  it('is all of the namespace and graphs that a command changed, and what is about all namespaces', () => {
    expect(readAgain({ kind: 'changed', sequence: 1, namespace: 'default', graphs: ['shop'] })).toEqual([
      'namespaces',
      'log',
      'routers',
      'shop',
      'shopTypes',
      'flags',
    ])
  })

  it('is all graphs of the namespace, if a command concerns none in particular', () => {
    expect(readAgain({ kind: 'changed', sequence: 1, namespace: 'default', graphs: [] })).toContain(
      'payments',
    )
  })

  it('is what is about keys only after commands that belong to no namespace', () => {
    expect(readAgain({ kind: 'changed', sequence: 1, namespace: null, graphs: [] })).toContain('keys')
    expect(readAgain({ kind: 'changed', sequence: 1, namespace: 'default', graphs: [] })).not.toContain(
      'keys',
    )
  })

  it.each(['composed', 'published'] as const)(
    'is one graph, and the lists it is in, when it is %s',
    (kind) => {
      expect(readAgain({ kind, ...SHOP })).toEqual(['log', 'routers', 'shop', 'shopTypes', 'flags'])
    },
  )

  it('is what tells of routers and services when one of them came, changed or went', () => {
    expect(readAgain({ kind: 'fleet' })).toEqual([
      'routers',
      'paymentsRouters',
      'services',
      'shop',
      'payments',
      'flags',
      'otherFlags',
      'otherShop',
    ])
  })

  it('is everything where something was missed, and nothing where nothing was', () => {
    expect(readAgain({ kind: 'hello', sequence: 9, missed: true })).toHaveLength(
      Object.keys(READS).length - 1,
    )
    expect(readAgain({ kind: 'hello', sequence: 9, missed: false })).toEqual([])
    expect(readAgain({ kind: 'figures', graphs: [] })).toEqual([])
  })
})
