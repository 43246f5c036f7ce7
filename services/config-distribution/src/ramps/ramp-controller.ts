/**
 * Moves ramps: judges each running step once a second by what routers report, and sends commands to the
 * management API. Any number of controllers may do so: a command names the step that it judged, and the
 * registry refuses one that comes late. The state of a ramp is what the log says, and nothing is kept here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ALIVE_WITHIN_MS, type GraphName, type RouterHeartbeat } from '@switchyard/contracts'
import type { RampOfRollout } from '@switchyard/domain'
import { type RolloutName, type RouterBoot, type RouterFigures, RampSteps } from '@switchyard/guards'
import { Heard, type Logger } from '@switchyard/service-kit'
import type { RegistryFacts } from '../log/registry-facts.ts'
import { createRampEvents, type RampEvents } from './events.ts'
import {
  type CommandResult,
  type ManagementApiSettings,
  type RampCommand,
  sendCommand,
} from './management-api.ts'
import { type Move, nextMove } from './next-move.ts'
import { type ManagementApiSource, readManagementApi } from './read-management-api.ts'

export type RampControllerOptions = {
  /** The ramps of the registry's log. */
  readonly ramps: Pick<RegistryFacts, 'runningRamps' | 'runningRamp'>
  /** Null if nobody may move ramps from here. */
  readonly api: ManagementApiSource | null
  readonly logger: Logger
  /** Unix milliseconds. */
  readonly now: () => number
  /** Milliseconds between two looks. */
  readonly everyMs: number
}

type Living = RouterBoot & { readonly graph: string }

/** Milliseconds after which the same is said again. */
const TOLD_EVERY_MS = 60_000
/** Milliseconds after which a command is sent again whose effect is not in the log. */
const SENT_AGAIN_MS = 5000

export class RampController implements AsyncDisposable {
  readonly #options: RampControllerOptions
  readonly #events: RampEvents
  readonly #stop = new AbortController()
  readonly #living = new Heard<Living>({ keptMs: ALIVE_WITHIN_MS })
  readonly #steps: RampSteps
  /** When something was told or sent last, by what it was. */
  readonly #at = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  /** Commands whose answers are not there yet. A registry that hangs delays no other command. */
  readonly #sending = new Set<Promise<void>>()
  #looking: Promise<void> | null = null

  constructor(options: RampControllerOptions) {
    this.#options = options
    this.#events = createRampEvents(options.logger)
    this.#steps = new RampSteps((namespace, rollout) => options.ramps.runningRamp(namespace, rollout))
    this.#timer = setInterval(() => this.#tick(), options.everyMs)
  }

  /** Notes which routers live. One that drains or ends is waited for no more. */
  heartbeat({ namespace, graph, instance, boot, state }: RouterHeartbeat): void {
    const key = JSON.stringify([namespace, graph, instance])
    if (state === 'serving') this.#living.hear(key, { graph: graphKey({ namespace, graph }), instance, boot })
    else if (state === 'draining' || state === 'stopped') this.#living.forget(key)
  }

  /**
   * Takes what a router counted. Figures of another step count for nothing, and nobody asked for those of
   * other rollouts.
   */
  figures(message: RouterFigures): void {
    this.#steps.heard(message, secondNow())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#stop.abort()
    await this.#looking
    await Promise.all(this.#sending)
  }

  #tick(): void {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#events.lookFailed(error))
      .finally(() => {
        this.#looking = null
      })
  }

  async #look(): Promise<void> {
    const running = this.#options.ramps.runningRamps
    if (running.length === 0) return
    const api = await readManagementApi(this.#options.api)
    for (const ramp of running) {
      if (this.#stop.signal.aborted) return
      if ('missing' in api) this.#tellUnattended(ramp, api.missing)
      else this.#attend(ramp, api)
      // Judging takes a while, and there may be many.
      await nextTurn()
    }
  }

  #tellUnattended(running: RampOfRollout, reason: string): void {
    if (this.#isDue(`unattended ${rampKey(running)}`, TOLD_EVERY_MS))
      this.#events.unattended(running.namespace, running.rollout, reason)
  }

  #attend(running: RampOfRollout, api: ManagementApiSettings): void {
    const { namespace, rollout } = running
    const move = this.#moveOf(running)
    if (move.kind === 'wait') return
    if (move.kind === 'held') {
      if (this.#isDue(`held ${rampKey(running)}`, TOLD_EVERY_MS))
        this.#events.held(namespace, rollout, move.silent)
      return
    }
    const command = commandOf(running, move)
    if (!this.#isDue(`sent ${command.namespace} ${command.idempotencyKey}`, SENT_AGAIN_MS)) return
    const sending = sendCommand(api, command, this.#stop.signal)
      .then((result) => this.#tell(command, result))
      .finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  #tell(command: RampCommand, result: CommandResult): void {
    switch (result.kind) {
      case 'done':
        this.#events.moved(command)
        return
      case 'late':
        return
      default:
        if (this.#stop.signal.aborted) return
        if (this.#isDue(`${result.kind} ${command.namespace}/${command.rollout}`, TOLD_EVERY_MS))
          this.#events.failed(result.kind, command, result.why)
    }
  }

  #moveOf(running: RampOfRollout): Move {
    const { namespace, graph, ramp } = running
    const figures = this.#steps.of(running)
    const living = this.#living
      .list()
      .filter(({ value }) => value.graph === graphKey({ namespace, graph }))
      .map(({ value }) => value)
    return nextMove({
      ramp,
      figures: figures.sum,
      recent: figures.totals(secondNow()),
      living: living.length,
      silent: figures.silentOf(living),
      stopped: { routers: figures.stoppedOf(living).length, totals: figures.totalsOfStopped(living) },
      now: this.#options.now(),
    })
  }

  /** Whether so much time has passed since this was done last, which is now. */
  #isDue(what: string, afterMs: number): boolean {
    const now = performance.now()
    for (const [key, at] of this.#at) if (now - at > TOLD_EVERY_MS) this.#at.delete(key)
    const last = this.#at.get(what)
    if (last !== undefined && now - last < afterMs) return false
    this.#at.set(what, now)
    return true
  }
}

function commandOf(
  { namespace, rollout, ramp }: RampOfRollout,
  { kind, ...judged }: Exclude<Move, { readonly kind: 'wait' | 'held' }>,
): RampCommand {
  return {
    namespace,
    rollout,
    action: kind,
    body: { since: ramp.since, ...judged },
    idempotencyKey: `${rollout}:${ramp.since}:${kind}`,
  }
}

function graphKey({ namespace, graph }: GraphName): string {
  return `${namespace}/${graph}`
}

function rampKey({ namespace, graph, rollout }: RolloutName): string {
  return JSON.stringify([namespace, graph, rollout])
}

function secondNow(): number {
  return Math.floor(performance.now() / 1000)
}
