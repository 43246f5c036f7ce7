import { registrySubject, SYSTEM_SUBJECT, type RegistryEvent } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { RegistryFold } from '../src/index.ts'
import { recordOf } from './fold.ts'

const created = (name: string): RegistryEvent => ({
  type: 'federated-graph.created',
  name,
  labelMatchers: ['team=web'],
  allowUnenforcedAuthorization: false,
})
const deleted = (name: string): RegistryEvent => ({ type: 'federated-graph.deleted', name })

class TestLog {
  readonly fold = new RegistryFold()
  #sequence = 0

  append(namespace: string, event: RegistryEvent) {
    const subject = registrySubject(namespace)
    this.#sequence += 1
    const record = recordOf(this.fold.state(namespace), [event], { commandId: `${this.#sequence}` })
    return this.fold.apply({ subject, sequence: this.#sequence, record })
  }
}

describe('the fold of the registry', () => {
  it('keeps namespaces apart, and knows when their graphs were created and last affected', () => {
    const log = new TestLog()
    log.append('default', created('shop'))
    log.append('other', { type: 'namespace.created' })
    log.append('other', created('shop'))
    log.append('default', deleted('shop'))
    log.append('default', created('shop'))
    log.append('default', created('blog'))

    const { fold } = log
    expect(fold.namespaces()).toEqual(['default', 'other'])
    expect(fold.graphs()).toEqual([
      { namespace: 'default', graph: 'blog' },
      { namespace: 'default', graph: 'shop' },
      { namespace: 'other', graph: 'shop' },
    ])
    expect([fold.createdAt('default', 'shop'), fold.lastAffected('default', 'shop')]).toEqual([5, 5])
    expect([fold.createdAt('other', 'shop'), fold.createdAt('other', 'nothing')]).toEqual([3, 0])
  })

  it('tells which graphs a record affects, and nothing of one that lost a race', () => {
    const log = new TestLog()
    const record = recordOf(log.fold.state('default'), [created('blog')], { commandId: 'late' })
    expect(log.append('default', created('shop'))).toMatchObject({
      kind: 'namespace',
      namespace: 'default',
      outcome: { kind: 'applied', affectedGraphs: ['shop'] },
    })
    expect(log.fold.apply({ subject: registrySubject('default'), sequence: 2, record })).toMatchObject({
      outcome: { kind: 'skipped', reason: 'lost-race' },
    })
    expect(log.fold.graphs()).toHaveLength(1)
  })

  it('throws for what it does not understand, and stays as it is', () => {
    const { fold } = new TestLog()
    const record = { v: 2 }
    expect(() => fold.apply({ subject: registrySubject('default'), sequence: 1, record })).toThrow('v')
    expect(() => fold.apply({ subject: SYSTEM_SUBJECT, sequence: 2, record })).toThrow('v')
    expect(() => fold.apply({ subject: 'configs.default.shop', sequence: 3, record })).toThrow(
      'not the subject',
    )
    expect([fold.state('default').lastSequence, fold.system.lastSequence]).toEqual([0, 0])
  })
})
