/**
 * Measures looking things up in the schema of a large composition: `node --expose-gc
 * services/registry/bench/schema-lookup.ts [types] [fields]`.
 */
import { gzipSync } from 'node:zlib'
import { compose } from '@switchyard/composition'
import { schemaLookup } from '../src/compositions/schema-task.ts'

const [types = 20_000, fields = 12] = process.argv.slice(2).map(Number)
const SUBGRAPHS = 200
const WORDS = [
  'Order',
  'Price',
  'Stock',
  'User',
  'Review',
  'Cart',
  'Item',
  'Offer',
  'Media',
  'Store',
  'Tax',
  'Label',
]
const word = (seed: number) => WORDS[(seed * 7919) % WORDS.length] ?? ''
const nameOf = (index: number) =>
  `${word(index)}${word(index * 31 + 5)}${word(index * 17 + 3)}${index.toString(36)}`

function sdlOf(subgraph: number): string {
  const own = Array.from({ length: types }, (_, index) => index).filter(
    (index) => index % SUBGRAPHS === subgraph,
  )
  const definitions = own.map((index) => {
    const list = Array.from(
      { length: fields - 1 },
      (_, at) =>
        `  "The ${word(at)} of it, as the ${word(index + at)} service knows it."\n  ${word(at).toLowerCase()}${at}(first: Int = 10): String`,
    )
    return `"Describes ${nameOf(index)}."\ntype ${nameOf(index)} @key(fields: "id") {\n  id: ID!\n${list.join('\n')}\n}`
  })
  const first = own[0] ?? 0
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])
type Query { root${subgraph}: ${nameOf(first)} ${own.map((index) => `all${index}: [${nameOf(index)}]`).join(' ')} }
${definitions.join('\n')}`
}

const subgraphs = Array.from({ length: SUBGRAPHS }, (_, index) => {
  return { name: `service-${index}`, routingUrl: 'http://s/', sdl: sdlOf(index) }
})
const composed = compose({ subgraphs })
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors.slice(0, 3)))
const artifact = {
  formatVersion: 1,
  supergraphSdl: composed.supergraphSdl,
  subgraphs: [{ name: 's', routingUrl: 'http://s/' }],
  compatibilityVersion: 'v0.3',
}
const bytes = Buffer.from(JSON.stringify(artifact))
console.log(`${types} types, ${fields} fields each: artifact ${(bytes.length / 1e6).toFixed(1)} MB`)

const lookup = schemaLookup()
/** Milliseconds of CPU, the median of several times but for the first question. */
const ask = (question: Parameters<typeof lookup>[0]['question'], times = 1) => {
  const took: number[] = []
  let body: Uint8Array = new Uint8Array()
  for (let time = 0; time < times; time += 1) {
    const began = process.cpuUsage()
    const answer = lookup({ question, artifact: 'a', bytes, about: {}, gzip: false })
    if (answer.kind !== 'answer') throw new Error(answer.kind)
    body = answer.body
    took.push(process.cpuUsage(began).user / 1000)
  }
  took.sort((left, right) => left - right)
  return { ms: (took[Math.floor(took.length / 2)] ?? 0).toFixed(1), body }
}
globalThis.gc?.()
const before = process.memoryUsage().heapUsed
const first = ask({ kind: 'types' })
globalThis.gc?.()
const mb = ((process.memoryUsage().heapUsed - before) / 1e6).toFixed(0)
console.log(`prepared in ${first.ms} ms, ${mb} MB kept`)
console.log(
  `types: ${first.body.length} bytes, gzip ${gzipSync(first.body).length}, again ${ask({ kind: 'types' }).ms} ms`,
)
for (const name of [nameOf(77), 'Query']) {
  const { ms, body } = ask({ kind: 'type', name, limit: 200 }, 9)
  console.log(`type ${name}: ${ms} ms, ${body.length} bytes`)
}
for (const text of [
  'e',
  'order',
  'zzzz',
  'pricestock',
  'service knows',
  'nothing of this',
  `${nameOf(77)}.pri`,
  'o.p',
  'first',
])
  console.log(`search "${text}": ${ask({ kind: 'search', text, limit: 20 }, 9).ms} ms`)
