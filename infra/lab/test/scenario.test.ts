import { describe, expect, it } from 'vitest'
import { chosenScenarios, reportResults } from '../src/scenario.ts'

const ALL = [{ name: 'NATS killed' }, { name: 'Redis killed' }, { name: 'five flags, published often' }]
const chosen = (only: string) => chosenScenarios(ALL, only).map(({ name }) => name)

describe('scenarios', () => {
  it('are chosen by parts of their names', () => {
    expect(chosen('')).toHaveLength(3)
    expect(chosen('killed')).toEqual(['NATS killed', 'Redis killed'])
    expect(chosen('nats, flags')).toEqual(['NATS killed', 'five flags, published often'])
    expect(chosen('flags, published')).toEqual(['five flags, published often'])
  })

  it('are named where a part fits none of them', () => {
    expect(() => chosen('nats,disk')).toThrow(
      '--only disk: there is no such scenario. Expected parts of: NATS killed, Redis killed, five flags, published often',
    )
  })

  it('are written after each result, until somebody interrupts', async () => {
    const interrupted = new AbortController()
    const written: number[] = []
    const results = (async function* () {
      yield 1
      interrupted.abort()
      yield 2
      yield 3
    })()
    const isGood = await reportResults(results, {
      describe: String,
      isGood: (result) => result < 2,
      write: async (all) => void written.push(all.length),
      signal: interrupted.signal,
    })
    expect({ isGood, written }).toEqual({ isGood: false, written: [1, 2] })
  })
})
