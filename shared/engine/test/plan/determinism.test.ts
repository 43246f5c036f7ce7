import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type PrintedCorpus, printedCorpus } from './support/printed-corpus.ts'

const PROGRAM = fileURLToPath(new URL('./support/printed-corpus.ts', import.meta.url))
/** `SEED=… vitest run shared/engine/test/plan/determinism` repeats an order. */
const { seed: SEED } = new RandomRun(import.meta.url, 1)

describe('plans', () => {
  it(`are the same to the byte in every process, however their schemas are written (seed ${SEED})`, async () => {
    const run = await promisify(execFile)(process.execPath, [PROGRAM, String(SEED)], {
      maxBuffer: 64 * 1024 * 1024,
    })
    const there: PrintedCorpus = JSON.parse(run.stdout)
    for (const [suite, plans] of Object.entries(printedCorpus(null)))
      for (const [operation, plan] of Object.entries(plans))
        expect(there[suite]?.[operation], `${suite}: ${operation}`).toBe(plan)
  })
})
