import { describe, expect, it } from 'vitest'
import { ByteShares, type HeldBytes } from '../../src/fairness/byte-shares.ts'

function shares(perClient: number, total: number) {
  const lost: string[] = []
  const all = new ByteShares({ perClient, total }, ({ client, bytes }) => lost.push(`${client} ${bytes}`))
  const gaveWay: string[] = []
  const open = (client: string, name = client): HeldBytes =>
    all.open(client, { giveWay: () => gaveWay.push(name) })
  return { all, open, lost, gaveWay }
}

describe('bytes held for clients', () => {
  it('beyond lower limits are given up when more are held', () => {
    const { all, open, gaveWay } = shares(100, 200)
    const held = ['first', 'second', 'third'].map((name) => open('a', name))
    for (const each of held) each.set(30)
    all.changeLimits({ perClient: 50, total: 60 })
    expect(gaveWay).toEqual([])
    held.at(-1)?.set(31)
    expect(gaveWay).toEqual(['third', 'first'])
    all.changeLimits({ perClient: 100, total: 200 })
    open('a', 'fourth').set(60)
    expect(all.bytes).toBe(90)
  })

  it('are counted for each and for all, as they come and go', () => {
    const { all, open } = shares(100, 200)
    const first = open('a')
    const second = open('a')
    const other = open('b')
    expect([all.bytes, all.holders]).toEqual([0, 0])
    first.set(10)
    second.set(20)
    other.set(5)
    first.set(15)
    expect([all.bytes, all.holders, all.bytesOf('a'), all.bytesOf('b')]).toEqual([40, 3, 35, 5])
    first.set(1)
    second[Symbol.dispose]()
    second[Symbol.dispose]()
    other.set(0)
    expect([all.bytes, all.holders, all.bytesOf('a'), all.bytesOf('b')]).toEqual([1, 1, 1, 0])
  })

  it('beyond the limit are given up by the client that holds most, not by the one that comes', () => {
    const { all, open, lost, gaveWay } = shares(100, 100)
    open('greedy', 'first').set(40)
    open('greedy', 'second').set(40)
    open('quiet').set(30)
    expect(gaveWay).toEqual(['first'])
    expect(lost).toEqual(['greedy 40'])
    expect([all.bytes, all.bytesOf('quiet')]).toEqual([70, 30])
  })

  it('are given up by whoever makes them too many, if that is the one with most', () => {
    const { open, gaveWay } = shares(100, 100)
    open('quiet').set(30)
    open('greedy').set(80)
    expect(gaveWay).toEqual(['greedy'])
  })

  it('are given up by the holder that has held longest', () => {
    const { open, gaveWay } = shares(100, 1000)
    const first = open('a', 'first')
    first.set(40)
    open('a', 'second').set(40)
    // It held nothing in between: its client has read all.
    first.set(0)
    first.set(40)
    open('a', 'third').set(40)
    expect(gaveWay).toEqual(['second'])
  })

  it('are not given up by holders of little while others hold much', () => {
    const { all, open, gaveWay } = shares(100, 1000)
    for (let index = 0; index < 20; index++) open('a', `small ${index}`).set(1)
    open('a', 'large').set(70)
    open('a', 'larger').set(75)
    expect(gaveWay).toEqual(['large'])
    expect(all.bytes).toBe(95)
  })

  it('of one client are limited while others hold nothing', () => {
    const { all, open, gaveWay } = shares(50, 1000)
    for (let index = 0; index < 10; index++) open('a', String(index)).set(20)
    expect(all.bytes).toBe(40)
    expect(gaveWay).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  })

  it('may be more than the limit where there is one holder only', () => {
    const { all, open, gaveWay } = shares(50, 100)
    open('a').set(500)
    expect([all.bytes, gaveWay]).toEqual([500, []])
    // The next one that holds anything does not have to wait for it.
    open('b').set(1)
    expect([all.bytes, gaveWay]).toEqual([1, ['a']])
  })

  it('are counted no more for who gave way, even if it says so again', () => {
    const all = new ByteShares({ perClient: 10, total: 10 }, () => {})
    const loser: HeldBytes = all.open('a', { giveWay: () => loser[Symbol.dispose]() })
    loser.set(8)
    all.open('a', { giveWay: () => {} }).set(8)
    expect([all.bytes, all.holders]).toEqual([8, 1])
  })

  it('never are more than the limit and one holder, whatever comes and goes', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff
      return seed % below
    }
    const sizes = new Map<string, number>()
    const all = new ByteShares({ perClient: 300, total: 1000 }, () => {})
    const held = Array.from({ length: 60 }, (_, index) =>
      all.open(`client ${index % 7}`, { giveWay: () => sizes.delete(String(index)) }),
    )
    for (let step = 0; step < 20_000; step++) {
      const index = random(held.length)
      const bytes = random(3) === 0 ? 0 : random(200)
      sizes.set(String(index), bytes)
      held[index]?.set(bytes)
      const sum = [...sizes.values()].reduce((total, size) => total + size, 0)
      expect(all.bytes).toBe(sum)
      expect(all.bytes).toBeLessThanOrEqual(1000)
      for (let client = 0; client < 7; client++)
        expect(all.bytesOf(`client ${client}`)).toBeLessThanOrEqual(300)
    }
  })
})
