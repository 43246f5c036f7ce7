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
