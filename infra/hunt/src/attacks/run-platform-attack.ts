/** One attack on what feeds routers, while somebody asks a router, and somebody publishes now and then. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type OnRealServers, query, startOnRealServers, waitForReady } from '@switchyard/e2e'
import { serveSubgraph, waitFor } from '@switchyard/testkit'
import type { PlatformAttackerSetUp } from './platform-attacker-thread.ts'
import type { PlatformAttack } from './platform-attacks.ts'
import { type AttackReport, underAttack } from './under-attack.ts'
import { turnReportEnvironment } from './watched-process.ts'

export type PlatformReport = AttackReport & {
  /** Milliseconds from sending a schema of one line until a router serves it, ascending. */
  readonly published: readonly number[]
}

/** The pause between publishes of somebody else. */
const PUBLISH_EVERY_MS = 2000
const LOOK_EVERY_MS = 50
const SERVED_WITHIN_MS = 20_000
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])'
const schemaOf = (field: string) => `${LINK} type Query { me: User } type User { id: ID! ${field}: Int }`

export async function runPlatformAttack(
  attack: PlatformAttack,
  { seconds, restMs }: { readonly seconds: number; readonly restMs: number },
): Promise<PlatformReport> {
  await using parts = new AsyncDisposableStack()
  const me = { Query: { me: () => ({ id: '1' }) } }
  const users = parts.use(await serveSubgraph({ sdl: schemaOf('f0'), resolvers: me }))
  const attacked = attack.attacked ?? 'router-0'
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-attack-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const turns = join(folder, 'turns')
  const system = parts.use(
    await startOnRealServers({
      routerSettings: 'access_log: { enabled: false }',
      optionsOf: (program) => (program === attacked ? { environment: turnReportEnvironment(turns) } : {}),
    }),
  )
  await must(system, 'POST', '/v1/graphs/default', { name: system.graph, labelMatchers: [] })
  const path = '/v1/subgraphs/default/users/schema'
  await must(system, 'PUT', path, { sdl: schemaOf('f0'), routingUrl: users.url })
  await Promise.all(system.routerUrls.map((url) => waitForReady(system, url)))
  const program = system.programs.get(attacked)
  const [url = ''] = system.routerUrls
  if (program === undefined) throw new Error(`There is no ${attacked}.`)
  const port = Number(new URL(url).port)

  const setUp: Omit<PlatformAttackerSetUp, 'name'> = {
    natsUrl: system.nats.url,
    redisUrl: system.redis.url,
    registryUrl: system.registryUrls[0] ?? '',
    apiKey: system.apiKey,
    graph: system.graph,
  }
  const published: number[] = []
  const beside = async (signal: AbortSignal): Promise<void> => {
    if (attack.mayHoldBack === true) await publishOnce(system)
    else await publishNowAndThen(system, url, published, signal)
  }
  const thread = 'platform-attacker-thread.ts'
  const report = await underAttack({ attack, thread, setUp, program, turns, port, seconds, restMs, beside })
  const ended = [...system.programs.values()].filter(({ running }) => !running)
  return {
    ...report,
    published: published.sort((a, b) => a - b),
    after: ended.length === 0 ? report.after : null,
    output: ended.map(({ name, output }) => `${name}: ${output.slice(-1000)}`).join('\n'),
  }
}

/** Publishes a schema once, so that the one from before the attack is no longer the newest. */
async function publishOnce(system: OnRealServers): Promise<void> {
  await must(system, 'PUT', '/v1/subgraphs/default/users/schema', { sdl: schemaOf('f1') })
}

/**
 * Publishes a field with a new name again and again, and adds to `times` how long each took. Throws if a
 * router does not serve it in time.
 */
async function publishNowAndThen(
  system: OnRealServers,
  url: string,
  times: number[],
  signal: AbortSignal,
): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    const began = performance.now()
    await must(system, 'PUT', '/v1/subgraphs/default/users/schema', { sdl: schemaOf(`f${number}`) })
    await waitFor(
      `field f${number} to be served`,
      async () => {
        const { body } = await query(url, {}, `{ me { id f${number} } }`)
        const isServed = !JSON.stringify(body).includes('GRAPHQL_VALIDATION_FAILED')
        if (!isServed) throw new Error(`${JSON.stringify(body)}\n${system.report()}`)
        return true
      },
      { everyMs: LOOK_EVERY_MS, withinMs: SERVED_WITHIN_MS },
    )
    times.push(performance.now() - began)
    await delay(PUBLISH_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function must(system: OnRealServers, method: string, path: string, body: object): Promise<void> {
  const reply = await system.manage(method, path, body)
  if (reply.status >= 300)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}\n${system.report()}`)
}
