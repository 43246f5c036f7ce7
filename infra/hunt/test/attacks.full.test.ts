/** Every known attack for a moment: nobody else may be refused. How long others wait is for `make hunt-attacks`, on a quiet machine. */
import { describe, expect, it } from 'vitest'
import { ATTACKS } from '../src/attacks/all-attacks.ts'
import { runAttack } from '../src/attacks/run-attack.ts'

describe('somebody who asks little gets every answer', () => {
  it.each(ATTACKS)('during $name', async (attack) => {
    const { quiet, tally, after, output } = await runAttack(attack, { seconds: 1, types: 100 })
    expect(output).toBe('')
    expect(after).not.toBeNull()
    expect(quiet.failures).toEqual([])
    expect(quiet.requests).toBeGreaterThan(10)
    expect(tally.requests).toBeGreaterThan(0)
  })
})
