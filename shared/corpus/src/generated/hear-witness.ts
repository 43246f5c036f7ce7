/**
 * Asks a stitched gateway, which shares no code with the engine, about some worlds. Arguments are the numbers
 * of worlds. It prints how often the gateway agrees with the one server. Where it does not, the gateway is
 * wrong, and nothing follows from that.
 *
 * It is a process of its own, since names such as `constructor` make the gateway throw where nobody can catch
 * it.
 */
import { createWitness } from '../harness/witness.ts'
import { count, operationSeed, Tally, tryWorld } from './campaign.ts'
import { generateOperation } from './operations.ts'

const OPERATIONS = 10

const verdicts = new Map<string, number>()
let onCrash: () => void = () => {}
process.on('uncaughtException', () => onCrash())
process.on('unhandledRejection', () => onCrash())

for (const seed of process.argv.slice(2).map(Number)) {
  const bench = tryWorld(seed, new Tally())
  if (bench === null) continue
  const ask = await createWitness(bench.suite).catch(() => null)
  if (ask === null) {
    count(verdicts, 'the world cannot be stitched')
    continue
  }
  for (let index = 0; index < OPERATIONS; index++) {
    const { labels = [], ...operation } = generateOperation(bench.engine, operationSeed(seed, index))
    if (labels.length > 0) continue
    const crashed = new Promise<string>((resolve) => {
      onCrash = () => resolve('crash')
    })
    const said = ask(operation).then(({ kind, ...verdict }) => ('code' in verdict ? verdict.code : kind))
    count(verdicts, await Promise.race([crashed, said.catch(() => 'crash')]))
  }
}
console.log(JSON.stringify([...verdicts]))
process.exit(0)
