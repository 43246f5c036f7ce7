import { describe, expect, it } from 'vitest'
import { comparisonTable, growthTable, memoryTable } from '../../src/compare/report.ts'
import type { Results, Sample } from '../../src/compare/run.ts'
import { scenariosNamed } from '../../src/compare/scenarios.ts'

const sample = (gateway: string, scenario: string, cpuMs: number): Sample => ({
  gateway,
  scenario,
  cpuMs,
  perSecond: 1000,
  p50: 1,
  p99: 2,
  residentMb: 100,
  peakMb: 120,
})
const results: Results = {
  starts: [
    { gateway: 'ours', readyMs: 300, restMb: 90 },
    { gateway: 'theirs', readyMs: 900, restMb: 200 },
  ],
  samples: [
    sample('ours', 'small', 0.1),
    sample('ours', 'small', 0.3),
    sample('ours', 'small', 0.2),
    sample('theirs', 'small', 0.5),
    sample('ours', 'traced', 0.4),
    sample('ours', 'answer-1', 0.1),
    sample('ours', 'answer-10', 1),
  ],
}
const reported = { results, scenarios: scenariosNamed([]) }

describe('the report', () => {
  it('shows medians, and how many times ours others take', () => {
    expect(comparisonTable(reported)).toEqual({
      head: ['CPU ms per request', 'ours', 'theirs'],
      rows: [
        ['small query, one subgraph', '0.200', '0.500 (2.5 ×)'],
        ['two hops, traced', '0.400', '–'],
      ],
    })
  })

  it('shows growth apart, with what was measured', () => {
    expect(growthTable(reported).rows).toEqual([
      ['kB of answer', '1: 0.100, 10: 1.00', 'at most linear: ^1.00'],
    ])
  })

  it('shows start and memory of each gateway', () => {
    expect(memoryTable(reported).rows).toEqual([
      ['ours', '300 ms', '90 MB', '–'],
      ['theirs', '900 ms', '200 MB', '–'],
    ])
  })
})

it('a run without the plain set-up has no row about starts', () => {
  const grown = { ...reported, results: { samples: results.samples, starts: [] } }
  expect(memoryTable(grown).rows).toEqual([])
  expect(growthTable(grown).rows).toHaveLength(1)
})
