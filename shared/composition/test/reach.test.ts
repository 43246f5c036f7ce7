import { describe, expect, it } from 'vitest'
import { readMarks } from './errors/marks.ts'
import { unreachable } from './errors/unreachable.ts'
import { composeByLibrary } from '../differential/library.ts'
import { SETS } from './sets/index.ts'
import { mergeSdls } from './subgraph-fixtures.ts'
import { judgeText } from './unreachable-findings.ts'

const SETS_TO_JUDGE = [
  ...Object.values(SETS)
    .flat()
    .filter((set) => 'facts' in set)
    .map(({ name, subgraphs }) => ({ name, sdls: subgraphs, verdict: 'reachable' })),
  ...unreachable.map((set) => ({ name: set.name, sdls: readMarks(set).sdls, verdict: 'unreachable' })),
]

describe('a set that is legal in every other way', () => {
  it.each(SETS_TO_JUDGE)('is judged: $name', ({ sdls, verdict }) => {
    const { findings, isDecided } = judgeText(mergeSdls(sdls))
    expect(isDecided).toBe(true)
    const fields = findings.map(({ field }) => `${field.type}.${field.name}`).join()
    expect(findings.length > 0 ? 'unreachable' : 'reachable', fields).toBe(verdict)
  })

  it.each(unreachable)('is refused by the library, too: $name', (set) => {
    const { sdls } = readMarks(set)
    expect(composeByLibrary(sdls)).toBeNull()
    expect(composeByLibrary(sdls, ['SatisfiabilityRule'])).not.toBeNull()
  })
})
