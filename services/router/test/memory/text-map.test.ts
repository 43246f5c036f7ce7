import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextMap } from '../../src/memory/text-map.ts'

/** Of texts of this many characters, V8 hashes the length alone. */
const LONG = 16_384

describe('a map by texts', () => {
  it('behaves as a Map does, for short and long texts', () => {
    const tail = fc.constantFrom('', 'a', 'b', '\ud800', '\udc00', 'é')
    const text = fc
      .tuple(fc.constantFrom(0, 10, LONG - 1, LONG, 20_000), tail)
      .map(([length, end]) => 'x'.repeat(length).concat(end))
    const step = fc.tuple(fc.constantFrom('set', 'get', 'delete', 'size'), text)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const map = new Map<string, number>()
        const texts = new TextMap<number>()
        for (const [index, [what, key]] of steps.entries()) {
          if (what === 'set') {
            map.set(key, index)
            texts.set(key, index)
          } else if (what === 'get') expect(texts.get(key)).toBe(map.get(key))
          else if (what === 'delete') expect(texts.delete(key)).toBe(map.delete(key))
          else expect(texts.size).toBe(map.size)
        }
        expect(texts.values().toSorted()).toEqual([...map.values()].toSorted())
        texts.clear()
        expect(texts.size).toBe(0)
      }),
    )
  })

  it('takes no text for another one whose digest it is', () => {
    const texts = new TextMap<string>()
    const long = 'x'.repeat(LONG)
    texts.set(long, 'long')
    expect(texts.get(hash('sha256', long, 'base64'))).toBeUndefined()
    expect(texts.get(hash('sha256', Buffer.from(long, 'utf16le'), 'base64'))).toBeUndefined()
  })
})
