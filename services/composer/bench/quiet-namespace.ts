/**
 * How long a namespace waits for the composition of one line while another one composes what takes long.
 *
 *     node services/composer/bench/quiet-namespace.ts [--composer <clone>/services/composer/src/composer.ts]
 *
 * The loud namespace publishes two schemas of 64 KB and five flags that replace one of them, then the quiet
 * one its line. Printed are, from there to the quiet one's record, the CPU that the process used with all its
 * threads, which another busy process does not change, and how many records the loud one had by then; then
 * the CPU for everything. `--composer` takes the composer of another checkout, to compare with.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { RegistryEvent } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import type * as ComposerModule from '../src/composer.ts'
import { openBench, QUIET } from '../test/setup.ts'

const { values } = parseArgs({ options: { composer: { type: 'string' } } })
const module = values.composer ?? new URL('../src/composer.ts', import.meta.url).pathname
const { startComposer }: typeof ComposerModule = await import(pathToFileURL(resolve(module)).href)

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])'
const BYTES = 64 * 1024

/**
 * Values of an enum that another subgraph does not have: tens of thousands of errors, each with its places.
 */
function mistakes(name: string): string {
  return `${LINK} type Query { ${name}(x: E): E } enum E { ${fill((index) => `${name}${index} `)} }`
}

/** Unions of entities that lead to unions of entities: satisfiability has far to go. */
function unions(name: string): string {
  const members = Array.from({ length: 150 }, (_, index) => `T${index}`)
  const types = members.map(
    (type, index) => `type ${type} @key(fields: "id") { id: ID! ${name}: U${index % 60} }`,
  )
  const all = Array.from({ length: 60 }, (_, index) => `union U${index} = ${members.join(' | ')}`)
  return `${LINK} type Query { ${name}: U0 } ${types.join(' ')} ${all.join(' ')}`
}

function fill(make: (index: number) => string): string {
  let text = ''
  for (let index = 0; text.length < BYTES; index += 1) text += make(index)
  return text
}

const subgraph = (name: string): RegistryEvent => ({
  type: 'subgraph.created',
  name,
  routingUrl: `http://${name}.test/`,
  labels: [],
})

for (const [title, sdl] of [
  ['mistakes', mistakes],
  ['unions', unions],
] as const) {
  const loud = await openBench()
  const quiet = loud.in('quiet')
  await loud.command([
    { type: 'federated-graph.created', name: 'shop', labelMatchers: [] },
    subgraph('one'),
    subgraph('two'),
  ])
  await quiet.command([
    { type: 'federated-graph.created', name: 'shop', labelMatchers: [] },
    subgraph('line'),
  ])
  const { log, blobs, pieces, announcer } = loud
  const parts = { log, blobs, pieces, announcer }
  const composer = startComposer({ ...parts, logger: QUIET, instance: 'bench', workers: 1 })
  await composer.idle()
  const flags = Array.from(
    { length: 5 },
    async (_, index): Promise<RegistryEvent[]> => [
      { type: 'feature-subgraph.created', name: `v${index}`, routingUrl: 'http://v.test/', base: 'two' },
      await loud.schema(`v${index}`, sdl(`v${index}x`)),
      {
        type: 'feature-flag.created',
        name: `flag${index}`,
        labels: [],
        featureSubgraphs: [`v${index}`],
        enabled: true,
      },
    ],
  )
  await loud.command([
    ...(await Promise.all(flags)).flat(),
    await loud.schema('one', sdl('a')),
    await loud.schema('two', sdl('b')),
  ])
  const from = process.cpuUsage()
  const published = await quiet.publish('line', 'type Query { a: Int }')
  await waitFor('the quiet one', async () => (await quiet.records()).at(-1)?.registrySequence === published, {
    withinMs: 600_000,
  })
  const waited = seconds(process.cpuUsage(from))
  const before = (await loud.records()).length - 1
  await composer.idle()
  console.log(
    `${title}: the quiet namespace waited for ${waited} s of CPU, and for ${before} records of the loud one; ${seconds(process.cpuUsage(from))} s of CPU for everything`,
  )
  await composer[Symbol.asyncDispose]()
  await loud[Symbol.asyncDispose]()
}

function seconds({ user, system }: NodeJS.CpuUsage): string {
  return ((user + system) / 1e6).toFixed(1)
}
