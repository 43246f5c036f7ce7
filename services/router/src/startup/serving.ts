/**
 * What a router serves and how it hears of changes: it follows the configs, builds them, and says in
 * heartbeats what it serves.
 */
import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import { ConfigFollower, type ConfigFollowing } from '../generations/config-follower.ts'
import { Generations } from '../generations/generations.ts'
import { Heartbeat } from '../generations/heartbeat.ts'
import type { GenerationFactory } from '../generations/generation-factory.ts'
import type { RouterEvents } from '../observe/router-events.ts'
import { TRACER } from '../observe/meter.ts'
import { sourcesOf } from './config-sources.ts'
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

/**
 * Follows nothing before `follower.start`. All of it is handed to `parts`, so that it ends with the router.
 */
export function openServing(
  options: RouterOptions,
  {
    generationFactory,
    events,
    leaving,
  }: {
    readonly generationFactory: GenerationFactory
    readonly events: RouterEvents
    readonly leaving: () => boolean
  },
  parts: AsyncDisposableStack,
): Serving {
  const { config, source, announcer } = options
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
      builtFlags: { count: config.flags.maxBuilt, bytes: config.flags.maxBuiltSize },
      buildWait: config.flags.buildWait,
      warmUpOperations: config.warmUpOperations,
      onFlagsChanged: () => {
        changed()
        if (source.kind === 'primary') source.flagsChanged(generations.serving?.flags ?? [])
      },
    }),
  )
  const follower = parts.use(openFollower(options, generations, events, changed))
  if (announcer !== undefined)
    heartbeat = parts.use(
      new Heartbeat({
        announcer,
        fleetKey: options.fleetKey ?? null,
        instance: options.instance ?? `router-${randomUUID().slice(0, 8)}`,
        boot: randomUUID(),
        generations,
        follower: () => follower.state,
        leaving,
      }),
    )
  return { generations, follower, ready: ready.promise, beat }
}

function openFollower(
  { config, source, announcer }: RouterOptions,
  generations: Generations,
  events: RouterEvents,
  onChange: () => void,
): ConfigFollowing {
  if (source.kind === 'primary') return source.follow(generations, onChange)
  return new ConfigFollower({
    ...sourcesOf(source, config, events.configs),
    generations,
    events: events.configs,
    tracer: trace.getTracer(TRACER),
    announcer: announcer ?? null,
    pollInterval: config.pollInterval,
    onChange,
  })
}
