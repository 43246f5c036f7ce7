/** Fifty flags in use while base and all of them change again and again, under load. */
import { isLongRun } from '@switchyard/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltArtifact, packed } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { heldBytes } from '../support/heap.ts'
import { data, type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'

const FLAGS = 50
/** Changes of base and all flags: fewer in `make test-full`. `RUNS=200` is what a campaign makes. */
const SWAPS = Number(process.env['RUNS'] ?? (isLongRun() ? 25 : 6))
const TYPES = 200
const CLIENTS = 8

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let subgraph: RawSubgraph
let router: TestRouter
beforeAll(async () => {
  subgraph = stack.use(await startRawSubgraph())
  answerRequests()
  world = stack.use(await ConfigWorld.create())
  await publish(1)
  router = stack.use(await routerOn(world, { settings: 'access_log: { enabled: false }' }))
  await router.ready
})
afterAll(() => stack.disposeAsync())

/** From here on: what the subgraph has received is forgotten. */
function answerRequests(): void {
  subgraph.answers(data('{"first":{"name":"a"}}'))
}

/** Type 0 names the revision, and the type of a flag names flag and revision. */
function artifactOf(revision: number, flag: number | null): BuiltArtifact {
  const types = Array.from({ length: TYPES }, (_, type) => {
    const own =
      type === 0 ? `rev${revision}: Int` : type - 1 === flag ? `flag${type - 1}rev${revision}: Int` : ''
    return `type T${type} @join__type(graph: A) {\n  name: String\n  ${own}\n}`
  })
  // Every third revision has a type more than the one before, or less.
  const more = revision % 3 === 0 ? 'type More @join__type(graph: A) {\n  name: String\n}' : ''
  const supergraphSdl = [
    'schema\n  @link(url: "https://specs.apollo.dev/link/v1.0")\n  @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)\n{\n  query: Query\n}',
    `enum join__Graph {\n  A @join__graph(name: "a", url: "${subgraph.url}")\n}`,
    'type Query @join__type(graph: A) {\n  first: T0\n}',
    ...types,
    more,
  ].join('\n\n')
  const subgraphs = [{ name: 'a', routingUrl: subgraph.url }]
  return packed({ formatVersion: 1, compatibilityVersion: 'join/v0.5', supergraphSdl, subgraphs })
}

async function publish(revision: number): Promise<void> {
  const flags = Array.from(
    { length: FLAGS },
    (_, flag) => [`flag-${flag}`, artifactOf(revision, flag)] as const,
  )
  await world.publish({ revision, base: artifactOf(revision, null), flags: Object.fromEntries(flags) })
}

type Shown = { readonly fields: readonly { readonly name: string }[] }

/** Asks by one flag, or by none, and returns the revision that answered. */
async function ask(flag: number | null): Promise<number> {
  const own = `T${(flag ?? 0) + 1}`
  const query = `{ first { name } all: __type(name: "T0") { fields { name } } own: __type(name: "${own}") { fields { name } } }`
  const reply = await post(router, { query }, flag === null ? {} : { 'x-feature-flag': `flag-${flag}` })
  expect(reply).toMatchObject({ status: 200, json: { data: { first: { name: 'a' } } } })
  expect(reply.json.errors).toBeUndefined()
  const { all, own: shown } = reply.json.data as { readonly all: Shown; readonly own: Shown }
  const [, marker = ''] = all.fields.map(({ name }) => name)
  const expected = flag === null ? ['name'] : ['name', `flag${flag}${marker}`]
  expect(shown.fields.map(({ name }) => name)).toEqual(expected)
  return Number(marker.slice(3))
}

async function askAll(): Promise<void> {
  for (let flag = 0; flag < FLAGS; flag++) await ask(flag)
}

it('each request is answered by one revision, none fails, and the memory comes back', {
  timeout: 600_000,
}, async () => {
  await askAll()
  const before = await heldBytes()
  const running = { yes: true }
  let asked = 0
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    let last = 0
    for (let turn = client; running.yes; turn += 7) {
      const revision = await ask(turn % (FLAGS + 1) === FLAGS ? null : turn % (FLAGS + 1))
      // What was answered by a revision is never answered by an older one again.
      expect(revision).toBeGreaterThanOrEqual(last)
      last = revision
      asked += 1
    }
  })
  const built = { all: 0, whole: 0 }
  for (let revision = 2; revision <= SWAPS + 1; revision++) {
    await publish(revision)
    await until(() => world.heartbeats.at(-1)?.revision === revision, `revision ${revision} is served`)
    // What the test keeps takes memory as well: bodies of requests, heartbeats, and lines of the log.
    answerRequests()
    world.heartbeats.splice(0, world.heartbeats.length - 1)
    for (const { event, changed } of router.logs.splice(0)) {
      expect(event).not.toBe('generation.not-patched')
      if (event !== 'generation.built') continue
      built.all += 1
      if (changed === null) built.whole += 1
    }
  }
  running.yes = false
  await Promise.all(clients)
  expect(asked).toBeGreaterThan(SWAPS)
  await askAll()
  expect(await heldBytes()).toBeLessThan(before * 1.1)
  expect(built.all).toBeGreaterThan(SWAPS)
  expect(built.whole).toBeLessThan(built.all / 10)
})
