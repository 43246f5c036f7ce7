/**
 * What a router serves and how it hears of changes: it follows the configs, builds them, and says in
 * heartbeats what it serves.
 */
import { randomUUID } from 'node:crypto'
import type { RouterConfig } from '../config/router-config.ts'
import type { ConfigFollowing } from '../generations/config-follower.ts'
import { Generations } from '../generations/generations.ts'
import { type Heartbeat, openHeartbeat } from '../generations/heartbeat.ts'
import type { GenerationFactory } from '../generations/generation-factory.ts'
import type { PublishedDocuments } from '../generations/published-documents.ts'
import type { RouterEvents } from '../observe/router-events.ts'
import { openFollower } from './config-sources.ts'
import { namingSettings } from './naming-settings.ts'
import type { RouterOptions } from './router-options.ts'

/** What a router serves, and how it hears of changes. */
export type Serving = {
  readonly generations: Generations
  readonly follower: ConfigFollowing
  /** Resolves when the first generation serves. Never rejects. */
  readonly ready: Promise<void>
  /** Sends a heartbeat at once, where the router sends any. */
  beat(): void
}

type ServingParts = {
  /** The settings by which requests are answered now: those of the start, or later ones. */
  readonly inForce: () => RouterConfig
  readonly generationFactory: GenerationFactory
  readonly events: RouterEvents
  readonly leaving: () => boolean
  /** null: see `GenerationsOptions`. */
  readonly published: PublishedDocuments | null
}

/**
 * Follows nothing before `follower.start`. All of it is handed to `parts`, so that it ends with the router.
 */
export function openServing(
  options: RouterOptions,
  { inForce, generationFactory, events, leaving, published }: ServingParts,
  parts: AsyncDisposableStack,
): Serving {
  const { config, source, announcer = null, fleetKey = null } = options
  const { instance = `router-${randomUUID().slice(0, 8)}` } = options
  const ready = Promise.withResolvers<void>()
  let heartbeat: Heartbeat | null = null
  const beat = () => heartbeat?.beat()
  const changed = () => {
    if (generations.serving !== null) ready.resolve()
    beat()
  }
  const generations = parts.use(
    new Generations({
      generationFactory,
      events: events.compositions,
      access: {
        get identifies() {
          return inForce().authentication !== null
        },
        get policies() {
          return inForce().authorization.policies
        },
      },
      settings: () => {
        const { flags, warmUpOperations } = inForce()
        const { maxBuilt: count, maxBuiltSize: bytes, buildWait } = flags
        return { builtFlags: { count, bytes }, buildWait, warmUpOperations }
      },
      naming: () => namingSettings(inForce()),
      documents: published,
      onFlagsChanged: () => {
        changed()
        if (source.kind === 'primary') source.flagsChanged(generations.serving?.flags ?? [])
      },
    }),
  )
  const follower = parts.use(
    source.kind === 'primary'
      ? source.follow(generations, changed)
      : openFollower(source, { config, announcer }, generations, events.configs, changed),
  )
  const state = () => follower.state
  heartbeat = parts.use(
    openHeartbeat(announcer, { fleetKey, instance, generations, follower: state, leaving }),
  )
  return { generations, follower, ready: ready.promise, beat }
}
