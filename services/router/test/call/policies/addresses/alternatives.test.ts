/** Which of several addresses is called, by a clock of the test. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AddressState } from '../../../../src/call/policies/addresses/address-state.ts'
import { type Alternative, Alternatives } from '../../../../src/call/policies/addresses/alternatives.ts'

type Named = Alternative & { readonly name: string; readonly state: { readonly value: AddressState } }

function addresses(count: number) {
  const clock = { now: 0 }
  const told: string[] = []
  const all = Array.from({ length: count }, (_, index): Named => {
    const name = 'abcdefgh'[index] ?? ''
    const events = {
      setAside: (milliseconds: number, failures: number) =>
        void told.push(`${name} ${milliseconds} ${failures}`),
      back: () => void told.push(`${name} back`),
      forgotten: () => void told.push(`${name} forgotten`),
    }
    return { name, state: { value: new AddressState(events, () => clock.now) }, circuit: null }
  })
  return { all, clock, told, alternatives: new Alternatives(all) }
}
const chosen = (alternatives: Alternatives<Named>, except: Named | null = null) =>
  alternatives.choose(except)?.address

describe('choosing an address', () => {
  it('takes the one with the fewest calls in progress, and of several the next in turn', () => {
    const { all, alternatives } = addresses(3)
    expect(new Set([1, 2, 3].map(() => chosen(alternatives)?.name))).toEqual(new Set(['a', 'b', 'c']))
    all[1]?.state.value.ended('answered')
    expect(chosen(alternatives)?.name).toBe('b')
  })

  it('spreads calls evenly, however long each takes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.array(fc.nat(7), { maxLength: 200 }), (count, ended) => {
        const { all, alternatives } = addresses(count)
        for (const index of ended) {
          chosen(alternatives)
          const state = all[index % count]?.state.value
          if (state !== undefined && state.active > 0) state.ended('answered')
          const before = all.map((one) => one.state.value.active)
          const next = chosen(alternatives)
          expect(before[all.findIndex((one) => one === next)]).toBe(Math.min(...before))
        }
      }),
    )
  })

  it('leaves one that failed alone for a while, for twice as long each time, and for 30 s at most', () => {
    const { all, clock, told, alternatives } = addresses(2)
    const [a] = all
    for (let failure = 0; failure < 9; failure++) {
      // With nothing in progress there, one call finds out.
      a?.state.value.began()
      a?.state.value.ended('failed')
      for (let call = 0; call < 20; call++) expect(chosen(alternatives)?.name).toBe('b')
      clock.now += 30_000
    }
    expect(told).toEqual(
      [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000].map(
        (ms, index) => `a ${ms} ${index + 1}`,
      ),
    )
  })

  it('sends one call to see whether it is well, and more when that was answered', () => {
    const { clock, told, all, alternatives } = addresses(2)
    all[0]?.state.value.began()
    all[0]?.state.value.ended('failed')
    clock.now = 500
    const first = Array.from({ length: 10 }, () => chosen(alternatives)?.name)
    expect(first.filter((name) => name === 'a')).toHaveLength(1)
    all[0]?.state.value.ended('answered')
    expect(told.at(-1)).toBe('a back')
    expect(chosen(alternatives)?.name).toBe('a')
    expect(chosen(alternatives)?.name).toBe('a')
  })

  it('counts calls that began together and failed together as one failure', () => {
    const { all, told } = addresses(2)
    const state = all[0]?.state.value
    for (let call = 0; call < 5; call++) state?.began()
    for (let call = 0; call < 5; call++) state?.ended('failed')
    expect(told).toEqual(['a 500 1'])
  })

  it('takes any where all have failed, and the one that is excepted where there is no other', () => {
    const { all, alternatives } = addresses(2)
    for (const { state } of all) {
      state.value.began()
      state.value.ended('failed')
    }
    const [a, b] = all
    expect(new Set([chosen(alternatives), chosen(alternatives)])).toEqual(new Set([a, b]))
    expect(chosen(alternatives, a ?? null)).toBe(b)
    const alone = addresses(1)
    expect(chosen(alone.alternatives, alone.all[0] ?? null)).toBe(alone.all[0])
  })

  it('passes over open circuits, and calls nobody where all are open', () => {
    const { all } = addresses(2)
    const open = { value: { isRefusing: true, isClosed: false, begin: () => null, ended: () => {} } }
    const closed = { value: { isRefusing: false, isClosed: true, begin: () => 7, ended: () => {} } }
    const [a, b] = all
    if (a === undefined || b === undefined) throw new Error('two addresses were made')
    const one = new Alternatives([
      { ...a, circuit: open },
      { ...b, circuit: closed },
    ])
    for (let call = 0; call < 5; call++)
      expect(one.choose(null)).toMatchObject({ address: { name: 'b' }, period: 7 })
    expect(
      new Alternatives([
        { ...a, circuit: open },
        { ...b, circuit: open },
      ]).choose(null),
    ).toBeNull()
  })

  it('says that one is forgotten only while it is set aside', () => {
    const { all, told } = addresses(2)
    all[0]?.state.value[Symbol.dispose]()
    all[1]?.state.value.began()
    all[1]?.state.value.ended('failed')
    all[1]?.state.value[Symbol.dispose]()
    expect(told).toEqual(['b 500 1', 'b forgotten'])
  })
})
