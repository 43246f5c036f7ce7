/**
 * Runs the tests that ask random questions with a seed from the clock, which is printed first, so that the
 * run can be repeated.
 *
 *   SEED=… RUNS=… node scripts/fuzz.ts [vitest filters]
 *
 * Without RUNS each asks as many as in `make test`. What is found becomes a test with a name: nobody else
 * will draw it again.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

const seed = process.env['SEED'] || String(Date.now() % 1_000_000_007)
const runs = process.env['RUNS'] ?? ''
const filters = process.argv.slice(2)
console.log(
  [`SEED=${seed}`, ...(runs === '' ? [] : [`RUNS=${runs}`]), 'node scripts/fuzz.ts', ...filters].join(' '),
)

const files = globSync('{shared,services,infra}/*/test/**/*.test.ts').filter(
  (file) =>
    readFileSync(file, 'utf8').includes('new RandomRun(import.meta.url') &&
    (filters.length === 0 || filters.some((filter) => file.includes(filter))),
)
if (files.length === 0) throw new Error(`No test that asks random questions is in ${filters.join(' or ')}.`)
const { status } = spawnSync('vitest', ['run', ...files], {
  stdio: 'inherit',
  env: { ...process.env, SEED: seed, RUNS: runs },
})
process.exitCode = status ?? 1
