/** Large answers are printed in slices, and are the same as if they were not. */
import { ExecutionLimitError, executionWork } from '@switchyard/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printInTurns } from '../../src/http/print-in-turns.ts'
import { BOUNDARY_ESCAPE } from '../../src/http/boundary.ts'
import { data, type Ledger, startLedger } from '../support/ledger.ts'
import { readParts } from '../support/parts.ts'
import { post } from '../support/router.ts'
import { http2SessionOn } from '../support/streams.ts'

const STREAM = { accept: 'multipart/mixed;incrementalSpec=v0.2' }
const ITEMS = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `--graphql "漢" ${id}` }))

function printing(maxSteps = 1e9, isGone = () => false) {
  const printed: number[] = []
  let turns = 0
  const next = () => {
    turns++
    return Promise.resolve()
  }
  const work = executionWork({ next }, maxSteps)
  const size = { printed: (bytes: number) => void printed.push(bytes) }
  return { given: { work, size, isGone }, printed, turns: () => turns, work }
}

describe('printing in turns', () => {
  it('takes a turn for some hundred kilobytes, and tells how many bytes there are', async () => {
    const { given, printed, turns } = printing()
    const pieces = await printInTurns(ITEMS, given)
    const bytes = Buffer.concat(pieces ?? [])
    expect(bytes.toString() === JSON.stringify(ITEMS)).toBe(true)
    expect(turns()).toBeGreaterThan(bytes.length / 1_000_000)
    expect(printed).toEqual(
      printed
        .toSorted((a, b) => a - b)
        .slice(1)
        .concat(0),
    )
    expect(printed).toHaveLength(turns() + 1)
  })

  it('ends when nobody waits for the answer any more', async () => {
    let left = 2
    const { given, printed, turns } = printing(1e9, () => left-- === 0)
    expect(await printInTurns(ITEMS, given)).toBeNull()
    expect(turns()).toBe(3)
    expect(printed.at(-1)).toBe(0)
  })

  it('draws from the budget of its request', async () => {
    const { given, printed } = printing(1000)
    await expect(printInTurns(ITEMS, given)).rejects.toThrow(ExecutionLimitError)
    expect(printed.at(-1)).toBe(0)
  })
})

describe('a router', () => {
  let world: Ledger

  beforeAll(async () => {
    world = await startLedger('limits: { max_execution_steps: 900000 }\nengine: { enable_defer: true }')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const answer = (settings: unknown) => {
    const account = `{"__typename":"Account","number":1,"settings":${JSON.stringify(settings)}}`
    world.ledger.answers(data(`{"account":${account},"_entities":[${account}]}`))
  }
  const QUERY = '{ account { number settings } }'
  const DEFERRED = '{ account { number ...@defer { settings } } }'
  const expected = JSON.stringify({ data: { account: { number: 1, settings: ITEMS } } })

  it('answers over HTTP/1.1 with all of it, and says how much that is', async () => {
    answer(ITEMS)
    const { text, headers } = await post(world.router, { query: QUERY })
    expect(text === expected).toBe(true)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(expected)))
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  it('answers over HTTP/2 with all of it, and says how much that is', async () => {
    answer(ITEMS)
    using session = await http2SessionOn(world.router)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
    })
    let length = ''
    stream.on('response', (headers) => (length = String(headers['content-length'])))
    stream.end(JSON.stringify({ query: QUERY }))
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString() === expected).toBe(true)
    expect(length).toBe(String(Buffer.byteLength(expected)))
  })

  it('delivers all of a deferred fragment, without what clients take for a boundary', async () => {
    answer(ITEMS)
    const { text } = await post(world.router, { query: DEFERRED }, STREAM)
    const parts = readParts([Buffer.from(text)]).map((part) => part.text)
    expect(parts).toHaveLength(2)
    const [, later = ''] = parts
    const read: unknown = JSON.parse(later)
    expect(read).toMatchObject({ completed: [{}], hasNext: false })
    const escaped = (value: unknown) =>
      JSON.stringify(value).replaceAll(BOUNDARY_ESCAPE.text, BOUNDARY_ESCAPE.as)
    expect(later === escaped(read)).toBe(true)
    expect(later.includes(escaped(ITEMS))).toBe(true)
  })

  // Few values, which take few steps until they are printed: names that clients chose are repeated in each.
  const NAME = 'n'.repeat(300_000)
  const tags = Array.from({ length: 50 }, (_, number) => ({ number }))

  it('refuses an answer that is too much to be printed, and goes on', async () => {
    world.ledger.answers(data(JSON.stringify({ accounts: tags })))
    const { json } = await post(world.router, { query: `{ accounts { ${NAME}: number } }` })
    const extensions = { code: 'EXECUTION_LIMIT_EXCEEDED' }
    expect(json).toEqual({
      data: null,
      errors: [{ message: expect.stringContaining('limits.max_execution_steps'), extensions }],
    })
    expect((await post(world.router, { query: '{ accounts { number } }' })).json).toEqual({
      data: { accounts: tags },
    })
  })

  it('completes a fragment that is too much to be printed with the reason', async () => {
    answer(Array.from({ length: 50 }, () => 'x'.repeat(250_000)))
    const { text } = await post(world.router, { query: DEFERRED }, STREAM)
    const [first, second, ...others] = readParts([Buffer.from(text)]).map((part) => JSON.parse(part.text))
    expect(first).toMatchObject({ data: { account: { number: 1 } }, hasNext: true })
    expect(second).toMatchObject({
      completed: [{ id: '1', errors: [{ extensions: { code: 'EXECUTION_LIMIT_EXCEEDED' } }] }],
      hasNext: false,
    })
    expect(others).toEqual([])
  })
})
