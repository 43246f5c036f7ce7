/** Answers of more than 256 KiB are read in slices; what comes of it is the same. */
import { ExecutionLimitError, executionWork, type SubgraphReply } from '@switchyard/engine'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../../src/call/in-flight/read-json.ts'
import { readLargeJson } from '../../src/call/in-flight/read-large-json.ts'
import { AnswerIntake } from '../../src/call/in-flight/answer-intake.ts'
import { AnswerTurns } from '../../src/call/in-flight/answer-turns.ts'
import { CallInFlight } from '../../src/call/in-flight/call-in-flight.ts'
import { SubgraphCall } from '../../src/call/subgraph-call.ts'
import { data, json, type Ledger, startLedger } from '../support/ledger.ts'
import { post } from '../support/router.ts'

const RUN = new RandomRun(import.meta.url, 2000)

const work = (maxSteps = 1e9, next: () => Promise<void> = () => Promise.resolve()) =>
  executionWork({ next }, maxSteps)

/** Whole answers, and such as one byte was changed of. */
const answers = fc
  .record({
    begin: fc.constantFrom('', '', '', '\ufeff', ' ', '\ufeff\ufeff', '\ufffd'),
    body: fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc
        .json()
        .map((value) => `{"data":${value},"errors":[{"extensions":${value},"n":12345678901234567890}]}`),
      fc.json().map((value) => `{"data":[${value},"漢é𝄞\ufffd"],"n":0.12345678901234567890}`),
    ),
    at: fc.nat(),
    byte: fc.option(fc.constantFrom(0xff, 0xc3, 0x80, 0x22, 0x7d, 0x5c, 0x20), { freq: 2 }),
    cuts: fc.array(fc.nat(), { maxLength: 3 }),
  })
  .map(({ begin, body, at, byte, cuts }) => {
    const bytes = Buffer.from(begin + body)
    if (byte !== null) bytes[at % bytes.length] = byte
    const ends = cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b)
    return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
  })

describe('a large answer', () => {
  it(`is read as a small one is (seed ${RUN.seed})`, { timeout: RUN.timeout(60_000) }, async () => {
    const seen = new Map<unknown, number>()
    const property = fc.asyncProperty(answers, fc.boolean(), async (chunks, exactNumbers) => {
      const expected = readJson(Buffer.concat(chunks), exactNumbers)
      const { turns, budget } = work()
      expect(await readLargeJson(chunks, exactNumbers, turns, budget)).toStrictEqual(expected)
      const kind = 'problem' in expected ? expected.problem : 'read'
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
    })
    await fc.assert(property, RUN.parameters)
    for (const kind of ['read', 'an answer that is not JSON', 'an answer that is not UTF-8'])
      expect(seen.get(kind), kind).toBeGreaterThan(RUN.runs / 20)
  })

  it.each([
    ['nests too deeply', `${'['.repeat(2001)}${']'.repeat(2001)}`, 'an answer that nests too deeply'],
    [
      'has a number of many digits',
      '1'.repeat(2_200_000),
      'an answer with a number of more than 65536 characters',
    ],
  ])('is refused if it %s', async (_, text, problem) => {
    const { turns, budget } = work()
    expect(await readLargeJson([Buffer.from(text)], false, turns, budget)).toEqual({ problem })
  })

  it('is read in slices where it is one string', async () => {
    let count = 0
    const { turns, budget } = work(1e9, () => Promise.resolve(void count++))
    const bytes = Buffer.from(JSON.stringify({ data: 'é'.repeat(4_000_000) }))
    expect(await readLargeJson([bytes], false, turns, budget)).toEqual(readJson(bytes, false))
    expect(count).toBeGreaterThanOrEqual(8_000_000 / 1024 / 1024 - 1)
  })

  it.each([
    ['objects with names of their own', (index: number) => `{"${index.toString(36)}":0}`, 2],
    ['empty lists', () => '[]', 2],
    ['numbers', () => '7', 1],
  ])('is read up to so many values in one turn: %s', async (_, item, valuesOfItem) => {
    let turns = 0
    const { budget } = work()
    let spent = 0
    let most = 0
    const next = () => {
      turns++
      most = Math.max(most, budget.spent - spent)
      spent = budget.spent
      return Promise.resolve()
    }
    const items = Array.from({ length: 200_000 }, (_item, index) => item(index))
    const bytes = Buffer.from(`{"data":[${items.join(',')}]}`)
    expect(await readLargeJson([bytes], false, { next }, budget)).toEqual(readJson(bytes, false))
    expect(turns).toBeGreaterThanOrEqual(Math.floor((200_000 * valuesOfItem) / 32_769))
    expect(most).toBeLessThanOrEqual(32_769)
  })

  it('is not read further than the budget of the request reaches', async () => {
    const { turns, budget } = work(1000)
    const reading = readLargeJson([Buffer.from(`[${'0,'.repeat(1_000_000)}0]`)], false, turns, budget)
    await expect(reading).rejects.toThrow(ExecutionLimitError)
    // What it says is noticed window by window.
    expect(budget.spent).toBeLessThan(40_000)
  })
})

/** A call whose answer has arrived and is being read: up to the first turn. */
function callBeingRead() {
  const replies: SubgraphReply[] = []
  let wake = () => {}
  let turns = 0
  const next = () => {
    turns++
    return new Promise<void>((resolve) => (wake = resolve))
  }
  const inFlight = new CallInFlight({
    turns: new AnswerTurns(),
    codings: [],
    subgraph: 'ledger',
    context: { traceId: '', spanId: '', traceFlags: 0 },
    maxResponseSize: 1e9,
    intake: new AnswerIntake(Number.MAX_SAFE_INTEGER),
    onOver: () => {},
  })
  const call = new SubgraphCall({
    call: inFlight,
    size: { received: () => {} },
    subgraph: 'ledger',
    exactNumbers: false,
    maxResponseSize: 1e9,
    timeout: 5,
    work: work(1e9, next),
    settle: (reply) => replies.push(reply),
  })
  const aborts: unknown[] = []
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason: unknown) => aborts.push(reason),
    pause() {},
    resume() {},
  }
  inFlight.onRequestStart(controller)
  inFlight.onResponseStart(controller, 200, { 'content-type': 'application/json' })
  inFlight.onResponseData(controller, Buffer.from(`{"data":{"a":[${'0,'.repeat(500_000)}0]}}`))
  inFlight.onResponseEnd()
  return { call, replies, aborts, turns: () => turns, wake: () => wake() }
}

describe('a call whose large answer is being read', () => {
  it.each([
    ['its deadline', 'SUBGRAPH_TIMEOUT', (call: SubgraphCall) => call.expire()],
    ['its client leaving', 'SUBGRAPH_CANCELLED', (call: SubgraphCall) => call.cancel()],
  ])('is ended by %s, and reads no further', async (_, code, end) => {
    const { call, replies, aborts, turns, wake } = callBeingRead()
    expect(replies).toEqual([])
    expect(turns()).toBe(1)
    end(call)
    expect(replies).toMatchObject([{ kind: 'failure', code }])
    wake()
    await new Promise(setImmediate)
    expect(turns()).toBe(1)
    expect(replies).toHaveLength(1)
    // Its connection may be another call's by now.
    expect(aborts).toEqual([])
  })

  it('settles once everything is read', async () => {
    const { replies, turns, wake } = callBeingRead()
    for (let before = 0; replies.length === 0 && before < turns(); ) {
      before = turns()
      wake()
      await new Promise(setImmediate)
    }
    expect(replies).toMatchObject([{ kind: 'answer', status: 200 }])
    // One before it begins, and one for each window of 65,536 bytes in 1,000,000 but the first.
    expect(turns()).toBe(16)
  })
})

describe('a router', () => {
  let world: Ledger

  beforeAll(async () => {
    world = await startLedger('limits: { max_execution_steps: 100000 }')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const padded = (text: string) => text.replace(/^\{/, `{"extensions":"${'x'.repeat(300_000)}",`)

  it('answers with what a large answer holds', async () => {
    world.ledger.answers(json(padded('{"data":{"account":{"number":1}}}')))
    const { json: answer } = await post(world.router, { query: '{ account { number } }' })
    expect(answer).toEqual({ data: { account: { number: 1 } } })
  })

  it('says so when a subgraph sends more values than a request may hold, and serves the next', async () => {
    world.ledger.answers(data(`{"account":{"number":1,"x":[${'0,'.repeat(150_000)}0]}}`))
    const { json: answer } = await post(world.router, { query: '{ account { number } }' })
    expect(answer).toEqual({
      data: null,
      errors: [
        {
          message: expect.stringContaining('limits.max_execution_steps'),
          extensions: { code: 'EXECUTION_LIMIT_EXCEEDED' },
        },
      ],
    })
    expect(world.router.logs).toContainEqual(
      expect.objectContaining({ subgraph: 'ledger', code: 'SUBGRAPH_RESPONSE_TOO_LARGE' }),
    )
    world.ledger.answers(data('{"account":{"number":2}}'))
    const { json: next } = await post(world.router, { query: '{ account { number } }' })
    expect(next).toEqual({ data: { account: { number: 2 } } })
  })
})
