/** Programs of a checkout that are started by hand say how. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isFullRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAMS = [
  'infra/scale/src/main.ts',
  'infra/faults/src/main.ts',
  'infra/faults/src/drill/main.ts',
  'infra/hunt/src/main.ts',
  'infra/hunt/src/attacks/main.ts',
  'infra/bench/bench.ts',
  'infra/bench/load.ts',
]

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe.each(PROGRAMS)('%s', (program) => {
  // Each is a process.
  if (isFullRun()) {
    it('has a --help', () => {
      const { status, stdout } = run(program, '--help')
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/usage/i) })
      expect(stdout).toContain(program)
    })
  }

  it('names an option that it does not have', () => {
    const { status, stdout, stderr } = run(program, '--no-such-option')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/error: .*--no-such-option/)
    expect(stderr).not.toContain('    at ')
  })
})
