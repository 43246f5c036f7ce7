import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@switchyard/e2e'
import { describe, expect, it } from 'vitest'
import { FAULTS } from '../src/faults/index.ts'
import { BEGIN, END, withTable } from '../src/run/table.ts'
import type { Row } from '../src/run/table.ts'
import type { Fault } from '../src/fault.ts'

const page = readFileSync(join(REPOSITORY, 'docs/faults.md'), 'utf8')

const fault: Fault = {
  name: 'cable pulled',
  done: 'pulled | put back',
  why: 'It is a cable.',
  begin: async () => {},
  lasts: 0,
  end: async () => {},
  healsWithin: 1,
}
const acknowledged = {
  key: 'k',
  sequence: 1,
  changed: true,
  milliseconds: 1234,
  refusals: ['STORAGE_UNAVAILABLE'],
}
const outcome = {
  fault,
  asked: {
    total: 10,
    failed: 3,
    failures: new Map([
      ['connection: reset', 2],
      ['connection: refused', 1],
    ]),
    p99: 5,
    longest: 700,
  },
  written: { publishes: [acknowledged], fields: ['a'], toggles: [], isEnabled: true },
  losses: [],
  healedAfter: 1500,
  complaints: [],
}
const tableOf = (row: Row) => withTable(`prose\n${BEGIN}\nold\n${END}\nmore`, [row], 'facts')

describe('the table of faults', () => {
  it('replaces what is between the markers, and nothing else', () => {
    const table = tableOf({ fault, kind: 'done', outcome })
    expect(table).toMatch(/^prose\n/)
    expect(table).toMatch(/\nmore$/)
    expect(table).not.toContain('old')
    expect(table).toContain(
      '| cable pulled | pulled \\| put back | 3 of 10 (3 × connection), 0.7 s | 1 of 1 (`STORAGE_UNAVAILABLE`), 1.2 s | nothing | 1.5 s | It is a cable. |',
    )
  })

  it('says loudly what was lost, what did not hold, and what was not tried', () => {
    const bad = { ...outcome, losses: ['record 7'], complaints: ['record 7'] }
    expect(tableOf({ fault, kind: 'done', outcome: bad })).toContain(
      '| **record 7** | 1.5 s | **WRONG: record 7**',
    )
    expect(tableOf({ fault, kind: 'skipped', reason: 'no cable' })).toContain('**skipped**: no cable.')
    expect(tableOf({ fault, kind: 'broken', reason: 'it tore\nat here' })).toContain(
      '**did not run**: it tore |',
    )
  })

  it('on the page has a row for each fault that the run came to, in order, and nothing wrong in it', () => {
    const table = page.slice(page.indexOf(BEGIN), page.indexOf(END))
    const rows = [...table.matchAll(/^\| (.+?) \|/gm)].map(([, name]) => name)
    const names = rows.filter((name) => name !== 'fault')
    const ended = /The run ended after (\d+) of \d+ faults/.exec(page)?.[1]
    expect(names.length).toBeGreaterThan(0)
    expect(names).toEqual(FAULTS.slice(0, Number(ended ?? FAULTS.length)).map(({ name }) => name))
    expect(page).not.toContain('WRONG:')
    expect(page).not.toContain('**did not run**')
  })

  it('is of faults with names that can be told apart', () => {
    const names = FAULTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { done, why } of FAULTS) expect(done.length * why.length).toBeGreaterThan(0)
  })
})
