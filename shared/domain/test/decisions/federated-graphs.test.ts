import { RegistryEvent } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import {
  affectedGraphs,
  applyEvent,
  type Command,
  compositionInputs,
  decide,
  emptyNamespace,
  type NamespaceState,
} from '../../src/index.ts'
import { graph, messageOf, refusal, run, sample } from '../fold.ts'

const update = (name: string, ...labelMatchers: string[]): Command => ({
  type: 'update-federated-graph',
  name,
  labelMatchers,
})
const pin = (name: string, revision: number): Command => ({ type: 'pin-federated-graph', name, revision })
const unpin = (name: string): Command => ({ type: 'unpin-federated-graph', name })
const remove = (name: string): Command => ({ type: 'delete-federated-graph', name })

describe('a federated graph', () => {
  const pinned = run(sample(), pin('shop', 3))

  it.each<[string, Command, string]>([
    ['created', graph('new', 'a=1'), 'Federated graph "new" was created.'],
    ['updated', update('shop', 'team=B'), 'Federated graph "shop" was updated.'],
    [
      'updated with what it has',
      update('shop', 'team=A', 'team=A'),
      'Federated graph "shop" has these label matchers already; nothing was changed.',
    ],
    ['deleted', remove('depot'), 'Federated graph "depot" was deleted.'],
    ['pinned', pin('depot', 1), 'Federated graph "depot" is held on revision 1.'],
    ['pinned elsewhere', pin('shop', 2), 'Federated graph "shop" is held on revision 2.'],
    [
      'pinned again',
      pin('shop', 3),
      'Federated graph "shop" is held on revision 3 already; nothing was changed.',
    ],
    ['released', unpin('shop'), 'Federated graph "shop" follows the newest revision again.'],
    [
      'released while free',
      unpin('depot'),
      'Federated graph "depot" is held on no revision; nothing was changed.',
    ],
  ])('says what happened when it is %s', (_, command, message) => {
    expect(messageOf(pinned, command)).toBe(message)
  })

  it.each([update('ghost'), remove('ghost'), pin('ghost', 1), unpin('ghost')])(
    'that is not there is refused: $type',
    (command) => {
      const { code, detail } = refusal(decide(sample(), command))
      expect([code, detail]).toEqual([
        'NOT_FOUND',
        'There is no federated graph "ghost" in namespace "default". Nothing was changed.',
      ])
    },
  )

  it('has matchers of which neither the groups nor the alternatives have an order', () => {
    const written = run(sample(), update('shop', 'team=B,team=A', 'env=x,env=y'))
    expect(written.graphs.get('shop')?.labelMatchers).toEqual(['env=x,env=y', 'team=A,team=B'])
    const again = update('shop', 'env=y,env=x', 'team=A,team=B,team=A', 'team=B,team=A')
    expect(messageOf(written, again)).toBe(
      'Federated graph "shop" has these label matchers already; nothing was changed.',
    )
  })

  it('keeps its pin when its matchers change, and a new one of its name starts without', () => {
    expect(run(pinned, update('shop', 'team=B')).graphs.get('shop')?.pinnedRevision).toBe(3)
    expect(run(pinned, remove('shop'), graph('shop', 'team=A')).graphs.get('shop')?.pinnedRevision).toBeNull()
  })

  it('alone is looked at again when it changes', () => {
    for (const command of [update('shop', 'team=B'), remove('shop'), pin('shop', 1), unpin('shop')]) {
      expect(affectedGraphs(pinned, run(pinned, command))).toEqual(['shop'])
    }
  })
})

describe('unenforced authorization', () => {
  const allow = (name: string, allowUnenforcedAuthorization: boolean): Command => ({
    type: 'update-federated-graph',
    name,
    allowUnenforcedAuthorization,
  })
  const before = sample()
  const allowed = run(before, allow('shop', true))

  it('is refused until a graph allows it, when it is created or later', () => {
    expect(sample().graphs.get('shop')?.allowUnenforcedAuthorization).toBe(false)
    expect(allowed.graphs.get('shop')?.allowUnenforcedAuthorization).toBe(true)
    const created = run(sample(), {
      type: 'create-federated-graph',
      name: 'new',
      labelMatchers: [],
      allowUnenforcedAuthorization: true,
    })
    expect(created.graphs.get('new')?.allowUnenforcedAuthorization).toBe(true)
    expect(run(allowed, allow('shop', false)).graphs.get('shop')?.allowUnenforcedAuthorization).toBe(false)
  })

  it('and label matchers leave each other alone', () => {
    const matched = run(allowed, update('shop', 'team=B'))
    expect(matched.graphs.get('shop')).toMatchObject({
      allowUnenforcedAuthorization: true,
      labelMatchers: ['team=B'],
    })
    expect(run(matched, allow('shop', false)).graphs.get('shop')?.labelMatchers).toEqual(['team=B'])
  })

  it('changes nothing when it is as asked for, and says so', () => {
    expect(messageOf(allowed, allow('shop', true))).toBe(
      'Federated graph "shop" allows unenforced authorization already; nothing was changed.',
    )
    expect(
      messageOf(sample(), {
        type: 'update-federated-graph',
        name: 'shop',
        labelMatchers: ['team=A'],
        allowUnenforcedAuthorization: false,
      }),
    ).toBe(
      'Federated graph "shop" has these label matchers already and refuses unenforced authorization already; nothing was changed.',
    )
  })

  it('of a graph is an input of its compositions: the graph is looked at again', () => {
    expect(affectedGraphs(before, allowed)).toEqual(['shop'])
    expect(compositionInputs(allowed, 'shop')?.allowUnenforcedAuthorization).toBe(true)
  })

  it('is what records say that were written before there was a choice: refused', () => {
    const events = [
      { type: 'federated-graph.created', name: 'old', labelMatchers: [] },
      { type: 'federated-graph.updated', name: 'old', labelMatchers: ['a=1'] },
    ].map((event) => RegistryEvent.parse(event))
    expect(events.reduce(applyEvent, before).graphs.get('old')).toMatchObject({
      allowUnenforcedAuthorization: false,
      labelMatchers: ['a=1'],
    })
  })
})

describe('the public URL of a graph', () => {
  const URL = 'https://graph.example.com/graphql'
  const set = (publicUrl: string | null): Command => ({
    type: 'update-federated-graph',
    name: 'shop',
    publicUrl,
  })
  const urlOf = (state: NamespaceState) => state.graphs.get('shop')?.publicUrl

  it('is set, kept by other changes, and taken away', () => {
    expect(urlOf(sample())).toBeNull()
    const named = run(sample(), set(URL))
    expect(urlOf(named)).toBe(URL)
    const changed = run(named, {
      type: 'update-federated-graph',
      name: 'shop',
      allowUnenforcedAuthorization: true,
    })
    expect(urlOf(changed)).toBe(URL)
    expect(urlOf(run(changed, set(null)))).toBeNull()
  })

  it('is an event only when it changes', () => {
    expect(decide(sample(), set(URL))).toMatchObject({
      kind: 'events',
      events: [{ type: 'federated-graph.updated', name: 'shop', publicUrl: URL }],
    })
    const named = run(sample(), set(URL))
    expect(decide(named, set(URL))).toEqual({
      kind: 'unchanged',
      message: 'Federated graph "shop" has this public URL already; nothing was changed.',
    })
    expect(decide(sample(), set(null))).toMatchObject({ message: expect.stringContaining('no public URL') })
  })

  it('is named when the graph is created', () => {
    const created: Command = {
      type: 'create-federated-graph',
      name: 'new',
      labelMatchers: [],
      publicUrl: URL,
    }
    expect(run(sample(), created).graphs.get('new')?.publicUrl).toBe(URL)
  })
})

describe('deleting a namespace', () => {
  const remove: Command = { type: 'delete-namespace' }

  it('removes everything in it, and says so', () => {
    const team = run(emptyNamespace('team'), { type: 'create-namespace' }, graph('g', 'a=1'), graph('h'))
    expect(messageOf(team, remove)).toBe('Namespace "team" was deleted with everything in it.')
    const after = run(team, remove)
    expect([after.exists, after.graphs.size, after.subgraphs.size, after.flags.size]).toEqual([
      false,
      0,
      0,
      0,
    ])
    expect(affectedGraphs(team, after)).toEqual(['g', 'h'])
    expect(refusal(decide(after, remove)).code).toBe('NOT_FOUND')
    expect(run(after, { type: 'create-namespace' }).graphs.size).toBe(0)
  })

  it('is refused for "default"', () => {
    const { code, detail } = refusal(decide(sample(), remove))
    expect(code).toBe('NAMESPACE_PROTECTED')
    expect(detail).toContain('"default" always exists and cannot be deleted')
  })

  it('is refused for one that never was', () => {
    expect(refusal(decide(emptyNamespace('team'), remove)).code).toBe('NOT_FOUND')
  })
})
