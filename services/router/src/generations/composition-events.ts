/** Which compositions are compiled and kept, and which cannot be served. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, declareGauge, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { BuildReason } from '../flags/build-reason.ts'
import { MAX_HASH } from '../observe/logged.ts'
import { METER } from '../observe/meter.ts'

const WHY_BUILT: Readonly<Record<BuildReason, string>> = {
  requested: 'for a request that waits for it',
  'in use': 'since clients ask for it',
  ahead: 'before anybody asks for it',
}

/** Names in one log line. */
const MAX_LISTED = 20

export const FLAG_BUILDS = declareCounter('switchyard.router.flag_builds', {
  description: 'Compositions of feature flags that were compiled while their config was served',
  labels: {
    flag: '',
    outcome: ['built', 'failed'],
    reason: 'if it was built, `requested`, `in use` or `ahead`',
  },
})

export const GENERATION_BUILDS = declareCounter('switchyard.router.generation_builds', {
  description: 'Compositions that were compiled',
})

export const GENERATIONS = declareGauge('switchyard.router.generations', {
  description: 'Compiled compositions in memory',
})

export const GENERATION_SIZE = declareGauge('switchyard.router.generation_size', {
  unit: 'By',
  description: 'Memory that compiled compositions take, roughly',
})

/** Logs and counts what becomes of compositions that are built. */
export class CompositionEvents {
  readonly #log: Logger
  readonly #flagBuilds
  readonly #builds
  readonly #generations
  readonly #generationBytes

  constructor(logger: Logger) {
    this.#log = logger
    const meter = metrics.getMeter(METER)
    this.#flagBuilds = meter.createCounter(FLAG_BUILDS.name, FLAG_BUILDS.options)
    this.#builds = meter.createCounter(GENERATION_BUILDS.name, GENERATION_BUILDS.options)
    this.#generations = meter.createUpDownCounter(GENERATIONS.name, GENERATIONS.options)
    this.#generationBytes = meter.createUpDownCounter(GENERATION_SIZE.name, GENERATION_SIZE.options)
  }

  /** `alive`: generations in memory, with this one. */
  generationBuilt(artifact: string, size: number, alive: number, milliseconds: number): void {
    this.#builds.add(1)
    this.#generations.add(1)
    this.#generationBytes.add(size)
    this.#log.info(
      {
        event: 'generation.built',
        artifact: artifact.slice(0, MAX_HASH),
        size,
        alive,
        milliseconds: Math.round(milliseconds),
      },
      'A composition was compiled',
    )
  }

  /** Logs that nobody serves the generation, and no request holds it, any more. */
  generationReleased(artifact: string, size: number, alive: number): void {
    this.#generations.add(-1)
    this.#generationBytes.add(-size)
    this.#log.info(
      { event: 'generation.released', artifact: artifact.slice(0, MAX_HASH), alive },
      'The memory of a compiled composition was given back',
    )
  }

  flagBuilt(flag: string, reason: BuildReason, milliseconds: number): void {
    this.#flagBuilds.add(1, { flag, outcome: 'built', reason })
    this.#log.info(
      { event: 'flag.built', flag, reason, milliseconds: Math.round(milliseconds) },
      `The composition of feature flag "${flag}" was built ${WHY_BUILT[reason]}`,
    )
  }

  /** `needed`: bytes and number of all compositions of flags. `allowed`: bytes. */
  flagMemoryTooSmall(needed: { readonly bytes: number; readonly count: number }, allowed: number): void {
    const size = `${mebibytes(needed.bytes)}MiB`
    this.#log.warn(
      { event: 'flags.memory-too-small', needed, allowed },
      `The compositions of ${needed.count} feature flags take about ${mebibytes(needed.bytes)} MiB, more than may stay built (${mebibytes(allowed)} MiB): requests of the others wait until theirs are built. Expected: flags.max_built_size: ${size}`,
    )
  }

  /** The router counts as ready all the same. `inUse`: flags, of which some are not compiled yet. */
  flagsNotBuiltAtStart(inUse: readonly string[]): void {
    this.#log.warn(
      { event: 'flags.not-built-at-start', flags: inUse.slice(0, MAX_LISTED), count: inUse.length },
      'The router is ready, as no feature flag was compiled for flags.ready_wait, although not all in use are: requests of the others wait for theirs',
    )
  }

  flagNotServed(flag: string, error: unknown): void {
    this.#flagBuilds.add(1, { flag, outcome: 'failed' })
    this.#log.error(
      { event: 'flag.not-served', flag, reason: messageOf(error) },
      `The composition of feature flag "${flag}" cannot be served: its requests get base`,
    )
  }

  /** `refused`: subgraphs that no call will reach, and why. */
  subgraphsNotAllowed(
    artifact: string,
    refused: readonly { readonly subgraph: string; readonly reason: string }[],
  ): void {
    const [first] = refused
    if (first === undefined) return
    const others = refused.length === 1 ? '' : ` So it is with ${refused.length - 1} more.`
    this.#log.warn(
      {
        event: 'config.subgraphs-not-allowed',
        artifact: artifact.slice(0, MAX_HASH),
        subgraphs: refused.slice(0, MAX_LISTED).map(({ subgraph }) => subgraph),
      },
      `Subgraph "${first.subgraph}" will not be called: ${first.reason}${others}`,
    )
  }

  /** These are called over `http:`, although the settings say how their connections are secured. */
  subgraphsNotSecured(artifact: string, subgraphs: readonly string[]): void {
    if (subgraphs.length === 0) return
    this.#log.warn(
      {
        event: 'config.subgraphs-not-secured',
        artifact: artifact.slice(0, MAX_HASH),
        subgraphs: subgraphs.slice(0, MAX_LISTED),
        count: subgraphs.length,
      },
      'Subgraphs are called without TLS, as their routing URLs begin with http:, although subgraphs.overrides says by which certificates they are: expected https: in their routing URLs, or no tls in the settings',
    )
  }

  /** `settings`: for subgraphs or feature flags that nothing has of what is served. */
  settingsUnmatched(settings: readonly string[]): void {
    this.#log.warn(
      {
        event: 'config.settings-unmatched',
        settings: settings.slice(0, MAX_LISTED),
        count: settings.length,
      },
      'Settings have no effect, as the graph has no subgraph or feature flag of the name that they are for',
    )
  }

  /** The graph allows that nobody enforces them, or the settings do. */
  accessRulesNotEnforced(artifact: string, rules: readonly string[]): void {
    this.#log.warn(
      { event: 'config.access-rules-not-enforced', artifact: artifact.slice(0, MAX_HASH), rules },
      `The supergraph restricts who may see what with ${named(rules)}, which is not enforced, since the graph or a setting allows that: everybody can see everything`,
    )
  }

  /** No setting says how clients are authenticated. */
  nobodyIdentified(artifact: string, rules: readonly string[]): void {
    this.#log.warn(
      { event: 'config.nobody-identified', artifact: artifact.slice(0, MAX_HASH), rules },
      `The graph has ${named(rules)}, but the router has no authentication: nobody can see the protected fields and types`,
    )
  }

  /** `policies`: names that no rule of the settings decides. */
  policiesUndecided(artifact: string, policies: readonly string[]): void {
    this.#log.warn(
      {
        event: 'config.policies-undecided',
        artifact: artifact.slice(0, MAX_HASH),
        policies: policies.slice(0, MAX_LISTED),
        count: policies.length,
      },
      'The graph has policies without a rule in authorization.policies: nobody fulfils them',
    )
  }
}

/** Rounded up. */
function mebibytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024))
}

function named(rules: readonly string[]): string {
  return rules.map((rule) => `@${rule}`).join(', ')
}
