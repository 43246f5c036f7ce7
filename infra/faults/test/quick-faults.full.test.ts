/** The quick ones of `make faults`: whatever is broken, nothing that was acknowledged is lost and no query fails. */
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { natsKilled } from '../src/faults/nats.ts'
import { redisFlushed, redisKilled } from '../src/faults/redis.ts'
import { carryOut, describeRow } from '../src/run/run-faults.ts'

const QUICK = [natsKilled, redisKilled, redisFlushed]

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
    expect(told).toEqual([])
  }, 300_000)
})
