/**
 * A drill of what runs in Compose: under load, services are killed, NATS and Redis are stopped, routers are
 * restarted and everything is upgraded. Writes what clients noticed into docs/faults.md. Takes ten minutes
 * and the time of building images. Ctrl-C ends it after the present step.
 *
 *   node infra/faults/src/drill/main.ts [--only <part of a name>,…] [--seconds 60] [--no-write] [--list]
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOptions } from '@switchyard/testkit'
import { engineMissing } from '@switchyard/docker'
import { REPOSITORY } from '@switchyard/e2e'
import { ComposeWorld } from './compose-world.ts'
import { writeDrill } from './page.ts'
import { runDrill, type StepResult } from './run-drill.ts'
import { type Step, STEPS } from './steps.ts'

const USAGE = `Usage: node infra/faults/src/drill/main.ts [options]

Breaks and upgrades what runs in Compose, under load, and writes what clients noticed into docs/faults.md.

  --only <part of a name>,…  only these steps
  --seconds <number>         of each step (default: 60)
  --list                     names of all steps
  --no-write                 do not write the page`
const values = readOptions(USAGE, {
  only: { type: 'string', default: '' },
  seconds: { type: 'string', default: '60' },
  'no-write': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
})
const wanted = values.only.split(',').map((part) => part.trim().toLowerCase())
const steps = STEPS.filter(({ name }) => wanted.some((part) => name.toLowerCase().includes(part)))
const secondsEach = Number(values.seconds)

if (steps.length === 0 || !(secondsEach >= 0)) {
  console.error(
    'Expected --only with a part of the name of a step (--list names them), and --seconds with a number.',
  )
  process.exitCode = 2
} else if (values.list) for (const { name } of steps) console.log(name)
else {
  const missing = await engineMissing()
  if (missing === null) process.exitCode = (await drill(steps)) ? 0 : 1
  else process.exitCode = 1
}

/** Runs the steps. True if clients only noticed requests that were on the wire of a killed router. */
async function drill(planned: readonly Step[]): Promise<boolean> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const results: StepResult[] = []
  await using world = await ComposeWorld.start()
  for await (const result of runDrill(world, planned, { secondsEach, signal: interrupted.signal })) {
    results.push(result)
    console.log(described(result))
    if (!values['no-write'] && values.only === '') await writeDrill(results, planned.length)
  }
  const isGood = results.length > 0 && results.every(({ wrong }) => wrong.length === 0)
  if (!isGood) await keepLogs(world)
  return isGood
}

async function keepLogs(world: ComposeWorld): Promise<void> {
  const folder = join(REPOSITORY, '.cache/faults')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'drill.log'), await world.logs())
  console.log(`What the containers wrote is in ${folder}/drill.log.`)
}

function described({ step, requests, lost, wrong, longest }: StepResult): string {
  const facts = `${requests} requests, ${lost.length} lost on the wire, slowest answer ${Math.round(longest)} ms`
  return [`${step.name}: ${facts}`, ...wrong.map((text) => `  WRONG: ${text}`)].join('\n')
}
