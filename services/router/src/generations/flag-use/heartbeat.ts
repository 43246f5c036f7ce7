/**
 * Reports to the platform what this router serves: at every change, every 5 s, and finally that it stops. A
 * lost heartbeat does no harm.
 */
import { randomUUID } from 'node:crypto'
import type { StoredManifest } from '@switchyard/config-store'
import {
  EXECUTION_CONFIG_FORMAT,
  HEARTBEAT_INTERVAL_MS,
  PIECES_FORMAT,
  type ProcessLoad,
  type RouterHeartbeat,
  routerStatusSubject,
} from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { type FleetKey, VERSION } from '@switchyard/service-kit'
import type { FollowerState } from '../follow/config-follower.ts'
import type { FlagUse } from '../../flags/flag-use.ts'
import type { Generations } from '../generations.ts'
import { leftOutOf, type VerifiedConfig } from '../offered-config.ts'
import { ManifestHash } from '../verify/manifest-hash.ts'

/** The contents of heartbeats, and the parts that send them. */
export type HeartbeatOptions = {
  readonly announcer: Announcer
  /** The key that signs heartbeats; null if they are sent unsigned. */
  readonly fleetKey: FleetKey | null
  readonly instance: string
  readonly boot: string
  readonly generations: Pick<Generations, 'serving'>
  readonly follower: () => FollowerState
  readonly flagUse: Pick<FlagUse, 'told'>
  readonly leaving: () => boolean
  readonly load: () => ProcessLoad
}

/**
 * Null without an announcer, since nobody would hear heartbeats. Each call counts as a new start of the
 * router.
 */
export function openHeartbeat(
  announcer: Announcer | null,
  options: Omit<HeartbeatOptions, 'announcer' | 'boot'>,
): Heartbeat | null {
  return announcer === null ? null : new Heartbeat({ ...options, announcer, boot: randomUUID() })
}

/** Sends heartbeats until it is disposed. */
export class Heartbeat implements Disposable {
  readonly #options: HeartbeatOptions
  readonly #timer: NodeJS.Timeout
  readonly #sign: ((subject: string, heartbeat: object) => object) | null
  #isOver = false
  readonly #hash = new ManifestHash()

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#sign = options.fleetKey?.signer() ?? null
    this.#timer = setInterval(() => this.beat(), HEARTBEAT_INTERVAL_MS).unref()
  }

  /** Tells this start of the router from all others. */
  get boot(): string {
    return this.#options.boot
  }

  beat(): void {
    // After the heartbeat that says "stopped" none may follow, or the router would be listed again.
    if (!this.#isOver) this.#send(null)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#isOver = true
    this.#send('stopped')
  }

  #send(last: 'stopped' | null): void {
    const { announcer, instance, boot, generations, flagUse, follower } = this.#options
    const { graph, rejected, graphDeleted } = follower()
    // The subject of a heartbeat names the graph, so none is sent before the graph is known.
    if (graph === null) return
    const serving = generations.serving
    const heartbeat: RouterHeartbeat = {
      instance,
      boot,
      namespace: graph.namespace,
      graph: graph.graph,
      epoch: serving?.config.version.epoch ?? 0,
      revision: serving?.config.version.revision ?? 0,
      registrySequence: serving?.config.registrySequence ?? 0,
      ...this.#manifestMember(serving?.config.signed ?? null),
      flags: [...(serving?.flags ?? [])],
      ...leftOutMember(serving?.config ?? null),
      flagsInUse: [...flagUse.told],
      configCreatedAt: serving?.config.createdAt ?? null,
      version: VERSION,
      formats: [EXECUTION_CONFIG_FORMAT, PIECES_FORMAT],
      load: this.#options.load(),
      state: last ?? this.#stateOf(graphDeleted),
      ...(rejected === null
        ? {}
        : { rejected: { ...rejected.version, code: rejected.code, message: rejected.message } }),
    }
    const subject = routerStatusSubject(graph, instance)
    announcer.announce(subject, this.#sign?.(subject, heartbeat) ?? heartbeat)
  }

  #manifestMember(manifest: StoredManifest | null): Pick<RouterHeartbeat, 'manifest'> {
    return manifest === null ? {} : { manifest: this.#hash.of(manifest) }
  }

  #stateOf(graphDeleted: boolean): RouterHeartbeat['state'] {
    if (this.#options.leaving()) return 'draining'
    if (graphDeleted) return 'graph-deleted'
    return this.#options.generations.serving === null ? 'starting' : 'serving'
  }
}

function leftOutMember(config: VerifiedConfig | null): Pick<RouterHeartbeat, 'leftOut'> {
  if (config === null) return {}
  const { flags, documents } = leftOutOf(config)
  if (flags.length === 0 && documents.length === 0) return {}
  return { leftOut: { flags: [...flags], documents: [...documents] } }
}
