/**
 * Hunts for inputs that hold a program up. See README.md. A hunt that is interrupted tells what it found so
 * far.
 *
 *   node infra/hunt/src/main.ts [--inputs 1000000] [--seed …] [--minutes …] [--only <part of a target's
 *   name>] [--out .hunt]
 *   node infra/hunt/src/main.ts --again <file of an input that was found>
 */
import { readOptions } from '@switchyard/testkit'
import { hunt, type Finding } from './campaign.ts'
import { readFinding, writeFinding } from './findings.ts'
import { openGround } from './ground/ground.ts'
import { describeFinding, describeReports } from './report.ts'
import { openTargets } from './targets/all-targets.ts'

const USAGE = `Usage: node infra/hunt/src/main.ts [options]

Searches for inputs that hold a program up; see infra/hunt/README.md.

  --inputs <number>        how many are tried (default: 1000000)
  --seed <number>          where they begin (default: from the clock)
  --minutes <number>       ends after this time
  --only <part of a name>  only these targets
  --types <number>         types of the graph (default: 1000)
  --out <folder>           where what is found is written (default: .hunt)
  --again <file>           tries an input again that was found`
const values = readOptions(USAGE, {
  inputs: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '' },
  minutes: { type: 'string', default: '' },
  only: { type: 'string', default: '' },
  types: { type: 'string', default: '1000' },
  out: { type: 'string', default: '.hunt' },
  again: { type: 'string' },
})

await using ground = await openGround(Number(values.types))
const targets = openTargets(ground)
process.exitCode = values.again === undefined ? await campaign() : await again(values.again)

async function campaign(): Promise<number> {
  const seed = Number(values.seed || Date.now() % 1_000_000_007)
  const hunted = targets.filter(({ name }) => name.includes(values.only))
  const shares = hunted.reduce((sum, { share }) => sum + share, 0)
  const minutes = Number(values.minutes || Number.POSITIVE_INFINITY) / hunted.length
  console.log(`INPUTS=${values.inputs} SEED=${seed} ONLY=${values.only} make hunt`)
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true))
  const reports = []
  for (const target of hunted) {
    const until = performance.now() + minutes * 60_000
    const inputs = Math.ceil((Number(values.inputs) * target.share) / shares)
    const onProgress = async (text: string, failures: readonly Finding[]) => {
      console.log(text)
      for (const failure of failures) await writeFinding(values.out, failure)
    }
    const isOver = () => isInterrupted || performance.now() >= until
    reports.push(await hunt(target, { seed, inputs, isOver, measuresTimes: true, onProgress }))
  }
  const written = new Map<Finding, string>()
  for (const { worst } of reports)
    for (const finding of worst) written.set(finding, await writeFinding(values.out, finding))
  console.log(describeReports(reports, written))
  return reports.some(({ worst }) => worst.some(({ complaint }) => complaint !== null)) ? 1 : 0
}

async function again(file: string): Promise<number> {
  const { target: name, bytes } = await readFinding(file)
  const target = targets.find((known) => known.name === name)
  if (target === undefined) throw new Error(`${file} is for "${name}", which is no target.`)
  await using arena = await target.open()
  for (let time = 0; time < 5; time++) console.log(describeFinding(await arena.attempt(bytes), bytes.length))
  return 0
}
