import type { Failure } from '@switchyard/bench'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MARKERS, withDrill } from '../src/drill/page.ts'
import { lostOnTheWire, type StepResult } from '../src/drill/run-drill.ts'
import { STEPS } from '../src/drill/steps.ts'
import { FILE } from '../src/run/table.ts'

const KILLED_AT = Date.parse('2026-01-01T00:00:10.000Z')

function failure(facts: Partial<Failure>): Failure {
  return {
    kind: 'http-status',
    request: 'plain, POST',
    url: 'http://127.0.0.1/graphql',
    message: 'status 502',
    sentAt: '2026-01-01T00:00:09.990Z',
    at: '2026-01-01T00:00:10.010Z',
    after: 20,
    ...facts,
  }
}

describe('what a killed router takes with it', () => {
  it.each([
    ['an answer of 502 to what was sent before', {}],
    ['a connection that ends before an answer begins', { kind: 'connection', message: 'other side closed' }],
    ['a stream that is cut off', { kind: 'cut-stream', message: 'it ended early' }],
  ] as const)('is %s', (_, facts) => {
    expect(lostOnTheWire([failure(facts)], KILLED_AT)).toEqual({ lost: [failure(facts)], others: [] })
  })

  it.each([
    ['what was sent after it was killed', { sentAt: '2026-01-01T00:00:10.001Z' }],
    ['what was never sent', { sentAt: null }],
    ['a connection that is refused', { kind: 'connection', sentAt: null }],
    ['an answer of 503', { message: 'status 503' }],
    ['a wrong answer', { kind: 'wrong-data', message: 'expected another price' }],
  ] as const)('is not %s', (_, facts) => {
    expect(lostOnTheWire([failure(facts)], KILLED_AT)).toEqual({ lost: [], others: [failure(facts)] })
  })

  it('is nothing where no router was killed', () => {
    expect(lostOnTheWire([failure({})], undefined).lost).toEqual([])
  })
})

describe('the table of the drill', () => {
  const [step] = STEPS
  if (step === undefined) throw new Error('expected a step')
  const result: StepResult = { step, requests: 1200, lost: [failure({})], wrong: [], longest: 1234 }
  const page = `before\n${MARKERS[0]}\nold\n${MARKERS[1]}\nafter\n`

  it('takes the place of the one before', () => {
    const written = withDrill(page, [result], 'facts')
    expect(written).toContain('| 1200 | 1 | none | 1.2 s |')
    expect(written).not.toContain('old')
    expect(written).toMatch(/^before\n[\s\S]*\nafter\n$/)
  })

  it('on the page has a row for each step, in order, and no other failure', () => {
    const faults = readFileSync(FILE, 'utf8')
    const table = faults.slice(faults.indexOf(MARKERS[0]), faults.indexOf(MARKERS[1]))
    const rows = [...table.matchAll(/^\| (.+?) \|.*$/gm)].filter(([, name]) => name !== 'step')
    expect(rows.map(([, name]) => name)).toEqual(STEPS.map(({ name }) => name))
    for (const [row] of rows) expect(row).toContain('| none |')
  })

  it('says what else failed', () => {
    const written = withDrill(page, [{ ...result, wrong: ['plain, GET: timeout: 60 s', 'another'] }], 'facts')
    expect(written).toContain('| **2: plain, GET: timeout: 60 s** |')
  })
})
