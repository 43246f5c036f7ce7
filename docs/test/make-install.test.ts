import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What make would do for a target if nothing was built yet. */
function steps(target: string): string {
  const { stdout } = spawnSync('make', ['--dry-run', '--always-make', target], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return stdout
}

it('make install builds the playground and Studio, which the README promises', () => {
  expect(steps('install')).toContain('node shared/playground/src/main.ts')
  expect(steps('install')).toContain('node shared/studio/src/main.ts')
})

it('make test does not build it first, since its tests do what they need', () => {
  expect(steps('test')).toContain('scripts/run-tests.ts')
  expect(steps('test')).not.toContain('shared/playground/src/main.ts')
  expect(steps('test')).not.toContain('shared/studio/src/main.ts')
})
