/**
 * Runs vitest and ends with the line `N passed, N failed, N skipped`, alone, for programs that read the
 * output.
 *
 *   node scripts/run-tests.ts [--full | --long] [vitest filters]
 *
 * Skipped tests are named with their group, since a skipped group is a hole in what a green run shows. Failed
 * tests are named last, each with its message, since readers of a long output see its end. A test file that
 * fails to load counts as one failed test; so does a run in which no test was found.
 *
 * Programs that tests start are bundled once, as the npm package has them, and not started from their
 * sources.
 *
 * All temporary files of a run are in one folder, which is removed at its end. The folder of a run that was
 * killed is removed by the next one.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Why the file could not be loaded; empty if it was. */
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly ancestorTitles: readonly string[]
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const FIRST_LINES = 12
const LAST_LINES = 28
const WIDTH = 400

const filters = process.argv.slice(2).filter((argument) => !/^--(?:full|long)$/.test(argument))
const long = process.argv.includes('--long')
const full = long || process.argv.includes('--full')
removeFoldersOfKilledRuns()
const folder = mkdtempSync(join(tmpdir(), `switchyard-tests-${process.pid}-`))
try {
  const file = join(folder, 'report.json')
  const run = spawnSync(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        TMPDIR: folder,
        // A container engine has to be stopped before its folder can be removed; see infra/docker.
        SWITCHYARD_TEST_ENGINES: tmpdir(),
        ...(full ? { SWITCHYARD_TEST_FULL: '1' } : {}),
        ...(long ? { SWITCHYARD_TEST_LONG: '1' } : {}),
        SWITCHYARD_TEST_PROGRAMS: bundledPrograms(),
      },
    },
  )
  process.exitCode = summarize(readReport(file), run.status ?? 1)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Returns the folder with the programs that tests start, made of the sources as they are. */
function bundledPrograms(): string {
  const words = ['--disable-warning=ExperimentalWarning', 'infra/package/src/test-programs.ts']
  const { status, stdout } = spawnSync('node', words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error('The programs cannot be bundled: nothing was tested')
  return stdout.trim()
}

function removeFoldersOfKilledRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^switchyard-tests-(\d+)-/.exec(name)?.[1] ?? process.pid)
    if (isAlive(pid)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch (error) {
      // The folder of another user.
      console.warn(`${join(tmpdir(), name)} stays: ${String(error)}`)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It may also be the process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return { testResults: [] }
  }
}

function summarize(report: Report, vitestStatus: number): number {
  const tests = report.testResults.flatMap((suite) => suite.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const brokenFiles = report.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'),
  )
  let failed = tests.filter((test) => test.status === 'failed').length + brokenFiles.length
  if (failed === 0 && (vitestStatus !== 0 || tests.length === 0)) failed = 1
  const skipped = tests.length - passed - tests.filter((test) => test.status === 'failed').length
  for (const suite of report.testResults) {
    const groups = new Map<string, number>()
    for (const test of suite.assertionResults) {
      if (test.status === 'passed' || test.status === 'failed') continue
      const group = test.ancestorTitles[0] ?? '(top level)'
      groups.set(group, (groups.get(group) ?? 0) + 1)
    }
    for (const [group, count] of groups)
      console.log(`SKIPPED ${count} of "${group}" in ${relative('.', suite.name)}`)
  }
  for (const suite of report.testResults) {
    const file = relative('.', suite.name)
    for (const test of suite.assertionResults)
      if (test.status === 'failed')
        console.log(`FAILED "${test.fullName}" in ${file}\n${shortened(test.failureMessages.join('\n'))}`)
    if (brokenFiles.includes(suite)) console.log(`FAILED to load ${file}\n${shortened(suite.message)}`)
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed === 0 ? 0 : 1
}

/** Keeps the first and the last lines of a message that is long: the sentence, and what was printed last. */
function shortened(message: string): string {
  const lines = message.split('\n').map((line) => `  ${line.slice(0, WIDTH)}`)
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines.join('\n')
  const left = lines.length - FIRST_LINES - LAST_LINES
  return [...lines.slice(0, FIRST_LINES), `  … ${left} lines`, ...lines.slice(-LAST_LINES)].join('\n')
}
