/**
 * Measures what each feature flag costs a router: its computing time, and the memory that stays taken. Base
 * is served first; then flags are published that replace a subgraph and change some of its types, and the
 * router compiles each because a request names it. The facts by which registries estimate the same are
 * printed beside it. See docs/scale.md.
 *
 *   node services/router/bench/flag-cost.ts [--types 200,2000,6000,12000] [--changed 1,20,all] [--flags 20]
 */
import { buildArtifact, compose } from '@switchyard/composition'
import { chunksOf, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import { gunzipSync } from 'node:zlib'
import { benchOptions } from './bench-options.ts'
import { type BuiltArtifact, packed, piecesOf } from '../test/support/artifacts.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { startRouterProcess } from '../test/support/router-process.ts'

const options = benchOptions({ types: '200,2000,6000,12000', changed: '1,20,all', flags: 20 })
const FIELDS = ['name', 'title', 'summary', 'state', 'owner', 'region']
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])'

console.log('| types | changed by a flag | text | own | computing time of a flag | memory of a flag |')
console.log('|---|---|---|---|---|---|')
for (const types of options.types.split(',').map(Number))
  for (const changed of options.changed.split(','))
    await measure(types, changed === 'all' ? types : Number(changed))

async function measure(types: number, changed: number): Promise<void> {
  await using world = await ConfigWorld.create()
  const base = composed(types, 0, null)
  await world.publish({ revision: 1, base, stored: 'both' })
  await using router = await startRouterProcess(world, 'access_log: { enabled: false }')
  await ask(router.graphqlUrl, null)
  const names = Array.from({ length: options.flags + 1 }, (_, index) => `flag-${index}`)
  const flags = Object.fromEntries(names.map((name, index) => [name, composed(types, changed, index)]))
  await world.publish({ revision: 2, base, flags, stored: 'both' })
  // The first one finds what all others share.
  await ask(router.graphqlUrl, 'flag-0')
  const before = await router.measure()
  for (const name of names.slice(1)) await ask(router.graphqlUrl, name)
  const { cpu: spent } = await router.look()
  const after = await router.measure()
  const flag = flags['flag-1'] ?? base
  const facts = [sizeOf(flag), ownBytes(flag, base)].map((bytes) => `${Math.round(bytes / 1024)} KiB`)
  const memory = (held(after) - held(before)) / options.flags / 1e6
  const cpu = (spent - before.cpu) / options.flags / 1000
  console.log(
    `| ${types} | ${changed} | ${facts.join(' | ')} | ${cpu.toFixed(1)} ms | ${memory.toFixed(2)} MB |`,
  )
}

/** A graph of two subgraphs. A flag replaces the first one, of which `changed` types have a field more. */
function composed(types: number, changed: number, flag: number | null): BuiltArtifact {
  const sdl = Array.from({ length: types }, (_, index) => {
    const fields = FIELDS.map((name) => `${name}(first: Int = ${index}, filter: String): String`)
    const more = flag !== null && index < changed ? `own${flag}: Int` : ''
    return `type T${index} @key(fields: "id") { id: ID! ${fields.join(' ')} ${more} }`
  })
  const replaces = flag === null ? {} : { baseName: 'a' }
  const first = { name: flag === null ? 'a' : `a-${flag}`, routingUrl: 'http://127.0.0.1:1/', ...replaces }
  const second = { name: 'b', routingUrl: 'http://127.0.0.1:2/' }
  const result = compose({
    subgraphs: [
      { ...first, sdl: `${LINK}\ntype Query { first: T0 }\n${sdl.join('\n')}` },
      { ...second, sdl: `${LINK}\ntype T0 @key(fields: "id") { id: ID! size: Int }` },
    ],
  })
  if (result.kind === 'failed') throw new Error(result.errors[0]?.message)
  return packed(buildArtifact(result.supergraphSdl, [first, second]))
}

/** Bytes of the text of a composition. */
function sizeOf({ artifact }: BuiltArtifact): number {
  return Buffer.byteLength(artifact.supergraphSdl)
}

/** Bytes of the chunks that another composition does not have. */
function ownBytes(artifact: BuiltArtifact, other: BuiltArtifact): number {
  const known = chunksOf(listOf(other))
  return listOf(artifact).chunks.reduce(
    (sum, { sha256, bytes }) => (known.has(sha256) ? sum : sum + bytes),
    0,
  )
}

function listOf(artifact: BuiltArtifact) {
  const { list, pieces } = piecesOf(artifact)
  return parsePieceList(gunzipSync(pieces.get(list) ?? new Uint8Array()))
}

function held({ heap, external }: { readonly heap: number; readonly external: number }): number {
  return heap + external
}

async function ask(url: string, flag: string | null): Promise<void> {
  const until = performance.now() + 60_000
  for (;;) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(flag === null ? {} : { 'x-feature-flag': flag }) },
      body: '{"query":"{ __typename }"}',
    })
    await response.text()
    const served = response.headers.get('x-feature-flag')
    if (response.status === 200 && (flag === null || served === flag)) return
    if (performance.now() > until) throw new Error(`flag ${flag}: ${response.status}, served ${served}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
