import { describe, expect, it } from 'vitest'
import { Heard } from '../src/index.ts'

function clock() {
  let now = 1000
  return { now: () => now, pass: (milliseconds: number) => (now += milliseconds) }
}

describe('who was heard lately', () => {
  it('is alive up to 15 s after the last word, and forgotten then', () => {
    const time = clock()
    const heard = new Heard<string>({ monotonicNow: time.now })
    heard.hear('a', 'first')
    time.pass(15_000)
    expect(heard.get('a')).toBe('first')
    expect(heard.list()).toEqual([{ key: 'a', value: 'first', ageMs: 15_000, alive: true }])
    time.pass(1)
    expect(heard.get('a')).toBeUndefined()
    expect(heard.list()).toEqual([])
  })

  it('keeps those it knows in a flood of new names, and hears others again when they are silent', () => {
    const time = clock()
    const heard = new Heard<string>({ monotonicNow: time.now })
    expect(heard.hear('real', 'first')).toBe(true)
    for (let index = 0; index < 100_000; index++) heard.hear(`forged ${index}`, '')
    expect(heard.list()).toHaveLength(2000)
    expect(heard.hear('late', '')).toBe(false)
    time.pass(10_000)
    expect(heard.hear('real', 'second')).toBe(true)
    time.pass(10_000)
    expect(heard.hear('late', '')).toBe(true)
    expect(heard.list().map(({ key }) => key)).toEqual(['real', 'late'])
  })

  it('lives on with every word', () => {
    const time = clock()
    const heard = new Heard<string>({ monotonicNow: time.now })
    heard.hear('a', 'first')
    time.pass(10_000)
    heard.hear('a', 'second')
    time.pass(10_000)
    expect(heard.get('a')).toBe('second')
  })

  it('can be remembered for longer than it is alive', () => {
    const time = clock()
    const heard = new Heard<string>({ keptMs: 60_000, monotonicNow: time.now })
    heard.hear('a', 'first')
    time.pass(20_000)
    expect(heard.list()).toMatchObject([{ key: 'a', alive: false, ageMs: 20_000 }])
    time.pass(40_001)
    expect(heard.list()).toEqual([])
  })

  it('is forgotten at once when it says goodbye', () => {
    const heard = new Heard<string>()
    heard.hear('a', 'first')
    heard.forget('a')
    expect(heard.get('a')).toBeUndefined()
  })
})
