/** Documents that routers share, on a Redis that is played: what is asked, what is believed, and how much. */
import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { AutomaticDocuments } from '../../../src/concerns/documents/automatic-documents.ts'
import { SharedDocuments } from '../../../src/concerns/documents/shared-documents.ts'
import { SharedDocumentEvents } from '../../../src/concerns/documents/shared-events.ts'
import { sha256 } from '../../support/manifests.ts'

type Answer = (args: readonly string[]) => unknown

function started(answer: Answer, more: { timeout?: number; maxWritten?: number } = {}) {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    name: 'router',
    to: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const clock = { now: 0 }
  const asked: { readonly key: string; readonly args: readonly string[]; readonly writes: boolean }[] = []
  const shared = new SharedDocuments({
    redis: {
      run: async ({ text }, [key = ''], args) => {
        asked.push({ key, args, writes: text.includes('SET') })
        return answer(args)
      },
    },
    prefix: 'p',
    timeout: 1000,
    keptFor: 5000,
    maxWritten: 1_000_000,
    events: new SharedDocumentEvents(logger),
    now: () => clock.now,
    ...more,
  })
  const events = () => lines.map(({ event }) => event)
  return { shared, asked, clock, events }
}

const TEXT = '{ version }'
const KEY = sha256(TEXT)

describe('documents that routers share', () => {
  it('are asked for once by all who want one at the same time, and kept for longer', async () => {
    const { shared, asked } = started(() => TEXT)
    const one = shared.get(KEY)
    expect(shared.get(KEY)).toBe(one)
    expect(await one).toBe(TEXT)
    expect(asked).toEqual([{ key: `p:document:${KEY}`, args: ['5000', '600000'], writes: false }])
    expect(await shared.get(KEY)).toBe(TEXT)
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['another text', '{ fails }'],
    ['no text', 7],
    ['half of a pair', '{ version } # \ud800'],
  ])('are not believed: %s', async (_, stored) => {
    const { shared, events } = started(() => stored)
    expect(await shared.get(KEY)).toBeNull()
    expect(await shared.get(KEY)).toBeNull()
    expect(events()).toEqual(['documents.shared-wrong'])
  })

  it('are not asked for by more than 256 at a time', async () => {
    const open = Promise.withResolvers<null>()
    const { shared, asked } = started(() => open.promise)
    const all = Array.from({ length: 300 }, (_, index) => shared.get(sha256(String(index))))
    const asking = all.filter((one) => one !== null)
    expect(asking).toHaveLength(256)
    open.resolve(null)
    expect(await Promise.all(asking)).toEqual(Array(256).fill(null))
    expect(asked).toHaveLength(256)
    expect(await shared.get(KEY)).toBeNull()
    expect(asked).toHaveLength(257)
  })

  it('are written within the bytes of an hour, and none that is too large', async () => {
    const { shared, asked, clock } = started(() => 1, { maxWritten: 20_000 })
    const add = (letter: string, length: number) =>
      shared.add(sha256(letter), letter.repeat(length), `client ${letter}`, 'new')
    const written = () => asked.map(({ args }) => args[1]?.[0])
    add('a', 3900)
    add('b', 3900)
    add('c', 100)
    add('d', 700_000)
    expect(written()).toEqual(['a', 'b'])
    clock.now += 60 * 60 * 1000
    add('c', 100)
    expect(written()).toEqual(['a', 'b', 'c'])
  })

  it('of one client leave a half of these bytes to others', async () => {
    const { shared, asked } = started(() => 1, { maxWritten: 200 * 1024 })
    for (let count = 0; count < 1000; count++) shared.add(sha256(`${count}`), 'a', 'greedy', 'new')
    expect(asked).toHaveLength(49)
    await new Promise(setImmediate)
    shared.add(sha256('b'), 'b'.repeat(40_000), 'modest', 'new')
    expect(asked).toHaveLength(50)
  })

  it('leave a half of these bytes to documents that are used again and again', async () => {
    const { shared, asked } = started(() => 1, { maxWritten: 100 * 1024 })
    for (let count = 0; count < 1000; count++) {
      shared.add(sha256(`${count}`), 'a', `stranger ${count}`, 'new')
      await new Promise(setImmediate)
    }
    expect(asked).toHaveLength(49)
    expect(shared.add(sha256('b'), 'b', 'c', 'new')).toBe(false)
    expect(shared.add(sha256('b'), 'b', 'c', 'used')).toBe(true)
    expect(asked).toHaveLength(50)
  })

  it('are written once they are used in two minutes, if they could not be when they were sent', () => {
    const clock = { now: 0 }
    const automatic = new AutomaticDocuments(100_000, () => clock.now)
    const offered: string[] = []
    let isWritten = false
    const use = () => {
      automatic.get(KEY)
      automatic.offer(KEY, (text, client) => {
        offered.push(`${client}: ${text}`)
        return isWritten
      })
      return offered.length
    }
    automatic.add(KEY, TEXT, '192.0.2.1')
    expect([use(), use()]).toEqual([0, 0])
    clock.now += 60_000
    expect([use(), use()]).toEqual([1, 1])
    isWritten = true
    clock.now += 60_000
    expect([use(), use()]).toEqual([2, 2])
    clock.now += 60_000
    expect(use()).toBe(2)
    expect(offered).toEqual(Array(2).fill(`192.0.2.1: ${TEXT}`))
  })

  it('cost nothing of the bytes of an hour while Redis is away', async () => {
    let fails = true
    const { shared, asked, clock } = started(
      () => {
        if (fails) throw new Error('away')
        return null
      },
      { maxWritten: 8000 },
    )
    for (let count = 0; count < 3; count++) await shared.get(KEY)
    for (let count = 0; count < 10; count++) shared.add(sha256(`${count}`), 'a'.repeat(900), 'c', 'new')
    clock.now += 1000
    fails = false
    await shared.get(KEY)
    shared.add(sha256('b'), 'b'.repeat(900), 'c', 'new')
    expect(asked.filter(({ writes }) => writes).map(({ args }) => args[1]?.[0])).toEqual(['b'])
  })

  it('are done without while Redis fails, but for one question in a second', async () => {
    let fails = true
    const { shared, asked, clock, events } = started(() => {
      if (fails) throw new Error('away')
      return null
    })
    for (let count = 0; count < 3; count++) expect(await shared.get(KEY)).toBeNull()
    expect(events()).toEqual(['documents.shared-away'])
    expect(shared.get(KEY)).toBeNull()
    shared.add(KEY, TEXT, 'c', 'new')
    expect(asked).toHaveLength(3)
    clock.now += 1000
    fails = false
    expect(await shared.get(KEY)).toBeNull()
    expect(events()).toEqual(['documents.shared-away', 'documents.shared-back'])
    expect(shared.get(KEY)).not.toBeNull()
  })

  it('are not waited for longer than the settings say', async () => {
    const { shared } = started(() => new Promise(() => {}), { timeout: 10 })
    expect(await shared.get(KEY)).toBeNull()
  })
})
