/**
 * The quick ones of `make faults`: whatever is broken, nothing that was acknowledged is lost and no query
 * fails.
 */
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { registryDiskFull } from '../src/faults/disks.ts'
import { killFaults } from '../src/faults/kills.ts'
import { natsKilled } from '../src/faults/nats.ts'
import { recordsTwice, twoRegistries } from '../src/faults/records.ts'
import { subscriptionFaults } from '../src/faults/subscriptions.ts'
import { redisFlushed, redisKilled } from '../src/faults/redis.ts'
import { carryOut, describeRow } from '../src/run/run-faults.ts'

/** Of the kills the one that is hardest to get right: the write happened, and nobody heard of it. */
const COMMITS = killFaults.filter(({ name }) => /after the record/.test(name))
const QUICK = [
  natsKilled,
  redisKilled,
  redisFlushed,
  ...COMMITS,
  twoRegistries,
  recordsTwice,
  ...subscriptionFaults,
  registryDiskFull,
]

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('faults under load', () => {
  it('heal, lose nothing and fail no query', async () => {
    const told: string[] = []
    for await (const row of carryOut(QUICK)) {
      const text = describeRow(row)
      console.log(text)
      if (row.kind === 'skipped') continue
      if (row.kind === 'broken' || row.outcome.complaints.length > 0) told.push(text)
      else expect(row.outcome.written.publishes.length, text).toBeGreaterThan(0)
    }
    expect(COMMITS).toHaveLength(3)
    expect(told).toEqual([])
  })
})
