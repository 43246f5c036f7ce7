/**
 * Measures the difference of two large compositions with 500 published documents: `node
 * services/registry/bench/difference.ts [types] [documents]`.
 */
import { compose } from '@switchyard/composition'
import { compareCompositions } from '../src/comparisons/compare-compositions.ts'

const [types = 20_000, documents = 500] = process.argv.slice(2).map(Number)
const SUBGRAPHS = 200

function artifactOf(changed: string): Uint8Array {
  const subgraphs = Array.from({ length: SUBGRAPHS }, (_, subgraph) => {
    const own = Array.from({ length: types }, (_type, index) => index).filter(
      (index) => index % SUBGRAPHS === subgraph,
    )
    const fields = Array.from({ length: 10 }, (_field, at) => `f${at}(first: Int = 10): String`).join(' ')
    const extra = subgraph === 7 ? changed : ''
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])
type Query { ${own.map((index) => `t${index}: T${index}`).join(' ')} }
${own
  .map(
    (index) => `type T${index} @key(fields: "id") { id: ID! ${fields} ${extra} next: T${(index + 1) % types} }
type T${(index + 1) % types} @key(fields: "id") { id: ID! from${index}: Int }`,
  )
  .join('\n')}`
    return { name: `s${subgraph}`, routingUrl: 'http://s/', sdl }
  })
  const composed = compose({ subgraphs })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors.slice(0, 3)))
  const { supergraphSdl } = composed
  const listed = [{ name: 's', routingUrl: 'http://s/' }]
  return Buffer.from(
    JSON.stringify({ formatVersion: 1, supergraphSdl, subgraphs: listed, compatibilityVersion: 'v0.3' }),
  )
}

const manifest = Object.fromEntries(
  Array.from({ length: documents }, (_, at) => [
    `d${at}`,
    `query Q${at} { t${at * 7} { f0 from${Math.max(0, at * 7 - 1)} next { f1 next { f2 gone: f3 } } } }`,
  ]),
)
const before = artifactOf('old: Int')
const after = artifactOf('new: Int')
console.log(`${types} types: artifact ${(before.length / 1e6).toFixed(1)} MB`)
const began = process.threadCpuUsage()
const found = await compareCompositions({
  kind: 'difference',
  from: before,
  to: after,
  documents: [{ name: 'web', clients: null, bytes: Buffer.from(JSON.stringify(manifest)) }],
})
const { user, system } = process.threadCpuUsage(began)
const mb = (process.memoryUsage().heapUsed / 1e6).toFixed(0)
console.log(`difference: ${((user + system) / 1e6).toFixed(1)} s of CPU, heap ${mb} MB`)
console.log(
  { ...found.schema, changes: found.schema.changes.length },
  { ...found.plans, changes: found.plans?.changes.length },
)
