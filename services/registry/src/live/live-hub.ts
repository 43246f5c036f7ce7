/**
 * Tells all connections of `GET /v1/live` what happens, when the readers of the logs and the list of routers
 * say so. Nothing is asked at intervals but figures, and which routers fell silent.
 */
import type { GraphName, LiveEvent } from '@switchyard/contracts'
import type { Fleet } from '../fleet/fleet.ts'
import { type GraphRate, rounded } from '../fleet/graph-rates.ts'
import type { HeardServices } from '../fleet/heard-services.ts'
import type { FoldedRecord, LogNews } from '../reading/log-news.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import { changesSince } from './changes-since.ts'
import { COMMENT, type LiveFrame, liveFrame } from './live-frame.ts'
import { LiveStream, type LiveStreamOptions } from './live-stream.ts'

const MOST_STREAMS = 200
/** Milliseconds between figures, and between two looks at rights and at who fell silent. */
const TICK_MS = 5000
const TICKS_PER_COMMENT = 3
/** Milliseconds for which events are gathered, so that what happens together is sent together. */
const GATHER_MS = 50
/** Graphs that are told to a client that comes back. One of more graphs reads everything anew. */
const MOST_GRAPHS = 500

export type LiveSources = {
  readonly fold: Pick<RegistryReader, 'records' | 'graphsOf' | 'graphs'>
  readonly fleet: Pick<Fleet, 'rates' | 'alive'>
  readonly services: Pick<HeardServices, 'alive'>
}

export type LiveHubOptions = {
  /** Not called before the first stream is opened. */
  readonly sources: () => LiveSources
  readonly tickMs?: number | undefined
}

export class LiveHub implements LogNews, Disposable {
  readonly #options: LiveHubOptions
  readonly #streams = new Set<LiveStream>()
  #tick: NodeJS.Timeout | null = null
  #gathering: NodeJS.Timeout | null = null
  #ticks = 0
  /** The last record of the registry's log that was taken. */
  #position = 0
  /** The routers and services that were alive when somebody last looked. */
  #alive = ''
  #isOver = false

  constructor(options: LiveHubOptions) {
    this.#options = options
  }

  /** Whether no stream may be opened. */
  get isFull(): boolean {
    return this.#isOver || this.#streams.size >= MOST_STREAMS
  }

  recorded({ sequence, namespace, isApplied, graphs }: FoldedRecord): void {
    this.#position = sequence
    if (isApplied) this.#tell({ kind: 'changed', sequence, namespace, graphs: [...graphs] }, namespace)
    // A key may have been deleted: its streams end now.
    if (namespace === null) this.#sendSoon()
  }

  composed({ namespace, graph }: GraphName): void {
    this.#tell({ kind: 'composed', namespace, graph }, namespace)
  }

  published({ namespace, graph }: GraphName): void {
    this.#tell({ kind: 'published', namespace, graph }, namespace)
  }

  /** A router or a service came, changed what it serves, or went. */
  fleetChanged(): void {
    if (this.#streams.size === 0) return
    const frame = liveFrame({ kind: 'fleet' }, this.#position)
    for (const stream of this.#streams) if (stream.reader.everyNamespace) stream.tell(frame)
    this.#sendSoon()
  }

  /**
   * Opens a stream, which begins with what happened after the sequence, if that can be told. `after` is null
   * for a client that comes for the first time. The caller looks at `isFull` before.
   */
  open(options: LiveStreamOptions, after: number | null): LiveStream {
    const stream = new LiveStream(options)
    for (const frame of this.#beginning(stream, after)) stream.tell(frame)
    this.#streams.add(stream)
    stream.once('close', () => this.#closed(stream))
    if (this.#tick === null) {
      this.#alive = this.#aliveNow()
      this.#tick = setInterval(() => this.#atTick(), this.#options.tickMs ?? TICK_MS).unref()
    }
    return stream
  }

  /** Ends all streams, with what waits for them. No other one may be opened from now on. */
  finish(): void {
    this.#isOver = true
    for (const stream of this.#streams) stream.finish()
  }

  [Symbol.dispose](): void {
    this.finish()
    if (this.#tick !== null) clearInterval(this.#tick)
    if (this.#gathering !== null) clearTimeout(this.#gathering)
  }

  #beginning({ reader }: LiveStream, after: number | null): readonly LiveFrame[] {
    const { fold } = this.#options.sources()
    const end = this.#position
    const hello = (sequence: number, missed: boolean) =>
      liveFrame({ kind: 'hello', sequence, missed }, sequence)
    if (after === null) return [hello(end, false)]
    const changes = changesSince(fold, after, reader.includes)
    const graphs = fold.graphs().filter(({ namespace }) => reader.includes(namespace))
    if (changes === null || graphs.length > MOST_GRAPHS) return [hello(end, true)]
    // The id counts changes alone, so that nobody knows which graphs were composed since: all are told.
    const told: readonly LiveEvent[] = [
      ...graphs.map((graph) => ({ kind: 'composed' as const, ...graph })),
      ...graphs.map((graph) => ({ kind: 'published' as const, ...graph })),
      ...(reader.everyNamespace ? [{ kind: 'fleet' as const }] : []),
    ]
    return [
      // A client that is cut off behind it asks for the same changes again.
      hello(after, false),
      ...changes.map((change) => liveFrame(change, change.sequence)),
      ...told.map((event) => liveFrame(event, end)),
    ]
  }

  #tell(event: LiveEvent, namespace: string | null): void {
    if (this.#streams.size === 0) return
    const frame = liveFrame(event, this.#position)
    for (const stream of this.#streams) if (stream.reader.includes(namespace)) stream.tell(frame)
    this.#sendSoon()
  }

  #sendSoon(): void {
    if (this.#streams.size > 0) this.#gathering ??= setTimeout(() => this.#send(), GATHER_MS)
  }

  #send(): void {
    this.#gathering = null
    for (const stream of this.#streams) void stream.send()
  }

  #atTick(): void {
    const alive = this.#aliveNow()
    if (alive !== this.#alive) this.fleetChanged()
    this.#alive = alive
    this.#ticks++
    const rates = this.#options.sources().fleet.rates()
    const figures = new Map<string, LiveFrame>()
    for (const stream of this.#streams) {
      const { key, includes } = stream.reader
      const frame = figures.get(key) ?? figuresFrame(rates, includes, this.#position)
      figures.set(key, frame)
      stream.tell(frame)
      if (this.#ticks % TICKS_PER_COMMENT === 0) stream.tell(COMMENT)
    }
    this.#send()
  }

  #aliveNow(): string {
    const { fleet, services } = this.#options.sources()
    return [...fleet.alive(), ...services.alive()].sort().join('\n')
  }

  #closed(stream: LiveStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0 || this.#tick === null) return
    clearInterval(this.#tick)
    this.#tick = null
  }
}

function figuresFrame(
  rates: readonly GraphRate[],
  includes: (namespace: string) => boolean,
  position: number,
): LiveFrame {
  const graphs = rates
    .filter(({ namespace }) => includes(namespace))
    .map(({ requestsPerSecond, errorsPerSecond, ...graph }) => ({
      ...graph,
      requestsPerSecond: rounded(requestsPerSecond),
      errorsPerSecond: rounded(errorsPerSecond),
    }))
  return liveFrame({ kind: 'figures', graphs }, position)
}
