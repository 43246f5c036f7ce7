/** Serves the configs of a router: follows them, builds them, and reports in heartbeats what is served. */
import { randomUUID } from 'node:crypto'
import type { GraphKey } from '@switchyard/config-store'
import type { ProcessLoad } from '@switchyard/contracts'
import { MissingProviders } from '../brokers/missing-providers.ts'
import type { RouterConfig } from '../config/router-config.ts'
import { type FiguresReports, openFigures } from '../concerns/guards/figures-reports.ts'
import { GuardedRollouts } from '../concerns/guards/guarded-rollouts.ts'
import type { ConfigFollowing } from '../generations/follow/config-follower.ts'
import { RolloutCompiler } from '../concerns/rollouts/compile-rollouts.ts'
import { FlagUse } from '../flags/flag-use.ts'
import { Generations, type GenerationsOptions } from '../generations/generations.ts'
import { type Heartbeat, openHeartbeat } from '../generations/flag-use/heartbeat.ts'
import type { GenerationFactory } from '../generations/generation-factory.ts'
import type { PublishedManifests } from '../generations/published-documents.ts'
import { ReadyGate } from '../generations/ready-gate.ts'
import type { ShadowResults } from '../concerns/shadows/results/shadow-results.ts'
import { announceDifferences, DifferencesReport } from '../shadows/differences-report.ts'
import { openUsage } from '../concerns/usage/open-usage.ts'
import type { Usage } from '../concerns/usage/usage.ts'
import type { RouterEvents } from './router-events.ts'
import { openFollower } from './config-sources.ts'
import { FlagUseLearning } from './learn-flag-use.ts'
import { namingSettings } from './naming-settings.ts'
import type { RouterOptions } from './router-options.ts'

/** The parts that serve configs and hear of changes. */
export type Serving = {
  readonly generations: Generations
  /** Counts the requests of guarded rollouts. */
  readonly guards: GuardedRollouts
  /** Counts requests by operation, client and composition; null if nobody is told. */
  readonly usage: Usage | null
  readonly follower: ConfigFollowing
  readonly gate: Pick<ReadyGate, 'isOpen'>
  /** Resolves when the router is ready for the first time. Never rejects. */
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
  readonly load: () => ProcessLoad
  /** Published manifests of documents; null as `GenerationsOptions` describes. */
  readonly published: PublishedManifests | null
  /** The results of comparing answers with those of flags. */
  readonly shadowResults: ShadowResults
}

/**
 * Follows nothing before `follower.start`. All of it is handed to `parts`, so that it ends with the router.
 */
export function openServing(
  options: RouterOptions,
  { inForce, generationFactory, events, leaving, load, published, shadowResults }: ServingParts,
  parts: AsyncDisposableStack,
): Serving {
  const { config, source, announcer = null, fleetKey = null, logger } = options
  const { instance = `router-${randomUUID().slice(0, 8)}` } = options
  const ready = Promise.withResolvers<void>()
  const flagUse = new FlagUse()
  let heartbeat: Heartbeat | null = null
  const beat = () => heartbeat?.beat()
  const changed = () => {
    gate.look()
    beat()
  }
  let figures: FiguresReports | null = null
  const guards = new GuardedRollouts({
    events: events.guards,
    judges: source.kind !== 'primary',
    onStopped: () => figures?.send(),
  })
  const generations = parts.use(
    openGenerations(
      { inForce, generationFactory, events, published, flagUse, now: options.overrides?.now },
      {
        onServed: (served) => guards.serve(served),
        onFlagsChanged: () => {
          changed()
          if (source.kind === 'primary') source.flagsChanged(generations.serving?.flags ?? [])
        },
        onFlagSettled: () => gate.settled(),
      },
    ),
  )
  const gate = parts.use(
    new ReadyGate(
      {
        generations,
        limit: () => inForce().flags.readyWait,
        onOpen: () => {
          ready.resolve()
          if (source.kind === 'primary') source.opened()
        },
        onLimit: () => events.compositions.flagsNotBuiltAtStart(generations.flagsInUse),
      },
      source.kind !== 'primary' && !FlagUseLearning.hears({ source, announcer }),
    ),
  )
  const useChanged = () => generations.useChanged()
  const heard = () => gate.heard()
  const learning = parts.use(
    new FlagUseLearning({
      source,
      announcer,
      fleetKey,
      logger,
      flagUse,
      events: events.configs,
      onChange: useChanged,
      onHeard: heard,
    }),
  )
  const onGraph = (graph: GraphKey) => learning.open(graph)
  const follower = parts.use(
    source.kind === 'primary'
      ? source.follow({ generations, flagUse, guards }, { changed, useChanged, heard })
      : openFollower(source, { config, announcer }, generations, events.configs, {
          onGraph,
          onChange: changed,
        }),
  )
  const state = () => follower.state
  heartbeat = parts.use(
    openHeartbeat(announcer, { fleetKey, instance, generations, flagUse, follower: state, leaving, load }),
  )
  const rollouts = () => generations.table?.shadows ?? null
  const tell =
    source.kind === 'primary'
      ? source.differences
      : announcer && announceDifferences({ announcer, fleetKey, instance, graph: () => state().graph })
  if (tell !== null)
    parts.use(
      new DifferencesReport({
        results: shadowResults,
        rollouts,
        tell,
        interval: options.overrides?.differencesInterval,
      }),
    )
  const reports = () => guards.reports
  figures = openFigures({ announcer, fleetKey, heartbeat, instance, follower: state, reports })
  if (figures !== null) parts.use(figures)
  const onDefect = (error: unknown) => events.requests.failures.defect(error)
  const counting = { inForce, onDefect, heartbeat, graph: () => state().graph }
  const usage = openUsage({ ...options, instance }, counting, parts)
  return { generations, guards, usage, follower, gate, ready: ready.promise, beat }
}

function openGenerations(
  {
    inForce,
    generationFactory,
    events,
    published,
    flagUse,
    now,
  }: Omit<ServingParts, 'leaving' | 'load' | 'shadowResults'> & Pick<GenerationsOptions, 'flagUse' | 'now'>,
  listener: Pick<GenerationsOptions, 'onServed' | 'onFlagsChanged' | 'onFlagSettled'>,
): Generations {
  const rollouts = new RolloutCompiler(events.rollouts)
  return new Generations({
    generationFactory,
    rolloutsOf: (manifest) => rollouts.compile(manifest),
    events: events.compositions,
    access: {
      get identifies() {
        return inForce().authentication !== null
      },
      get policies() {
        return inForce().authorization.policies
      },
    },
    providers: new MissingProviders(() => inForce().brokers, events.providers),
    settings: () => {
      const { maxBuiltSize, buildWait, buildAhead } = inForce().flags
      return { maxBuiltSize, buildWait, buildAhead }
    },
    naming: () => namingSettings(inForce()),
    documents: published,
    flagUse,
    now,
    ...listener,
  })
}
