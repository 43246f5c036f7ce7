/**
 * Known attacks for a moment: nobody else may be refused. How long others wait is for `make
 * hunt-attacks`, on a quiet machine.
 */
import { natsServerAvailable, redisServerAvailable, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ATTACKS } from '../src/attacks/all-attacks.ts'
import { PLATFORM_ATTACKS } from '../src/attacks/platform-attacks.ts'
import { SUBSCRIPTIONS } from '../src/attacks/subscriptions.ts'
import { runAttack } from '../src/attacks/run-attack.ts'
import { runPlatformAttack } from '../src/attacks/run-platform-attack.ts'

/** Within which memory has to go back. */
const REST_MS = 60_000

/** `make hunt-attacks` carries out all of them. Here are some, and of those that cut their input more. */
const isOfPieces = ({ name }: { readonly name: string }) => name.startsWith('20:')
const CARRIED_OUT = [
  ...sampled(
    ATTACKS.filter((attack) => !isOfPieces(attack) && !SUBSCRIPTIONS.includes(attack)),
    12,
  ),
  ...sampled(SUBSCRIPTIONS, 8),
  ...sampled(ATTACKS.filter(isOfPieces), 10),
]

describe('somebody who asks little gets every answer', () => {
  it.each(CARRIED_OUT)('during $name', async (attack) => {
    const options = { seconds: 1, types: 100, restMs: REST_MS }
    const { quiet, tally, after, memoryFault, output } = await runAttack(attack, options)
    expect(output).toBe('')
    expect(after).not.toBeNull()
    expect(memoryFault).toBeNull()
    expect(quiet.failures).toEqual([])
    expect(quiet.requests).toBeGreaterThan(10)
    expect(tally.requests).toBeGreaterThan(0)
  })
})

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())(
  'so does he while what feeds routers is attacked',
  () => {
    it.each(PLATFORM_ATTACKS)(
      'by $name',
      async (attack) => {
        const { quiet, published, tally, after, memoryFault, output } = await runPlatformAttack(attack, {
          seconds: 3,
          restMs: REST_MS,
        })
        expect(output).toBe('')
        expect(after).not.toBeNull()
        expect(memoryFault).toBeNull()
        expect(quiet.failures).toEqual([])
        expect(quiet.requests).toBeGreaterThan(10)
        expect(tally.requests).toBeGreaterThan(0)
        // What somebody else publishes is served.
        expect(published.length > 0).toBe(attack.mayHoldBack !== true)
      },
      120_000,
    )
  },
)
