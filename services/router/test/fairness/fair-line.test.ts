import { array, assert, constantFrom, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../src/fairness/client.ts'
import { FairLine } from '../../src/fairness/fair-line.ts'
import { clientAt } from '../support/clients.ts'

type Item = { readonly client: Client; readonly number: number }

const client = record({ address: constantFrom('1', '2', '3', '4'), name: constantFrom('', 'a', 'b') })
/** null: somebody is taken from the line. */
const arrivals = array(
  constantFrom('add', 'add', 'take').chain((kind) => client.map((who) => ({ kind, who }))),
  {
    maxLength: 120,
  },
)

function takeAll(line: FairLine<Item>): Item[] {
  const taken: Item[] = []
  for (let turn = line.take(); turn !== null; turn = line.take()) taken.push(turn.item)
  return taken
}

describe('a line of clients', () => {
  it('lets nobody wait for more than their own and, for each of these, one of every other, whatever came before', () => {
    assert(
      property(arrivals, (steps) => {
        const line = new FairLine<Item>()
        const waiting: {
          readonly item: Item
          readonly ahead: number
          readonly others: Map<string, number>
        }[] = []
        let number = 0
        for (const { kind, who } of steps) {
          if (kind === 'add') {
            const item = { client: who, number: number++ }
            const ahead = waiting.filter((one) => one.item.client.address === who.address).length
            waiting.push({ item, ahead, others: new Map() })
            line.add(who, item)
            continue
          }
          const turn = line.take()
          // Somebody has a turn as long as anybody waits.
          expect(turn === null).toBe(waiting.length === 0)
          if (turn === null) continue
          const place = waiting.findIndex(({ item }) => item === turn.item)
          const [taken] = waiting.splice(place, 1)
          for (const [address, count] of taken?.others ?? []) {
            if (address !== taken?.item.client.address)
              expect(count).toBeLessThanOrEqual((taken?.ahead ?? 0) + 1)
          }
          for (const { others } of waiting)
            others.set(turn.client.address, (others.get(turn.client.address) ?? 0) + 1)
        }
        expect(line.size).toBe(waiting.length)
        expect(takeAll(line)).toHaveLength(waiting.length)
        expect(line.size).toBe(0)
      }),
    )
  })

  it('divides the turns of an address among its names, and gives it no more of them', () => {
    const line = new FairLine<string>()
    for (const name of ['a', 'b', 'c', 'd']) line.add(clientAt('inventive', name), `inventive ${name}`)
    for (const number of [1, 2, 3, 4]) line.add(clientAt('plain'), `plain ${number}`)
    line.add(clientAt('inventive', 'a'), 'inventive a again')
    const taken: string[] = []
    for (let turn = line.take(); turn !== null; turn = line.take()) taken.push(turn.item)
    expect(taken).toEqual([
      'inventive a',
      'plain 1',
      'inventive b',
      'plain 2',
      'inventive c',
      'plain 3',
      'inventive d',
      'plain 4',
      'inventive a again',
    ])
  })

  it('takes each client of an address in the order of its own items', () => {
    assert(
      property(array(client, { maxLength: 60 }), (clients) => {
        const line = new FairLine<Item>()
        clients.forEach((who, number) => line.add(who, { client: who, number }))
        const lastOf = new Map<string, number>()
        for (const { client: who, number } of takeAll(line)) {
          const key = `${who.address} ${who.name}`
          expect(number).toBeGreaterThan(lastOf.get(key) ?? -1)
          lastOf.set(key, number)
        }
      }),
    )
  })

  it('gives up what has waited longest, of the name that has most of the address that has most', () => {
    const line = new FairLine<string>()
    line.add(clientAt('small'), 'small')
    for (const item of ['a1', 'b1', 'b2']) line.add(clientAt('large', item.slice(0, 1)), item)
    expect(line.takeFromLargest()?.item).toBe('b1')
    expect(line.takeFromLargest()?.item).toBe('a1')
    expect(line.size).toBe(2)
  })

  it('holds an item for as long as one of its clients waits for it', () => {
    const line = new FairLine<string>()
    line.add(clientAt('one'), 'other')
    line.add(clientAt('one'), 'shared')
    line.add(clientAt('two'), 'shared')
    line.add(clientAt('two'), 'shared')
    expect(line.size).toBe(3)
    expect(line.take()).toEqual({ item: 'other', client: clientAt('one') })
    expect(line.take()).toEqual({ item: 'shared', client: clientAt('two') })
    expect(line.has('shared')).toBe(true)
    line.withdraw('shared')
    expect([line.has('shared'), line.size, line.take()]).toEqual([false, 0, null])
  })
})
