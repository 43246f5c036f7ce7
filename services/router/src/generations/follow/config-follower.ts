/**
 * Keeps a router on the newest config of its graph.
 *
 * At start: config store, else the last-known-good copy, else a file. From then on every notice, and a poll
 * for the notices that got lost, leads to one look at the store; what arrives while a config is being built
 * is taken into service once, afterwards: the newest wins. Only what its rollouts take from requests does not
 * wait. Whatever goes wrong, what is being served stays.
 */
import type { GraphKey, ManifestVersion } from '@switchyard/config-store'
import { ConfigNotice, configNoticeSubject } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import { ConfigIntake, type ConfigIntakeOptions } from './config-intake.ts'
import type { ConfigStoreSource } from './config-store-source.ts'
import { lookMeanwhile } from './look-meanwhile.ts'
import type { GraphChoice } from './graph-choice.ts'
import { KEPT_GENERATIONS } from '../copy/last-known-good.ts'
import { Mending } from './mending.ts'
import type { OfferedConfig, SourceName } from '../offered-config.ts'
import { readInTime } from './read-in-time.ts'
import { Wakeups } from './wakeups.ts'

/** The sources of configs, and the parts that take configs into service. */
export type ConfigFollowerOptions = ConfigIntakeOptions & {
  /** Null if only a file is served, so that nothing is followed. */
  readonly store: { readonly source: ConfigStoreSource; readonly graph: GraphChoice } | null
  readonly file: (() => Promise<OfferedConfig>) | null
  readonly announcer: Announcer | null
  readonly pollInterval: number
  /** Called once, when the graph is known whose configs are followed, before the first look. */
  readonly onGraph: (graph: GraphKey) => Promise<void>
  /**
   * Called when the graph becomes known, and after every swap, every rejection, and the deletion of the
   * graph.
   */
  readonly onChange: () => void
}

/** The state of the followed configs, as heartbeats and health checks report it. */
export type FollowerState = {
  readonly graph: GraphKey | null
  readonly graphDeleted: boolean
  readonly rejected: {
    readonly version: ManifestVersion
    readonly code: string
    readonly message: string
  } | null
  /** The reason why nothing is served, as long as nothing is. */
  readonly waitingFor: string
}

/** Follows the configs of a router, from whichever source. */
export interface ConfigFollowing extends AsyncDisposable {
  readonly state: FollowerState
  /**
   * Resolves when the first config that can be found is served, or none could be; following goes on in the
   * background.
   */
  start(): Promise<void>
  /** Looks at the source at once. */
  look(): void
}

/** A router without a config looks for one more often than a serving one. */
const STARTING_POLL_MS = 1000
const UNUSABLE = 'the newest last-known-good copy cannot be used, and the one before it is served'

/** Follows the config of one graph, and hands each new one over to be served. */
export class ConfigFollower implements ConfigFollowing {
  readonly #options: ConfigFollowerOptions
  readonly #intake: ConfigIntake
  readonly #stop = new AbortController()
  readonly #wakeups = new Wakeups()
  #state: FollowerState = {
    graph: null,
    graphDeleted: false,
    rejected: null,
    waitingFor: 'the router is starting',
  }
  /** The last manifest of the store that needs no second look: it was served, or it can never be. */
  #settled: { readonly manifest: Uint8Array; readonly accepted: boolean } | null = null
  /**
   * The version of the last-known-good copy. A store that offers an older one after a restart was set back,
   * or somebody replays an old manifest.
   */
  #least: ManifestVersion | null = null
  /** Whether a config of the store is served without what is damaged of it: no copy is whole instead. */
  #salvages = false
  /** Whether the store has offered a config whose artifacts are not whole. */
  #isDamageSeen = false
  readonly #mending = new Mending()
  #lastLogged = ''
  #subscription: Disposable | null = null
  #running: Promise<void> | null = null

  constructor(options: ConfigFollowerOptions) {
    this.#options = options
    this.#intake = new ConfigIntake(options)
  }

  get state(): FollowerState {
    return this.#state
  }

  async start(): Promise<void> {
    const { store, file } = this.#options
    if (store === null) {
      if (file === null) throw new Error('A router needs a source of configs: a config store or a file.')
      const offer = await file()
      this.#update({ graph: offer.graph })
      await this.#apply(offer, null)
      return
    }
    const graph = await this.#graph(store.graph)
    if (graph === null) return
    this.#update({ graph })
    // Before the first look: a notice between the two would be lost otherwise.
    this.#subscription =
      this.#options.announcer?.subscribe(configNoticeSubject(graph), (message) => {
        const notice = ConfigNotice.safeParse(message)
        this.#wakeups.notify({ traceparent: notice.data?.traceparent ?? null })
      }) ?? null
    await this.#options.onGraph(graph)
    // A starting router sends a heartbeat already, so that whoever publishes the first config knows whom to
    // wait for.
    this.#options.onChange()
    await this.#boot(store.source, graph)
    this.#running = this.#follow(store.source, graph)
  }

  /** Resolves with the graph as soon as there is one, or with null when the router stops before. */
  async #graph(choice: GraphChoice): Promise<GraphKey | null> {
    for (;;) {
      if (this.#stop.signal.aborted) return null
      const current = choice.current()
      if (!('waitingFor' in current)) return current
      if (this.#state.waitingFor !== current.waitingFor) this.#options.events.waiting(current.waitingFor)
      this.#update({ waitingFor: current.waitingFor })
      const changed = Promise.withResolvers<void>()
      using _subscription = choice.onChange(changed.resolve)
      const stopped = () => changed.resolve()
      this.#stop.signal.addEventListener('abort', stopped)
      const again = choice.current()
      if ('waitingFor' in again && again.waitingFor === current.waitingFor) await changed.promise
      this.#stop.signal.removeEventListener('abort', stopped)
    }
  }

  async #boot(source: ConfigStoreSource, graph: GraphKey): Promise<void> {
    const { generations, lastKnownGood, file } = this.#options
    const unserved = () => generations.serving === null && !this.#state.graphDeleted
    const copies: OfferedConfig[] = []
    /** Reasons why configs that are newer than the copy in service cannot be served. */
    const damage: string[] = []
    const fromCopy = (action: () => Promise<void>) =>
      this.#try('last-known-good copy', async () => {
        try {
          await action()
        } catch (error) {
          damage.push(`${UNUSABLE}: ${messageOf(error)}`)
          throw error
        }
      })
    for (const which of KEPT_GENERATIONS) {
      await fromCopy(async () => {
        const copy = (await lastKnownGood?.read(graph, which)) ?? null
        if (copy !== null) copies.push(which === 'newest' ? copy : { ...copy, damage })
        else if (which === 'newest') damage.push(`${UNUSABLE}: its file is missing`)
      })
    }
    this.#least = copies[0]?.version ?? null
    this.#salvages = copies.length === 0
    await this.#lookAt(source, graph, null)
    for (const copy of copies) if (unserved()) await fromCopy(() => this.#apply(copy, null))
    // A copy that cannot be served must not keep the router from serving another source.
    if (unserved()) {
      this.#least = null
      this.#salvages = true
      if (this.#isDamageSeen && copies.length > 0) await this.#lookAt(source, graph, null)
    }
    if (unserved() && file !== null) {
      await this.#try('execution config file', async () => this.#apply(await file(), null))
    }
  }

  look(): void {
    this.#wakeups.notify({ traceparent: null })
  }

  async #follow(source: ConfigStoreSource, graph: GraphKey): Promise<void> {
    const { pollInterval, generations } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      const longest = generations.serving === null ? STARTING_POLL_MS : this.#mending.left
      const notice = await this.#wakeups.next(Math.min(longest, pollInterval), signal)
      if (!signal.aborted) await this.#lookAt(source, graph, notice?.traceparent ?? null)
      if (this.#mending.left === 0) this.#planMending()
    }
  }

  /** One look at the config store. */
  async #lookAt(source: ConfigStoreSource, graph: GraphKey, traceparent: string | null): Promise<void> {
    await this.#try('config store', async () => {
      const stored = await readInTime(source, graph)
      if (stored === null) {
        this.#update({
          waitingFor: `the config store holds no config of ${graph.namespace}/${graph.graph} yet`,
        })
        return
      }
      if (this.#settled !== null && Buffer.compare(this.#settled.manifest, stored.manifest) === 0) {
        if (this.#settled.accepted) this.#accepted(this.#state.graphDeleted)
        if (!this.#settled.accepted || this.#mending.left > 0) return
      }
      const offer = await source.offer(graph, stored)
      try {
        await lookMeanwhile(this.#apply(offer, traceparent), {
          source,
          graph,
          wakeups: this.#wakeups,
          pollInterval: this.#options.pollInterval,
          manifest: stored.manifest,
          believe: (newer) => this.#intake.believe(newer, this.#least),
        })
        this.#settled = { manifest: stored.manifest, accepted: true }
        this.#planMending()
      } catch (error) {
        // A manifest that cannot be built would fail again, so it is not tried again; any other failure may
        // heal.
        if (error instanceof ManifestRejectedError) {
          error.version = offer.version
          this.#isDamageSeen ||= DAMAGE_CODES.has(error.code)
          if (error.code === 'MANIFEST_NOT_BUILT') {
            this.#settled = { manifest: stored.manifest, accepted: false }
          }
        }
        throw error
      }
    })
  }

  #planMending(): void {
    this.#mending.plan(this.#options.generations.serving?.config)
  }

  async #apply(offer: OfferedConfig, traceparent: string | null): Promise<void> {
    const isStored = offer.source === 'config store'
    const limits = {
      least: isStored ? this.#least : null,
      // The copy is for starts without the store, where a part is better than nothing.
      salvages: isStored ? this.#salvages : offer.source === 'last-known-good copy',
    }
    const taken = await this.#intake.take(offer, limits, traceparent)
    if (taken === 'graph deleted') return this.#deleted(offer)
    this.#accepted(false)
    if (taken === 'swapped') this.#options.onChange()
  }

  #accepted(graphDeleted: boolean): void {
    this.#lastLogged = ''
    const reported = this.#state.rejected !== null || this.#state.graphDeleted !== graphDeleted
    this.#update({ rejected: null, graphDeleted })
    if (reported) this.#options.onChange()
  }

  #deleted(offer: OfferedConfig): void {
    const known = this.#state.graphDeleted
    this.#update({ rejected: null, graphDeleted: true, waitingFor: 'the graph was deleted' })
    if (known || offer.graph === null) return
    this.#options.events.graphDeleted(offer.graph, this.#options.generations.serving !== null)
    this.#options.onChange()
  }

  /** Logs what a source did wrong, the same complaint once. Nothing that a source does ends the following. */
  async #try(source: SourceName, action: () => Promise<void>): Promise<void> {
    const { events, generations } = this.#options
    try {
      await action()
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const serving = generations.serving?.config.version ?? null
      if (!(error instanceof ManifestRejectedError)) {
        const complaint = `${source}: ${String(error)}`
        if (this.#lastLogged !== complaint) events.sourceUnavailable(source, error)
        this.#lastLogged = complaint
        if (serving === null) this.#update({ waitingFor: `the ${source} cannot be read` })
        return
      }
      const { epoch, revision } = error.version ?? { epoch: 0, revision: 0 }
      // A rejection is told even if the reason is the same as for the revision before, since heartbeats name
      // the last rejected revision.
      const complaint = `${source}: ${epoch}/${revision} ${error.code} ${error.message}`
      if (this.#lastLogged === complaint) return
      this.#lastLogged = complaint
      events.manifestRejected(source, error, serving)
      this.#update({
        rejected: {
          version: { epoch, revision },
          code: error.code,
          message: error.message.slice(0, 1000),
        },
        waitingFor: waitingBecauseOf(source, error),
      })
      this.#options.onChange()
    }
  }

  #update(change: Partial<FollowerState>): void {
    this.#state = { ...this.#state, ...change }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#subscription?.[Symbol.dispose]()
    await this.#running
  }
}

const DAMAGE_CODES: ReadonlySet<string> = new Set(['MANIFEST_ARTIFACT_INVALID', 'MANIFEST_ARTIFACT_MISSING'])

function waitingBecauseOf(source: SourceName, { code, message }: ManifestRejectedError): string {
  // The message of MANIFEST_UNCONFIRMED tells an operator what is missing. Other messages go to the log only,
  // since strangers can read the health page.
  if (code === 'MANIFEST_UNCONFIRMED')
    return `the config of the ${source} is not known to be the newest. ${message}`
  return `the config of the ${source} was rejected (${code})`
}
