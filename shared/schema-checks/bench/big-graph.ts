/**
 * Measures what a check of one subgraph costs on a big graph: `node shared/schema-checks/bench/big-graph.ts
 * [subgraphs] [flags] [threads] [documents]`. Every flag replaces another subgraph than the checked one, so
 * all of them are composed again.
 */
import { createHash } from 'node:crypto'
import { applyEvent, type Command, decide, emptyNamespace, type NamespaceState } from '@switchyard/domain'
import { compose } from '@switchyard/composition'
import { checkForeseen, foresee, neededSchemas } from '../src/index.ts'

const [subgraphs = 150, flags = 20, threads, documents = 0] = process.argv.slice(2).map(Number)
const sdls = new Map<string, string>()
let state: NamespaceState = emptyNamespace('default')

function run(command: Command): void {
  const decision = decide(state, command)
  if (decision.kind !== 'events') throw new Error(JSON.stringify(decision))
  state = decision.events.reduce(applyEvent, state)
}

function publication(name: string, sdl: string) {
  const schema = createHash('sha256').update(sdl).digest('hex')
  sdls.set(schema, sdl)
  return { type: 'publish-schema', name, schema, bytes: sdl.length } as const
}

function sdlOf(index: number, extra = ''): string {
  const next = (index + 1) % subgraphs
  const views = Array.from(
    { length: 10 },
    (_, view) =>
      `type V${index}_${view} { a: String b: Int c: Boolean d(x: Int, y: String): [String!] e: E${index} f: Float }
extend type E${index} { v${view}: V${index}_${view} }`,
  )
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])
type Query { e${index}(id: ID!): E${index} list${index}(first: Int, filter: F${index}): [E${index}!]! }
input F${index} { a: String b: Int c: [ID!] }
enum S${index} { A B C D }
type E${index} @key(fields: "id") { id: ID! name${index}: String status: S${index} ${extra} next: E${next} }
type E${next} @key(fields: "id") { id: ID! from${index}: String score${index}(x: Int): Float }
${views.join('\n')}`
}

function cpuSeconds(since: NodeJS.CpuUsage): string {
  const { user, system } = process.cpuUsage(since)
  return ((user + system) / 1e6).toFixed(1)
}

run({ type: 'create-federated-graph', name: 'big', labelMatchers: [] })
for (let index = 0; index < subgraphs; index += 1) {
  run({ ...publication(`s${index}`, sdlOf(index)), routingUrl: 'http://s/', labels: [] })
}
for (let flag = 0; flag < flags; flag += 1) {
  const base = `s${flag + 1}`
  run({ ...publication(`f${flag}`, sdlOf(flag + 1, `flagged${flag}: Int`)), routingUrl: 'http://f/', base })
  run({
    type: 'create-feature-flag',
    name: `flag${flag}`,
    labels: [],
    featureSubgraphs: [`f${flag}`],
    enabled: true,
  })
}

const served = compose({
  subgraphs: Array.from({ length: subgraphs }, (_, index) => ({
    name: `s${index}`,
    routingUrl: 'http://s/',
    sdl: sdlOf(index),
  })),
})
if (served.kind === 'failed') throw new Error(served.errors[0]?.message)
const supergraphs = new Map<string | null, string>([[null, served.supergraphSdl]])
for (let flag = 0; flag < flags; flag += 1) supergraphs.set(`flag${flag}`, served.supergraphSdl)
const texts = Array.from({ length: documents }, (_, index) => {
  const of = index % subgraphs
  const fields = ['a', 'b', 'c', 'd(x: 1)', 'f'].map((field) => `... on V${of}_1 { ${field} }`).join(' ')
  return `query Q${index}($id: ID!) { one: e${of}(id: $id) { id name${of} v1 { ${fields} } } two: list${of}(first: ${index}) { id status } }`
})
const published = {
  name: 'web',
  manifest: Object.fromEntries(texts.map((text, index) => [`q${index}`, text])),
}

const began = process.cpuUsage()
const clock = performance.now()
const foreseen = foresee(state, publication('s0', sdlOf(0, 'extra: Int')))
if (foreseen.kind !== 'changed') throw new Error(foreseen.kind)
const report = await checkForeseen(
  foreseen,
  {
    sdls,
    served: new Map([
      ['big', { supergraphs, failed: new Map(), warnings: new Map(), documents: [published] }],
    ]),
  },
  threads === undefined ? {} : { threads },
)
console.log(
  JSON.stringify({
    subgraphs,
    flags,
    schemas: neededSchemas(foreseen).size,
    compositions: report.compositions.filter(({ status }) => status === 'composed').length,
    changes: report.changes.length,
    documents: report.documents.tried,
    lost: report.documents.unanswered,
    cpuSeconds: cpuSeconds(began),
    seconds: ((performance.now() - clock) / 1000).toFixed(1),
    maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
)
