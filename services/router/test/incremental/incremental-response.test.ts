import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PendingFragment } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import {
  IncrementalResponse,
  type PartObserver,
  type ResponseForm,
} from '../../src/incremental/incremental-response.ts'
import { MultipartStream } from '../../src/incremental/multipart-stream.ts'
import { OpenStreams } from '../../src/incremental/open-streams.ts'
import { readParts } from '../support/parts.ts'

const fragments = (...ids: string[]): PendingFragment[] => ids.map((id) => ({ id, path: [] }))

/**
 * The parts that a client reads when `deliver` has done its work, and how many errors were told of in each.
 */
async function partsOf(deliver: (response: IncrementalResponse) => void, form: ResponseForm = {}) {
  const told: [errors: number, isLast: boolean][] = []
  const costs: (number | null)[] = []
  const server = createServer((_, response) => {
    const stream = new MultipartStream(response, () => ({}), { pause: () => {}, resume: () => {} })
    const onPart: PartObserver = (errors, isLast, cost) => {
      told.push([errors.count, isLast])
      costs.push(cost)
    }
    deliver(new IncrementalResponse(stream, onPart, form))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [answer] = await once(get({ port: (server.address() as AddressInfo).port }), 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  server.close().closeAllConnections()
  return { parts: readParts(chunks).map((part) => JSON.parse(part.text)), told, costs }
}

describe('an incremental response that is given up', () => {
  it('completes with the error what was announced and not delivered, nested fragments too', async () => {
    const { parts, told } = await partsOf((response) => {
      response.initial({ data: {}, errors: [], pending: fragments('1', '2'), hasNext: true })
      const pending = fragments('3')
      response.subsequent({ incremental: [], completed: [{ id: '1' }], pending, hasNext: true })
      expect(response.giveUp('DRAINING', 'over')).toBe(true)
      // What still comes from elsewhere belongs to nothing.
      response.subsequent({ incremental: [], completed: [{ id: '2' }], pending: [], hasNext: true })
      expect(response.giveUp('DRAINING', 'over')).toBe(true)
    })
    const errors = [{ message: 'over', extensions: { code: 'DRAINING' } }]
    expect(parts.slice(2)).toEqual([
      { completed: [{ id: '2', errors }], hasNext: true },
      { completed: [{ id: '3', errors }], hasNext: false },
    ])
    expect(told).toEqual([
      [0, false],
      [0, false],
      [1, false],
      [1, true],
    ])
  })

  it('has cost what was sent until then', async () => {
    const { costs } = await partsOf((response) => {
      response.initial({ data: {}, errors: [], pending: fragments('1', '2'), hasNext: true }, 0, 3)
      response.subsequent({ incremental: [], completed: [{ id: '1' }], pending: [], hasNext: true }, 0, 5)
      response.giveUp('DRAINING', 'over')
    })
    expect(costs).toEqual([3, 5, 5])
  })

  it('completes with the error by one part what was announced object by object', async () => {
    const { parts, told } = await partsOf(
      (response) => {
        const items = Array.from({ length: 1_000 }, (_, index) => String(index + 1))
        response.initial({ data: {}, errors: [], pending: fragments(...items), hasNext: true })
        response.subsequent({
          incremental: [],
          completed: [{ id: '2' }, { id: '3' }],
          pending: [],
          hasNext: true,
        })
        expect(response.giveUp('DRAINING', 'over')).toBe(true)
        expect(response.giveUp('DRAINING', 'over')).toBe(true)
      },
      { pendingPer: 'item' },
    )
    expect(parts).toHaveLength(3)
    expect(parts[2].completed).toHaveLength(998)
    expect(parts[2].completed[1]).toEqual({
      id: '4',
      errors: [{ message: 'over', extensions: { code: 'DRAINING' } }],
    })
    expect(parts[2].hasNext).toBe(false)
    expect(told.at(-1)).toEqual([998, true])
  })

  it('is not begun for it', async () => {
    const { parts } = await partsOf((response) => {
      expect(response.giveUp('DRAINING', 'over')).toBe(false)
      response.initial({ data: {}, errors: [], pending: [], hasNext: false })
    })
    expect(parts).toEqual([{ data: {}, hasNext: false }])
  })
})

describe('open streams', () => {
  it('are ended together, and waited for until their clients have read the end', async () => {
    const streams = new OpenStreams()
    const ended: number[] = []
    const first = streams.add(() => ended.push(1))
    const second = streams.add(() => ended.push(2))
    streams.add(() => ended.push(3))[Symbol.dispose]()
    let over = false
    const all = streams.endAll(60_000).then(() => (over = true))
    expect(ended).toEqual([1, 2])
    first[Symbol.dispose]()
    await new Promise(setImmediate)
    expect(over).toBe(false)
    second[Symbol.dispose]()
    await all
    await streams.endAll(60_000)
  })

  it('are waited for only so long', async () => {
    const streams = new OpenStreams()
    streams.add(() => {})
    await streams.endAll(1)
  })
})

describe('an incremental response with extensions that take long', () => {
  it('keeps the order of its parts, and has what was there when a part was delivered', async () => {
    const made: ((extensions: string) => void)[] = []
    const later: string[] = []
    const extensions = () => new Promise<string>((resolve) => made.push(resolve))
    const { parts, told } = await partsOf(
      (response) => {
        const shown = { a: 1 }
        response.initial({ data: shown, errors: [], pending: fragments('1'), hasNext: true })
        shown.a = 2
        const incremental = [{ id: '1', data: { b: 1 } }]
        response.subsequent({ incremental, completed: [{ id: '1' }], pending: [], hasNext: false })
        later.push(`${made.length} asked for`)
        made[0]?.('{"first":"--graphql"}')
        setImmediate(() => {
          later.push(`${made.length} asked for`)
          made[1]?.('{"last":true}')
        })
      },
      { extensions },
    )
    expect(parts).toEqual([
      {
        data: { a: 1 },
        extensions: { first: '--graphql' },
        pending: [{ id: '1', path: [] }],
        hasNext: true,
      },
      {
        incremental: [{ id: '1', data: { b: 1 } }],
        completed: [{ id: '1' }],
        extensions: { last: true },
        hasNext: false,
      },
    ])
    expect(later).toEqual(['1 asked for', '2 asked for'])
    expect(told).toEqual([
      [0, false],
      [0, true],
    ])
  })

  it('can be given up while its first part waits', async () => {
    let make: (extensions: string) => void = () => {}
    const extensions = () => new Promise<string>((resolve) => (make = resolve))
    const { parts } = await partsOf(
      (response) => {
        response.initial({ data: {}, errors: [], pending: fragments('1'), hasNext: true })
        expect(response.giveUp('DRAINING', 'over')).toBe(true)
        make('{"first":true}')
        setImmediate(() => make('{"last":true}'))
      },
      { extensions },
    )
    expect(parts).toMatchObject([
      { extensions: { first: true }, hasNext: true },
      { completed: [{ id: '1', errors: [{ message: 'over' }] }], extensions: { last: true }, hasNext: false },
    ])
  })
})
