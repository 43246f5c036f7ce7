/**
 * Real embedded storage in a temporary directory, and a registry's side of the log: one record per command.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Artifact, CompositionRecord, compositionSubject, registrySubject } from '@switchyard/contracts'
import type { RecordedResult, RegistryEvent, RegistryRecord } from '@switchyard/contracts'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import type { Announcer, BlobStore, EventLog } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { startComposer } from '../src/composer.ts'
import type { Composer, ComposerOptions } from '../src/composer.ts'
import { CompositionLanes } from '../src/lanes/composition-lanes.ts'
import { waitFor } from '@switchyard/testkit'

export type LogLine = {
  readonly event: string
  readonly namespace?: string
  readonly registrySequence?: number
  /** Of a composition that began: namespace, graph and flag as JSON. */
  readonly subject?: string
}
export type Completed = Extract<CompositionRecord, { type: 'composition.completed' }>

/** The longest time of a timer, in milliseconds. */
export const FOR_EVER = 2 ** 31 - 1

export const QUIET = createLogger({ name: 'composer', level: 'silent' })

/** Composes, unless a comment in a schema tells what to do instead. */
const TOLD_WORKER = new URL('./told-worker.ts', import.meta.url)

const OF_OWN_THREADS = ['workers', 'cpuBudgetMs', 'memoryMb', 'workerModule']

let lanes: CompositionLanes | null = null

/**
 * Starting a thread costs more than most compositions here. The threads end with the process. Comments in
 * schemas may tell them to do something else than to compose: see `telling`.
 */
function lanesOfProcess(): CompositionLanes {
  lanes ??= new CompositionLanes({
    largeThreads: 1,
    cpuBudgetMs: 30_000,
    memoryMb: 2048,
    module: TOLD_WORKER,
  })
  return lanes
}

export class Bench implements AsyncDisposable {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly pieces: BlobStore
  readonly announcer: Announcer
  readonly namespace: string
  readonly #release: () => Promise<void>
  #after = 0
  #expected = 0
  #commands = 0

  constructor(parts: {
    readonly log: EventLog
    readonly blobs: BlobStore
    readonly pieces: BlobStore
    readonly announcer: Announcer
    readonly namespace?: string
    readonly release?: () => Promise<void>
  }) {
    this.log = parts.log
    this.blobs = parts.blobs
    this.pieces = parts.pieces
    this.announcer = parts.announcer
    this.namespace = parts.namespace ?? 'default'
    this.#release = parts.release ?? (async () => {})
  }

  /**
   * Its bases wait for their flags, and it uses threads that are there already, unless the test says
   * otherwise.
   */
  start(overrides: Partial<ComposerOptions> = {}): Composer {
    const { log, blobs, pieces, announcer } = this
    const parts = { log, blobs, pieces, announcer, logger: QUIET, instance: 'one', flagsWaitMs: FOR_EVER }
    const hasOwnThreads = OF_OWN_THREADS.some((option) => option in overrides)
    return startComposer({
      ...parts,
      ...(hasOwnThreads ? { workerModule: TOLD_WORKER } : { lanes: lanesOfProcess() }),
      ...overrides,
    })
  }

  /** Another namespace on the same storage. */
  in(namespace: string): Bench {
    const { log, blobs, pieces, announcer } = this
    return new Bench({ log, blobs, pieces, announcer, namespace })
  }

  /** Appends one command to the namespace; returns its sequence. */
  async command(events: readonly RegistryEvent[], more: Partial<RegistryRecord> = {}): Promise<number> {
    this.#commands += 1
    const record: RegistryRecord = {
      v: 1,
      commandId: `command-${this.namespace}-${this.#commands}`,
      actor: 'system',
      time: new Date().toISOString(),
      after: this.#after,
      events: [...events],
      ...more,
    }
    const sequence = await this.log.append(registrySubject(this.namespace), record, this.#expected)
    this.#expected = sequence
    if (more.after === undefined) this.#after = sequence
    return sequence
  }

  /** Creates the subgraph when asked, and publishes the SDL. */
  async schema(name: string, sdl: string): Promise<RegistryEvent> {
    const bytes = new TextEncoder().encode(sdl)
    const schema = await this.blobs.put(bytes)
    return { type: 'subgraph.schema-published', name, schema, bytes: bytes.length }
  }

  async publish(name: string, sdl: string): Promise<number> {
    return this.command([await this.schema(name, sdl)])
  }

  /** The events of the composer's log lines, in order. */
  readonly lines: LogLine[] = []

  /** Waits for a line of a composer that was started with `logged`. */
  async line(event: string, count = 1): Promise<LogLine> {
    const lines = () => this.lines.filter((line) => line.event === event)
    return await waitFor(`${count} times ${event}`, () => lines()[count - 1])
  }

  get logged(): Pick<ComposerOptions, 'logger'> {
    const write = (line: string) => void this.lines.push(JSON.parse(line))
    return { logger: createLogger({ name: 'composer', level: 'debug', to: { write } }) }
  }

  async records(graph = 'shop'): Promise<readonly CompositionRecord[]> {
    const records: CompositionRecord[] = []
    const filter = {
      kind: 'subject',
      subject: compositionSubject({ namespace: this.namespace, graph }),
    } as const
    for await (const { record } of this.log.read(filter, 1)) records.push(CompositionRecord.parse(record))
    return records
  }

  async last(graph = 'shop'): Promise<Completed> {
    const record = (await this.records(graph)).at(-1)
    if (record?.type !== 'composition.completed') throw new Error(`no composition of ${graph}`)
    return record
  }

  async artifact(result: RecordedResult | undefined): Promise<Artifact> {
    if (result?.status !== 'composed' && result?.status !== 'reused') {
      throw new Error(`expected an artifact: ${JSON.stringify(result)}`)
    }
    return Artifact.parse(JSON.parse(new TextDecoder().decode(await this.blobs.get(result.artifact))))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release()
  }
}

export async function openBench(): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-composer-'))
  const storage = await openSqliteEventLog({ dataDir: directory })
  const announcer = createMemoryAnnouncer()
  return new Bench({
    ...storage,
    announcer,
    async release() {
      await announcer[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  })
}

export const PRODUCTS =
  'type Query { product(id: ID!): Product } type Product @key(fields: "id") { id: ID! name: String }'
export const REVIEWS = 'type Product @key(fields: "id") { id: ID! stars: Int }'
export const REVIEWS_NEXT = 'type Product @key(fields: "id") { id: ID! stars: Int verdict: String }'
export const BROKEN = 'type Product @key(fields: "id") { id: ID! name: Int }'

/** A schema of `products` at which told-worker.ts does something else than to compose. */
export function telling(what: 'endless' | 'crash' | 'grow' | 'sleep', more = ''): string {
  return `# do: ${what}\n${PRODUCTS}${more}`
}

/** A schema that is composed when the file is there. */
export function heldUntil(path: string, sdl: string): string {
  return `# do: hold ${path}\n${sdl}`
}

/** Makes a schema one that is expected to take seconds. */
export const PADDING = `\n# ${'x'.repeat(512 * 1024)}`

/** A graph `shop` of `products` and `reviews`, with a flag `next` (disabled) that replaces `reviews`. */
export async function createShop(bench: Bench): Promise<number> {
  const subgraph = (name: string): RegistryEvent => ({
    type: 'subgraph.created',
    name,
    routingUrl: `http://${name}.test/graphql`,
    labels: [],
  })
  return bench.command([
    { type: 'federated-graph.created', name: 'shop', labelMatchers: [] },
    subgraph('products'),
    await bench.schema('products', PRODUCTS),
    subgraph('reviews'),
    await bench.schema('reviews', REVIEWS),
    {
      type: 'feature-subgraph.created',
      name: 'reviews-next',
      routingUrl: 'http://reviews-next.test/graphql',
      base: 'reviews',
    },
    await bench.schema('reviews-next', REVIEWS_NEXT),
    {
      type: 'feature-flag.created',
      name: 'next',
      labels: [],
      featureSubgraphs: ['reviews-next'],
      enabled: false,
    },
  ])
}

export function toggle(enabled: boolean): RegistryEvent {
  return { type: enabled ? 'feature-flag.enabled' : 'feature-flag.disabled', name: 'next' }
}
