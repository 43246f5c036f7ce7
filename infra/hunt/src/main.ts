/**
 * Tries inputs that could hold a program up: those that were found and kept, usual ones and known attacks,
 * and as many random ones as are asked for. See README.md.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosenScenarios, megabytes } from '@switchyard/lab'
import { readOptions } from '@switchyard/testkit'
import { sample } from 'fast-check'
import { openGround } from './ground/ground.ts'
import { readKeptInput } from './kept-inputs.ts'
import { openTargets } from './targets/all-targets.ts'
import type { Target } from './targets/target.ts'
import { MAX_REQUEST, MAX_TURN, ms, type Tried, tryInputs } from './try-inputs.ts'

const USAGE = `Usage: node infra/hunt/src/main.ts [options]

Tries inputs that could hold a program up, and tells what each takes; see infra/hunt/README.md.

  --only <part of a name>  only these targets
  --inputs <number>        random inputs of each target besides the others (default: 0)
  --seed <number>          which random inputs (default: from the clock)
  --types <number>         types of the graph (default: 1000)
  --again <file>           this input alone`
const values = readOptions(USAGE, {
  only: { type: 'string', default: '' },
  inputs: { type: 'string', default: '0' },
  seed: { type: 'string', default: '' },
  types: { type: 'string', default: '1000' },
  again: { type: 'string' },
})

const KEPT = fileURLToPath(new URL('../test/found', import.meta.url))
/** Where random inputs that break a rule are written to. */
const OUT = '.hunt'
/** Each input is tried so often. */
const TIMES = 3

type NamedInputs = (readonly [name: string, bytes: Buffer])[]

await using ground = await openGround(Number(values.types))
const inputs = new Map<Target, NamedInputs>(
  chosenScenarios(openTargets(ground), values.only).map((target) => [target, []]),
)
const files =
  values.again === undefined ? (await readdir(KEPT)).map((name) => join(KEPT, name)) : [values.again]
for (const file of files) {
  const kept = await readKeptInput(file)
  const target = [...inputs.keys()].find(({ name }) => name === kept.target)
  if (target !== undefined) inputs.get(target)?.push([basename(file), kept.bytes])
  else if (values.again !== undefined) throw new Error(`${file} is for "${kept.target}", which is no target.`)
}
if (values.again === undefined) {
  const seed = Number(values.seed || Date.now() % 1_000_000_007)
  const numRuns = Number(values.inputs)
  if (numRuns > 0) console.log(`INPUTS=${numRuns} SEED=${seed} ONLY=${values.only} make hunt`)
  for (const [target, its] of inputs) {
    its.push(...Object.entries(target.seeds))
    for (const [index, bytes] of sample(target.drawn, { seed, numRuns }).entries())
      its.push([`random ${seed} ${index}`, bytes])
  }
}

let isGood = true
for (const [target, its] of inputs) await tryAll(target, its)
console.log(
  `Limits: ${ms(MAX_TURN)} of CPU in one turn, ${ms(MAX_REQUEST)} for one input on the serving thread.`,
)
process.exitCode = isGood ? 0 : 1

async function tryAll(target: Target, its: NamedInputs): Promise<void> {
  const memory: number[] = []
  let number = 0
  for await (const tried of tryInputs(target, its, TIMES)) {
    console.log(`${target.name}: ${described(tried)}`)
    if (tried.complaint !== null) {
      isGood = false
      await keep(target, its[number], tried)
    }
    number++
    if ((number === 1 || number === its.length) && tried.thread.death === null)
      memory.push(await tried.thread.memoryInUse())
  }
  console.log(`${target.name}: memory in use ${memory.map(megabytes).join(', then ')}`)
}

function described({ name, bytes, attempt, complaint }: Tried): string {
  const { cpu, longestTurn, turns, memory, outcome } = attempt
  return `${complaint === null ? '' : `FAILED: ${complaint.slice(0, 1000)} `}${name}: ${bytes} bytes in, ${outcome.name}, ${outcome.bytesOut} bytes out, ${ms(longestTurn)} longest turn, ${ms(cpu)} in ${turns} turns, ${megabytes(memory)} allocated`
}

/** Writes an input that breaks a rule in the form of those that are kept. */
async function keep(target: Target, input: NamedInputs[number] | undefined, tried: Tried): Promise<void> {
  const [name, bytes] = input ?? ['', Buffer.alloc(0)]
  const { cpu, longestTurn, outcome } = tried.attempt
  const head = {
    target: target.name,
    attacks: tried.complaint,
    bytes: bytes.length,
    cpuMicroseconds: cpu,
    longestTurnMicroseconds: longestTurn,
    outcome: outcome.name,
    bytesOut: outcome.bytesOut,
  }
  const file = join(OUT, `${target.name}-${name.replaceAll(/\W+/g, '-')}.input`)
  await mkdir(OUT, { recursive: true })
  await writeFile(file, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]))
  console.log(`  node infra/hunt/src/main.ts --again ${file}`)
}
