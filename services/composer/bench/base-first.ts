/**
 * How long base waits when a graph with thirty flags is composed for the first time: 200 subgraphs of 50
 * types. `node services/composer/bench/base-first.ts`; takes some minutes of CPU.
 */
import { waitFor } from '@switchyard/testkit'
import type { RegistryEvent } from '@switchyard/contracts'
import { openBench } from '../test/setup.ts'

const SUBGRAPHS = 200
const TYPES = 50
const FLAGS = 30
const FLAGS_WAIT_MS = 500
const LONGEST_MS = 30 * 60_000

/** A subgraph of fifty types; the first one is an entity to which the next subgraph adds a field. */
function schema(index: number, more = ''): string {
  const types = Array.from(
    { length: TYPES - 2 },
    (_, type) => `type S${index}T${type} { id: ID! a: Int b: String c: [S${index}T${(type + 1) % 48}] }`,
  )
  const next = `type E${(index + 1) % SUBGRAPHS} @key(fields: "id") { id: ID! from${index}: Int }`
  return `type Query { q${index}: S${index}T0 e${index}: E${index} } type E${index} @key(fields: "id") { id: ID! own: Int ${more} } ${next} ${types.join(' ')}`
}

await using bench = await openBench()
const events: RegistryEvent[] = [{ type: 'federated-graph.created', name: 'shop', labelMatchers: [] }]
for (let index = 0; index < SUBGRAPHS; index += 1) {
  const name = `s${index}`
  events.push(
    { type: 'subgraph.created', name, routingUrl: `http://${name}.test/`, labels: [] },
    await bench.schema(name, schema(index)),
  )
}
for (let index = 0; index < FLAGS; index += 1) {
  const name = `f${index}`
  events.push(
    { type: 'feature-subgraph.created', name, routingUrl: `http://${name}.test/`, base: `s${index}` },
    await bench.schema(name, schema(index, 'flagged: Int')),
    {
      type: 'feature-flag.created',
      name: `flag${index}`,
      labels: [],
      featureSubgraphs: [name],
      enabled: true,
    },
  )
}
await bench.command(events)
await using composer = bench.start({ flagsWaitMs: FLAGS_WAIT_MS })
const began = performance.now()
const told = (what: string): void => {
  const { user, system } = process.cpuUsage()
  const wall = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${what}: ${wall} s, ${((user + system) / 1e6).toFixed(1)} s of CPU`)
}
await waitFor('base', async () => (await bench.records()).length > 0, { withinMs: LONGEST_MS })
told('base is recorded')
await composer.idle()
told('all flags are recorded')
