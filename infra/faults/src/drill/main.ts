/**
 * A drill of what runs in Compose: under load, services are killed, NATS and Redis are stopped, routers are
 * restarted and everything is upgraded. Writes what clients noticed into docs/faults.md. Takes ten minutes
 * and the time of building images. Ctrl-C ends it after the present step.
 *
 *   node infra/faults/src/drill/main.ts [--only <part of a name>,…] [--seconds 60] [--no-write] [--list]
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineMissing } from '@switchyard/docker'
import { readScenarios, reportResults, REPOSITORY, untilInterrupted } from '@switchyard/lab'
import { ComposeWorld } from './compose-world.ts'
import { writeDrill } from './page.ts'
import { runDrill, type StepResult } from './run-drill.ts'
import { STEPS } from './steps.ts'

const USAGE = `Usage: node infra/faults/src/drill/main.ts [options]

Breaks and upgrades what runs in Compose, under load, and writes what clients noticed into docs/faults.md.

  --only <part of a name>,…  only these steps
  --seconds <number>         of each step (default: 60)
  --list                     names of all steps
  --no-write                 do not write the page`
const { values, scenarios, areAll } = readScenarios(USAGE, STEPS, {
  seconds: { type: 'string', default: '60' },
  'no-write': { type: 'boolean', default: false },
})
const secondsEach = Number(values.seconds)

if (!(secondsEach >= 0)) {
  console.error(`error: --seconds ${values.seconds}: expected a number`)
  process.exitCode = 2
} else process.exitCode = (await engineMissing()) === null && (await drill()) ? 0 : 1

/** Runs the steps. True if clients only noticed requests that were on the wire of a killed router. */
async function drill(): Promise<boolean> {
  const signal = untilInterrupted()
  await using world = await ComposeWorld.start()
  const held = await reportResults(runDrill(world, scenarios, { secondsEach, signal }), {
    describe: described,
    isGood: ({ wrong }) => wrong.length === 0,
    ...(areAll && !values['no-write'] ? { write: (results) => writeDrill(results, scenarios.length) } : {}),
  })
  if (!held) await keepLogs(world)
  return held
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
