/**
 * Composes random graphs by our composer and by the library, and prints each difference that no class
 * explains, and the counts of all: `SEED=1 SETS=1000 node main.ts`. A line for each thousand sets says up to
 * which seed all is told, so that a run which ends early can go on from there.
 */
import { CLASSES } from './explained/index.ts'
import { randomGraph } from './random-graph.ts'
import { Tally, type Unexplained } from './tally.ts'

const SETS_PER_LINE = 1000

const seed = numberIn('SEED', Math.floor(Date.now() / 1000))
const sets = numberIn('SETS', 1000)
const tally = new Tally()
console.log(`SEED=${seed} SETS=${sets}`)
for (let next = seed; next < seed + sets; next++) {
  const told = tally.unexplained.length
  tally.take(next)
  for (const one of tally.unexplained.slice(told)) tell(one)
  if (tally.sets % SETS_PER_LINE === 0) console.log(`up to seed ${next}: ${summary()}`)
}
console.log(`\n${summary()}\n\n| class | graphs | |\n| --- | --- | --- |`)
for (const { name, why } of CLASSES) {
  const graphs = tally.explained.get(name) ?? 0
  if (graphs > 0) console.log(`| ${name} | ${graphs} | ${why} |`)
}
process.exitCode = tally.unexplained.length > 0 ? 1 : 0

function tell({ seed: of, made, statements }: Unexplained): void {
  console.log(`\nNo class explains the graph of seed ${of} (${made.join('; ')}):`)
  for (const statement of statements) console.log(`  ${statement}`)
  for (const [name, sdl] of Object.entries(randomGraph(of).sdls)) console.log(`# ${name}\n${sdl}\n`)
}

function summary(): string {
  const parts = [...tally.alike, ...tally.different].map(([name, graphs]) => `${graphs} ${name}`)
  return `${tally.sets} sets: ${parts.join(', ')}; ${tally.unexplained.length} unexplained`
}

function numberIn(variable: string, usual: number): number {
  const text = process.env[variable]
  if (text === undefined || text === '') return usual
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`${variable} is "${text}", which is not a whole number of at least 0.`)
  return number
}
