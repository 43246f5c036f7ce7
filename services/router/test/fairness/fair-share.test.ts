import { assert, array, constantFrom, property, integer, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairShare } from '../../src/fairness/fair-share.ts'

type Held = { readonly client: string; readonly item: string }

const step = record({
  kind: constantFrom('add', 'add', 'add', 'delete', 'oldest', 'largest'),
  client: constantFrom('a', 'b', 'c'),
  item: integer({ min: 0, max: 15 }),
})

describe('what clients hold of something scarce', () => {
  it('is given up by whoever holds most, beginning with what was held longest, whatever came before', () => {
    assert(
      property(array(step, { maxLength: 60 }), (steps) => {
        const share = new FairShare<string>()
        let held: readonly Held[] = []
        const itemsOf = (client: string) => held.filter((one) => one.client === client)
        const drop = (gone: Held) => {
          held = held.filter(({ client, item }) => client !== gone.client || item !== gone.item)
        }
        for (const { kind, client, ...drawn } of steps) {
          // An item has one holder.
          const item = `${client}${drawn.item}`
          if (kind === 'add') {
            share.add(client, item)
            if (!itemsOf(client).some((one) => one.item === item)) held = [...held, { client, item }]
          } else if (kind === 'delete') {
            expect(share.delete(item)).toBe(itemsOf(client).some((one) => one.item === item))
            drop({ client, item })
          } else if (kind === 'oldest') {
            const [oldest] = itemsOf(client)
            expect(share.takeOldestOf(client)).toBe(oldest?.item ?? null)
            if (oldest !== undefined) drop(oldest)
          } else {
            const most = Math.max(...['a', 'b', 'c'].map((name) => itemsOf(name).length))
            const candidates = ['a', 'b', 'c'].filter((name) => itemsOf(name).length === most)
            const taken = share.takeFromLargest()
            const [loser] = candidates
              .flatMap((name) => itemsOf(name).slice(0, 1))
              .filter((one) => {
                return one.item === taken && share.sizeOf(one.client) === most - 1
              })
            if (held.length === 0) expect(taken).toBeNull()
            else expect(loser).toBeDefined()
            if (loser !== undefined) drop(loser)
          }
          expect(share.size).toBe(held.length)
          for (const name of ['a', 'b', 'c']) expect(share.sizeOf(name)).toBe(itemsOf(name).length)
        }
      }),
    )
  })
})
