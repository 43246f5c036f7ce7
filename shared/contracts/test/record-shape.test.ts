import { describe, expect, it } from 'vitest'
import { reasonAgainstRecord } from '../src/index.ts'

const REGISTRY = { v: 1, commandId: 'c', after: 0, events: [{ type: 'namespace.created' }] }
const COMPOSITION = { v: 1, type: 'graph.removed' }

describe('what counts as a record of a log', () => {
  it.each([
    ['registry', REGISTRY],
    ['registry', { ...REGISTRY, events: [{ type: 'of a later version' }], more: true }],
    ['registry', { v: 2 }],
    ['compositions', COMPOSITION],
    ['compositions', { v: 1, type: 'of a later version' }],
    ['compositions', { v: 2, kind: 'a later version may name it otherwise' }],
    ['configs', { v: 1, type: 'config.published' }],
  ] as const)('keeps all that some version may have written to %s: %j', (log, record) => {
    expect(reasonAgainstRecord(log, record)).toBeNull()
  })

  it.each([
    ['registry', null],
    ['registry', 'text'],
    ['registry', [REGISTRY]],
    ['registry', {}],
    ['registry', { ...REGISTRY, v: '1' }],
    ['registry', { ...REGISTRY, v: 0 }],
    ['registry', { ...REGISTRY, v: 1.5 }],
    ['registry', { ...REGISTRY, commandId: 7 }],
    ['registry', { ...REGISTRY, after: -1 }],
    ['registry', { ...REGISTRY, events: {} }],
    ['compositions', { v: 1 }],
    ['compositions', { v: 1, type: '' }],
    ['compositions', REGISTRY],
    ['configs', { formatVersion: 1 }],
  ] as const)('names what no version can have written to %s: %j', (log, record) => {
    expect(reasonAgainstRecord(log, record)).toMatch(/^(not a JSON object|without )/)
  })

  it('looks at these members only, however many others there are', () => {
    const record = new Proxy(REGISTRY, {
      ownKeys: () => {
        throw new Error('All members were listed.')
      },
    })
    expect(reasonAgainstRecord('registry', record)).toBeNull()
  })

  it('does not take what every object inherits for a member', () => {
    expect(reasonAgainstRecord('registry', Object.create(REGISTRY))).toMatch(/^without the version/)
  })
})
