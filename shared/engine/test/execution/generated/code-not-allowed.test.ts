import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/three-answers.ts', import.meta.url))

const answersOf = async (...flags: readonly string[]): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--no-warnings', SCRIPT])
  return JSON.parse(stdout)
}

describe('a process that may not make functions from text', () => {
  const answers = [0, 1, 2].map((count) => ({ data: { product: { name: `name ${count}` } }, errors: [] }))

  it('answers like any other', async () => {
    expect(await answersOf('--disallow-code-generation-from-strings')).toEqual({ isAllowed: false, answers })
    expect(await answersOf()).toEqual({ isAllowed: true, answers })
  })
})
