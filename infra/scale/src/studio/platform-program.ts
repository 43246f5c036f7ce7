/**
 * Registry, composer and config distribution in one process, with the large namespace in them and with
 * heartbeats of routers. It says once where it is, and then answers what its event loop and its CPU did.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { startComposer } from '@switchyard/composer'
import { createSigningKey, startConfigDistribution } from '@switchyard/config-distribution'
import { openDirectoryConfigStore } from '@switchyard/config-store'
import { ConfigRecord, configSubject, Manifest, parseRecord, type RouterUsage } from '@switchyard/contracts'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import { type RegistryOptions, SessionKeys, startRegistry } from '@switchyard/registry'
import { createLogger } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import { fillBesides, fillNamespace, flagName } from './fill-namespace.ts'
import { type Artifacts, subjectOf, usageOfHour, usedDocuments } from './fill-usage.ts'
import { type Served, startHeartbeats } from './heartbeats.ts'
import { FLAGS, GRAPH } from './large-graph.ts'
import { managementClient } from './management-client.ts'
import { answerQuestions } from './platform-questions.ts'

const KEY = 'key-of-the-bench-of-studio'
const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const COMPOSED_WITHIN_MS = 900_000
const LOOK_EVERY_MS = 1000

const [dataDir = ''] = process.argv.slice(2)
const logger = createLogger({ name: 'platform', level: 'error', to: 'stderr' })
await using parts = new AsyncDisposableStack()
const storage = parts.use(await openSqliteEventLog({ dataDir }))
const announcer = parts.use(createMemoryAnnouncer())

await fill()
const registry = parts.use(await openRegistry())
parts.use(await startDownstream())
let newest = await newestServed()
parts.use(startHeartbeats(announcer, () => newest))
const looking = setInterval(() => void newestServed().then((served) => (newest = served)), LOOK_EVERY_MS)
parts.defer(() => clearInterval(looking))
answerQuestions()
process.send?.({ url: registry.url, key: KEY })
await new Promise((resolve) => process.once('disconnect', resolve))

/** Goes on where an earlier process stopped that was given the same folder. */
async function fill(): Promise<void> {
  if ((await storage.values.keys('hour')).length > 0) return
  await using filling = await openRegistry()
  const client = managementClient(filling.url, KEY)
  if ((await storage.log.last({ kind: 'log', log: 'registry' })) === null) await fillNamespace(client)
  await using downstream = await startDownstream()
  await composed()
  await fillBesides(client)
  await downstream[Symbol.asyncDispose]()
  await fillUsage(await newestArtifacts())
}

async function openRegistry(more: Partial<RegistryOptions> = {}) {
  const started = await startRegistry({
    log: storage.log,
    blobs: storage.blobs,
    pieces: storage.pieces,
    announcer,
    logger,
    host: '127.0.0.1',
    port: 0,
    bootstrapApiKey: KEY,
    sessions: { keys: new SessionKeys(['a key of sessions that is long enough']), links: true },
    usage: { values: storage.values, days: DAYS },
    ...more,
  })
  await waitFor('the registry to have read its log', () => started.ready().ok)
  return started
}

async function startDownstream(): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  const { log, blobs, pieces } = storage
  const store = stack.use(await openDirectoryConfigStore({ directory: join(dataDir, 'config-store') }))
  const common = { log, blobs, pieces, announcer, logger }
  stack.use(startComposer({ ...common, instance: 'composer' }))
  stack.use(
    startConfigDistribution({ ...common, store, signingKey: await createSigningKey(), signsHeads: false }),
  )
  return stack
}

async function newestConfig() {
  const last = await storage.log.last({ kind: 'subject', subject: configSubject(GRAPH) })
  return last === null ? null : parseRecord(ConfigRecord, last.record)
}

/** Waits until base and all flags are composed and published. */
async function composed(): Promise<void> {
  const isDone = async () => {
    const config = await newestConfig()
    if (config === null) return false
    return Object.keys(Manifest.parse(JSON.parse(config.manifest)).featureFlags).length === FLAGS
  }
  await waitFor('everything to be composed', isDone, { withinMs: COMPOSED_WITHIN_MS, everyMs: 200 })
}

async function newestServed(): Promise<Served> {
  const config = await newestConfig()
  if (config === null) throw new Error('nothing was published')
  const { createdAt, registrySequence } = Manifest.parse(JSON.parse(config.manifest))
  const manifest = createHash('sha256').update(config.manifest).digest('hex')
  const { epoch, revision } = config
  return { epoch, revision, manifest, configCreatedAt: createdAt, registrySequence }
}

async function newestArtifacts(): Promise<Artifacts> {
  const { base, featureFlags } = Manifest.parse(JSON.parse((await newestConfig())?.manifest ?? ''))
  if (base === null) throw new Error('base was not published')
  const flags = Array.from({ length: FLAGS }, (_, flag) => featureFlags[flagName(flag)]?.artifact ?? '')
  return { base: base.artifact, flags }
}

/** Lets registries of earlier days hear what routers told then. */
async function fillUsage(artifacts: Artifacts): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS)
  for (let day = today - DAYS; day <= today; day++) {
    const end = Math.min(Date.now(), (day + 1) * DAY_MS - 1)
    let hear: ((usage: RouterUsage) => void) | null = null
    const subscribe = (handler: (message: unknown, subject: string) => void) => {
      hear = (usage) => handler(usage, subjectOf(usage))
      return { [Symbol.dispose]: () => undefined }
    }
    await using _ = await openRegistry({
      now: () => end,
      usage: { values: storage.values, days: DAYS, subscribe },
    })
    const tell: (usage: RouterUsage) => void = hear ?? (() => undefined)
    for (let hour = (day * DAY_MS) / HOUR_MS; hour * HOUR_MS < end; hour++)
      for (const usage of usageOfHour(hour, artifacts)) tell(usage)
    if (day >= today - 1)
      for (const usage of usedDocuments(Math.floor(end / 60_000) - 1, artifacts)) tell(usage)
    await markHeard(day)
  }
}

/** Notes that a registry listened in each minute of a day, as registries do that were never down. */
async function markHeard(day: number): Promise<void> {
  const key = `listened.${day}`
  const minutes = 24 * 60
  const before = await storage.values.get(key)
  await storage.values.set(key, new Uint8Array(minutes / 8).fill(0xff), before?.revision ?? 0)
}
