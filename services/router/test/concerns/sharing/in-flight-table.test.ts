import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InFlightTable } from '../../../src/concerns/sharing/in-flight-table.ts'

const KEY = { text: '{ a }', context: 'GET' }

describe('what is in flight', () => {
  it('is found by text and context, until it is removed', () => {
    const table = new InFlightTable<string>()
    const entry = table.add(KEY, 'a')
    expect(table.find({ ...KEY })).toBe('a')
    expect(table.find({ ...KEY, text: '{ b }' })).toBeNull()
    expect(table.find({ ...KEY, context: 'POST' })).toBeNull()
    table.remove(entry)
    expect(table.find(KEY)).toBeNull()
  })

  it('is replaced by what is added later, and takes nothing away from that', () => {
    const table = new InFlightTable<string>()
    const first = table.add(KEY, 'first')
    table.add(KEY, 'later')
    table.remove(first)
    expect(table.find(KEY)).toBe('later')
  })

  it('is not taken for what differs where the texts are not read for its place', () => {
    const table = new InFlightTable<string>()
    const texts = Array.from({ length: 2000 }, (_, at) => `${'x'.repeat(at)}y${'x'.repeat(4000 - at)}`)
    for (const text of texts) {
      table.add({ ...KEY, text }, text)
      expect(table.find({ ...KEY, text })).toBe(text)
    }
    for (const text of texts) expect([text, null]).toContain(table.find({ ...KEY, text }))
  })

  it('is found among hundreds of others', () => {
    const table = new InFlightTable<number>()
    const keys = Array.from({ length: 500 }, (_, user) => ({
      text: `{"query":"query Product($id: ID!) { product(id: $id) { name } }","variables":{"id":"${user % 50}"}}`,
      context: `http://products/|20:Bearer ${String(user).padStart(8, '0')}|0:`,
    }))
    for (const [user, key] of keys.entries()) table.add(key, user)
    const found = keys.filter((key, user) => table.find(key) === user).length
    // As many as chance leaves a place of their own.
    expect(found).toBeGreaterThan(450)
  })

  it('is never found by another pair of texts', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '|'), maxLength: 3 })
    const key = fc.record({ text, context: text })
    const own = fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
      const table = new InFlightTable<string>()
      for (const each of keys) table.add(each, JSON.stringify(each))
      for (const each of keys) expect([JSON.stringify(each), null]).toContain(table.find(each))
    })
    fc.assert(own, { numRuns: 300 })
  })
})
