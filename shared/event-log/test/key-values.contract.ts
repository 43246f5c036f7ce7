/** The promises of every store of values, whatever keeps it. */
import { describe, expect, it } from 'vitest'
import type { KeyValueStore } from '../src/index.ts'

export type KeyValuePlace = AsyncDisposable & {
  open(): Promise<AsyncDisposable & { readonly values: KeyValueStore }>
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = async (values: KeyValueStore, key: string): Promise<string | null> => {
  const found = await values.get(key)
  return found === null ? null : new TextDecoder().decode(found.bytes)
}

export function describeKeyValues(name: string, openPlace: () => Promise<KeyValuePlace>): void {
  describe(`values in ${name}`, () => {
    it('are written on the revision that was read, and on no other', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const { values } = store
      expect(await values.get('hour.shop.web.1')).toBeNull()
      expect(await values.set('hour.shop.web.1', bytes('a'), 7)).toBe(false)
      expect(await values.set('hour.shop.web.1', bytes('a'), 0)).toBe(true)
      expect(await values.set('hour.shop.web.1', bytes('b'), 0)).toBe(false)
      const revision = (await values.get('hour.shop.web.1'))?.revision ?? 0
      const raced = await Promise.all(
        ['c', 'd'].map((letter) => values.set('hour.shop.web.1', bytes(letter), revision)),
      )
      expect(raced.filter(Boolean)).toHaveLength(1)
      expect(await text(values, 'hour.shop.web.1')).toBe(raced[0] === true ? 'c' : 'd')
    })

    it('are found by the first tokens of their keys, and can be deleted and written anew', async () => {
      await using place = await openPlace()
      await using store = await place.open()
      const { values } = store
      const keys = ['hour.shop.web.1', 'hour.shop.web.2', 'hour.shop.web=2dold.1', 'day.shop.web.1']
      for (const key of keys) await values.set(key, bytes(key), 0)
      expect((await values.keys('hour.shop.web')).toSorted()).toEqual(keys.slice(0, 2))
      expect(await values.keys('hour')).toHaveLength(3)
      expect(await values.keys('other')).toEqual([])
      await values.delete('hour.shop.web.1')
      await values.delete('hour.shop.web.1')
      expect(await values.get('hour.shop.web.1')).toBeNull()
      expect(await values.keys('hour.shop.web')).toEqual(['hour.shop.web.2'])
      expect(await values.set('hour.shop.web.1', bytes('again'), 0)).toBe(true)
    })

    it('are there when the store is opened again', async () => {
      await using place = await openPlace()
      {
        await using store = await place.open()
        await store.values.set('day.shop.web.1', bytes('kept'), 0)
      }
      await using store = await place.open()
      expect(await text(store.values, 'day.shop.web.1')).toBe('kept')
    })
  })
}
