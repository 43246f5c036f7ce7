/**
 * Carries out faults on a running set-up and writes what happened into docs/faults.md. Ctrl-C ends it after
 * the present one.
 *
 *   node infra/faults/src/main.ts [--only <part of a name>,…] [--no-write] [--list]
 */
import { readOptions } from '@switchyard/testkit'
import { FAULTS } from './faults/index.ts'
import { runFaults } from './run/run-faults.ts'

const USAGE = `Usage: node infra/faults/src/main.ts [options]

Breaks one thing after the other under a running set-up, and writes what happened into docs/faults.md.

  --only <part of a name>,…  only these faults; the page stays as it is
  --list                     names of all faults
  --no-write                 do not write the page`
const values = readOptions(USAGE, {
  only: { type: 'string', default: '' },
  'no-write': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
})
const wanted = values.only.split(',').map((part) => part.trim().toLowerCase())
const faults = FAULTS.filter(({ name }) => wanted.some((part) => name.toLowerCase().includes(part)))

if (faults.length === 0) {
  console.error(`No fault is called ${values.only}. --list names them all.`)
  process.exitCode = 2
} else if (values.list) for (const { name } of faults) console.log(name)
else {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const writes = !values['no-write'] && values.only === ''
  process.exitCode = (await runFaults(faults, { writes, signal: interrupted.signal })) ? 0 : 1
}
