/**
 * Examples of every command are run as they stand in the help, each on a graph of its own: every other one,
 * and all of them in `make test-long`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PATIENTLY, sampled } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { everyCommand } from './command-tree.ts'
import { type ProbedRouter, startRouter } from './defer/router.ts'
import { type RunningSubgraph, startSubgraph } from './introspect/subgraph.ts'
import { type Run, runCommand, type RunOptions, wordsOf } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'
import { fakeServer } from './subscribe/fake-server.ts'

const PRODUCTS =
  'type Query { product(id: ID!): Product }\ntype Product @key(fields: "id") { id: ID! name: String price: Int }\n'
const REVIEWS =
  'type Query { reviews: [Review!]! }\ntype Review { text: String }\ntype Product @key(fields: "id") { id: ID! reviews: [Review!]! }\n'
const OVERRIDE =
  '@link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@override", "@shareable"])'
const TRACE = JSON.stringify({
  version: '1',
  info: { trace_start_time: '', trace_start_unix: 0 },
  composition: { feature_flag: null, reason: 'none', artifact: 'a'.repeat(64), revision: 1 },
  fetches: { kind: 'Sequence', children: [] },
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:9/graphql',
    headers: {},
    body: { query: '{ __typename }', operationName: null, variables: null },
  },
})
const FILES: Readonly<Record<string, string>> = {
  'trace.json': TRACE,
  'monday.json': TRACE,
  'tuesday.json': `{"data":{},"extensions":{"trace":${TRACE}}}`,
  'products.graphql': PRODUCTS,
  'products-next.graphql': PRODUCTS.replace('price: Int', 'price: Int discount: Int'),
  'reviews.graphql': REVIEWS,
  'reviews-next.graphql': REVIEWS.replace('text: String', 'text: String stars: Int'),
  'offers.graphql': 'type Query { offers: Int }\n',
  'product.graphql':
    'query Product($full: Boolean = false) { product(id: 1) { name price @include(if: $full) } }\n',
  'graph.yaml': `version: 1
subgraphs:
  - { name: products, routing_url: http://127.0.0.1:9/graphql, schema: { file: products.graphql } }
feature_flags:
  - name: new-pricing
    feature_graphs:
      - { name: products-next, subgraph_name: products, routing_url: http://127.0.0.1:9/graphql, schema: { file: products-next.graphql } }
`,
  'overriding.graphql': `extend schema ${OVERRIDE}\ntype Query { other: Int }\ntype Product @key(fields: "id") { id: ID! price: Int @override(from: "products", label: "percent(25)") }\n`,
  'overridden.graphql': `extend schema ${OVERRIDE}\n${PRODUCTS}`,
  'override.yaml': `version: 1
subgraphs:
  - { name: products, routing_url: http://127.0.0.1:9/graphql, schema: { file: overridden.graphql } }
  - { name: prices, routing_url: http://127.0.0.1:9/graphql, schema: { file: overriding.graphql } }
`,
  'router.yaml': 'base_path: /api\n',
  'orders.graphql': 'subscription { orderChanged { id status } }\n',
  'documents.json': '{"product":"{ product(id: 1) { name } }"}',
}

const COMMANDS = await everyCommand()

/**
 * What each namespace holds before its example runs; an example that creates something finds it missing, and
 * what needs it.
 */
const STEPS: readonly { readonly line: string; readonly unless: RegExp }[] = [
  { line: 'graph create shop --label-matcher team=shop', unless: /^(?:federated-)?graph create/ },
  {
    line: 'subgraph publish products --schema products.graphql --routing-url http://127.0.0.1:9/graphql --label team=shop',
    unless: /^subgraph create/,
  },
  {
    line: 'subgraph publish reviews --schema reviews.graphql --routing-url http://127.0.0.1:9/graphql --label team=shop',
    unless: /^subgraph create/,
  },
  {
    line: 'fs publish products-next --schema products-next.graphql --subgraph products --routing-url http://127.0.0.1:9/graphql',
    unless: /^subgraph create|^(?:feature-subgraph|fs) create/,
  },
  {
    line: 'fs publish reviews-next --schema reviews-next.graphql --subgraph reviews --routing-url http://127.0.0.1:9/graphql',
    unless: /^subgraph create|^(?:feature-subgraph|fs) create/,
  },
  {
    line: 'ff create new-pricing --label team=shop --fs products-next --enabled',
    unless: /^subgraph create|^(?:feature-subgraph|fs|feature-flag|ff) create/,
  },
  {
    line: 'rollout create new-pricing --graph shop --percent 5 --key claim:sub',
    unless: /^(?:subgraph|graph|federated-graph|feature-subgraph|fs|feature-flag|ff|rollout) create/,
  },
  {
    line: 'rollout create staff --graph shop --flag new-pricing',
    unless: /^(?:subgraph|graph|federated-graph|feature-subgraph|fs|feature-flag|ff|rollout) create/,
  },
  {
    line: 'documents publish web --graph shop --manifest documents.json',
    unless: /^(?:subgraph|graph|federated-graph) create|^documents publish/,
  },
]
/**
 * Exit 1, for a good reason: the registry of these tests is not empty, deleting what is served breaks its
 * clients, and no router serves the graphs of these namespaces.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'registry import backup.ndjson',
  'registry import - < backup.ndjson',
  'subgraph check products --delete',
  'fs check products-next --delete',
  'config diff shop live latest --operations operations --exit-code',
])

const Document = z.union([
  z.strictObject({
    ok: z.boolean(),
    result: z.looseObject({}),
    compositions: z.array(
      z.looseObject({ graph: z.string().optional(), featureFlag: z.string().nullable(), status: z.string() }),
    ),
    routers: z.strictObject({ serving: z.int(), total: z.int(), verified: z.boolean().optional() }),
  }),
  z.strictObject({ ok: z.literal(false), error: z.looseObject({ code: z.string(), detail: z.string() }) }),
])

let up: StartedUp
/** Where examples say that a router is. */
let probed: ProbedRouter
let subgraph: RunningSubgraph
beforeAll(async () => {
  up = await startUp()
  subgraph = await startSubgraph(() => ({ data: { _service: { sdl: PRODUCTS } } }))
  probed = await startRouter({ DEV_MODE: 'true', ENGINE_ENABLE_DEFER: 'true' })
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(up.folder, name), text)
  await mkdir(join(up.folder, 'operations'))
  await writeFile(join(up.folder, 'operations/typename.graphql'), '{ __typename }')
  await succeed('router compose --input graph.yaml --out config.json')
  await succeed('router compose --input override.yaml --out override.json')
  const composed: unknown = JSON.parse(await readFile(join(up.folder, 'override.json'), 'utf8'))
  const { base } = z.object({ base: z.object({ supergraphSdl: z.string() }) }).parse(composed)
  await writeFile(join(up.folder, 'supergraph.graphql'), base.supergraphSdl)
  await succeed('registry export --out backup.ndjson')
})
afterAll(async () => {
  await probed[Symbol.asyncDispose]()
  await subgraph[Symbol.asyncDispose]()
  await up[Symbol.asyncDispose]()
})

function run(words: readonly string[], options: RunOptions = {}): Promise<Run> {
  return runCommand(words, { cwd: up.folder, env: { SWITCHYARD_REGISTRY_URL: up.registryUrl }, ...options })
}

async function succeed(line: string): Promise<Run> {
  const result = await run(line.split(' '))
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}

/** A pipe and a redirection end the command. */
function commandIn(example: string): readonly string[] {
  return wordsOf(example.split(/ [|<] /)[0] ?? '')
}

/** What `check-plans` reads: the newest revision has the manifest of documents. */
async function hasDocuments(namespace: string): Promise<void> {
  const { stdout } = await succeed(`config fetch shop -n ${namespace}`)
  expect(JSON.parse(stdout)).toHaveProperty('documents')
}

async function isServed(namespace: string): Promise<void> {
  const { stdout } = await succeed(`ff list -n ${namespace}`)
  expect(stdout).toContain('shop: served')
}

/** Publishes until the graph has had so many revisions: what is published at once may become one of them. */
async function untilRevision(namespace: string, revision: number): Promise<void> {
  const newest = async () =>
    z
      .object({ result: z.object({ revision: z.int() }) })
      .parse((await succeed(`graph get shop -n ${namespace} --json`)).json()).result.revision
  for (let turn = 0; (await newest()) < revision; turn += 1) {
    const file = turn % 2 === 0 ? 'reviews-next' : 'reviews'
    await succeed(`subgraph publish reviews --schema ${file}.graphql -n ${namespace}`)
  }
}

/** Allows the host of the examples. There is the preview, too, unless the example creates it. */
async function preparePreviews(namespace: string, example: string): Promise<void> {
  await succeed(`namespace update ${namespace} --preview-hosts *.previews.internal`)
  if (example.startsWith('preview create')) return
  const parts = ['products', 'reviews'].map(
    (name) =>
      `--subgraph ${name} --routing-url https://${name}.previews.internal/ --schema ${name}-next.graphql`,
  )
  await succeed(`preview create pr-481 ${parts.join(' ')} -n ${namespace}`)
}

let count = 0
async function namespaceFor(example: string): Promise<string> {
  count += 1
  const name = `example-${count}`
  if (example.startsWith('namespace create')) return name
  await succeed(`namespace create ${name}`)
  for (const { line, unless } of STEPS) if (!unless.test(example)) await succeed(`${line} -n ${name}`)
  if (STEPS.every(({ unless }) => !unless.test(example))) await vi.waitFor(() => isServed(name), PATIENTLY)
  if (example.startsWith('check-plans')) await vi.waitFor(() => hasDocuments(name), PATIENTLY)
  if (/^rollout (?:pause|advance|end-ramp)/.test(example))
    await succeed(`rollout ramp new-pricing --steps 10,100 --every 1d -n ${name}`)
  if (example.startsWith('rollout end-ramp')) await succeed(`rollout advance new-pricing -n ${name}`)
  if (example.startsWith('preview')) await preparePreviews(name, example)
  const [, revision] = /^config diff shop (\d+)/.exec(example) ?? []
  if (revision !== undefined) await untilRevision(name, Number(revision))
  return name
}

/**
 * Long runs of operations: these have tests of their own. Here their lines are read as far as the files that
 * they name.
 */
const LONG = new Set(['router verify'])

describe.each(COMMANDS.filter(({ path }) => LONG.has(path)))('examples of $path', ({ command }) => {
  it.each(sampled(command.examples, 2))('%s', async (example) => {
    const result = await run(commandIn(example), { cwd: join(up.folder, '.switchyard') })
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toMatch(/^error: The (?:execution config|supergraph) \S+ does not exist\.\n$/)
  })
})

/** Where subscriptions get one event, and their end. */
async function startEvents(): Promise<string> {
  const result = { data: { orderChanged: { id: '1', status: 'PAID' } } }
  const { url } = await fakeServer({
    http: (response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: next\ndata: ${JSON.stringify(result)}\n\nevent: complete\ndata:\n\n`),
    socket: (socket, id) => {
      socket.send(JSON.stringify({ type: 'next', id, payload: result }))
      socket.send(JSON.stringify({ type: 'complete', id }))
    },
  })
  return url
}

describe.each(COMMANDS.filter(({ path }) => !LONG.has(path)))('examples of $path', ({ command, path }) => {
  const namespaced = command.options.some(({ long }) => long === '--namespace')
  const alone = !namespaced && command.parent?.name() !== 'namespace'

  it.each(sampled(command.examples, 2))('%s', async (example) => {
    const namespace = alone ? 'default' : await namespaceFor(example)
    const isSubscription = path === 'subscribe'
    const routerUrl = isSubscription ? await startEvents() : probed.url
    const words = commandIn(example).map((word) =>
      word
        .replace(/\bstaging\b/, alone ? 'staging' : namespace)
        .replace('http://127.0.0.1:4000/graphql', routerUrl)
        .replace('http://127.0.0.1:4001/graphql', subgraph.url),
    )
    const line = namespaced && !words.includes('-n') ? [...words, '-n', namespace] : words
    // Options before `--`: what follows are words of another line.
    const end = line.indexOf('--')
    const withJson = end === -1 ? [...line, '--json'] : [...line.slice(0, end), '--json', ...line.slice(end)]

    const [, input] = / < (\S+)$/.exec(example) ?? []
    const piped = input === undefined ? '' : await readFile(join(up.folder, input), 'utf8')
    const terminal = !/ [|<] /.test(example)
    const interrupt = new AbortController()
    // What goes on until Ctrl-C has shown then what it shows.
    const goesOn = words.includes('--follow')
    const lasting = goesOn ? { signal: interrupt.signal, onStdout: () => interrupt.abort() } : {}
    const result = await run(line, { terminal, columns: 200, typed: 'y', piped, ...lasting })
    expect(result.exitCode, result.stderr).toBe(REFUSED.has(example) ? 1 : 0)
    // What goes on prints no document, but lines.
    if (goesOn || isSubscription) return

    // Once more, for the form alone: what was done is done already.
    const json = await run(withJson, { piped })
    if (json.became !== null) return
    const document = Document.parse(json.json())
    expect(document.ok).toBe(json.exitCode === 0)
  })
})
