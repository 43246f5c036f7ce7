/**
 * Carries out faults on a running set-up and writes what happened into docs/faults.md. Ctrl-C ends it after
 * the present one.
 *
 *   node infra/faults/src/main.ts [--only <part of a name>,…] [--no-write] [--list]
 */
import { readScenarios, reportResults, untilInterrupted } from '@switchyard/lab'
import { FAULTS } from './faults/index.ts'
import { carryOut, describeRow, isGood } from './run/run-faults.ts'
import { writeTable } from './run/table.ts'

const USAGE = `Usage: node infra/faults/src/main.ts [options]

Breaks one thing after the other under a running set-up, and writes what happened into docs/faults.md.

  --only <part of a name>,…  only these faults; the page stays as it is
  --list                     names of all faults
  --no-write                 do not write the page`
const { values, scenarios, areAll } = readScenarios(USAGE, FAULTS, {
  'no-write': { type: 'boolean', default: false },
})
const held = await reportResults(carryOut(scenarios), {
  describe: describeRow,
  isGood,
  ...(areAll && !values['no-write'] ? { write: (rows) => writeTable(rows, scenarios.length) } : {}),
  signal: untilInterrupted(),
})
process.exitCode = held ? 0 : 1
