/** Which compositions are compiled and kept, and which cannot be served. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, declareGauge, logEvent, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { BuildReason } from '../flags/build-reason.ts'
import { MAX_HASH } from '../observe/logged.ts'
import { METER } from '../observe/meter.ts'

const WHY_BUILT: Readonly<Record<BuildReason, string>> = {
  requested: 'for a request that waits for it',
  'in use': 'since clients ask for it',
  ahead: 'before anybody asks for it',
}

/** A composition that was compiled. */
type BuiltGeneration = {
  /** Bytes, roughly. */
  readonly size: number
  /** The number of types that were compiled; null if all of them were. */
  readonly changed: number | null
  /** How many compositions there are now. */
  readonly alive: number
  readonly milliseconds: number
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

/** The log events of this file. */
export const LOGGED = {
  generationBuilt: logEvent('generation.built', {
    level: 'info',
    fields: ['artifact', 'size', 'changed', 'alive', 'milliseconds'],
    says: 'A composition was compiled. `changed` is the number of types that were compiled for it, where the others were taken from a composition that the router had. It is null if the whole was compiled',
  }),
  notPatched: logEvent('generation.not-patched', {
    level: 'warn',
    fields: ['reason'],
    says: 'A composition was compiled as a whole, since compiling the types that changed failed. It is served like any other',
    advice: 'Report it, with both supergraphs: this is a defect of the router',
  }),
  generationReleased: logEvent('generation.released', {
    level: 'info',
    fields: ['artifact', 'alive'],
    says: 'The memory of a compiled composition was given back',
  }),
  flagBuilt: logEvent('flag.built', {
    level: 'info',
    fields: ['flag', 'reason', 'milliseconds'],
    says: "A flag's composition was compiled: for a request that waits (`requested`), since clients ask for it (`in use`), or before anybody does (`ahead`).",
  }),
  memoryTooSmall: logEvent('flags.memory-too-small', {
    level: 'warn',
    fields: ['needed', 'allowed'],
    says: 'Not all compositions of flags fit into `flags.max_built_size`: requests of those that were not used for longest wait. The sizes of compositions that are not compiled yet are estimates.',
    advice: 'Set what the message says, if the machine has the memory, or switch off flags that nobody needs',
  }),
  notBuiltAtStart: logEvent('flags.not-built-at-start', {
    level: 'warn',
    fields: ['flags', 'count'],
    says: 'The router is ready, as no feature flag was compiled for `flags.ready_wait`, although not all in use are: requests of the others wait for theirs',
    advice: 'Set a larger `flags.ready_wait`, or use more CPU',
  }),
  flagNotServed: logEvent('flag.not-served', {
    level: 'error',
    fields: ['flag', 'reason'],
    says: "A flag's composition cannot be served. Its requests get base.",
    advice: 'Act on the reason. Publish the flag or toggle it again',
  }),
  subgraphsNotAllowed: logEvent('config.subgraphs-not-allowed', {
    level: 'warn',
    fields: ['artifact', 'subgraphs'],
    says: 'These subgraphs are at addresses that the settings do not allow: every call of them fails.',
    advice: 'Publish other addresses, or add these to `subgraphs.allowed_networks`',
  }),
  subgraphsNotSecured: logEvent('config.subgraphs-not-secured', {
    level: 'warn',
    fields: ['artifact', 'subgraphs', 'count'],
    says: 'These subgraphs are called without TLS, since their URLs begin with `http:`, although `subgraphs.overrides.<name>.tls` says how connections to them are secured. What is set there has no effect, and headers that rules hand on travel in clear text.',
    advice: 'Publish them with `https:` in their routing URLs, or take `tls` out of the settings',
  }),
  settingsUnmatched: logEvent('config.settings-unmatched', {
    level: 'warn',
    fields: ['settings', 'count'],
    says: 'These settings are for single subgraphs or feature flags, and the graph has none of the name: they have no effect. Subgraphs are compared once each composition was built, since a feature subgraph has a name of its own.',
    advice: 'Compare the spelling of the name',
  }),
  accessRulesNotEnforced: logEvent('config.access-rules-not-enforced', {
    level: 'warn',
    fields: ['artifact', 'rules'],
    says: 'The supergraph has authorization directives, and its graph, or `authorization.allow_unenforced`, allows that they are not enforced: everybody can see everything.',
    advice: 'See [authorization.md](authorization.md#leaving-it-to-others)',
  }),
  nobodyIdentified: logEvent('config.nobody-identified', {
    level: 'warn',
    fields: ['artifact', 'rules'],
    says: 'The supergraph has authorization directives, and the router has no authentication: nobody can see the protected fields and types.',
    advice: 'Set `authentication`, see [authorization.md](authorization.md)',
  }),
  policiesUndecided: logEvent('config.policies-undecided', {
    level: 'warn',
    fields: ['artifact', 'policies', 'count'],
    says: 'The graph has policies without a rule in `authorization.policies`: nobody fulfils them',
    advice: 'Add a rule to `authorization.policies` for each of `policies`',
  }),
}

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
  generationBuilt(artifact: string, { size, changed, alive, milliseconds }: BuiltGeneration): void {
    this.#builds.add(1)
    this.#generations.add(1)
    this.#generationBytes.add(size)
    LOGGED.generationBuilt.write(
      this.#log,
      {
        artifact: artifact.slice(0, MAX_HASH),
        size,
        changed,
        alive,
        milliseconds: Math.round(milliseconds),
      },
      changed === null
        ? 'A composition was compiled as a whole'
        : `A composition was compiled: ${changed} types, and the others are those of another composition`,
    )
  }

  /** Logs that a composition was compiled as a whole since compiling what changed failed. */
  notPatched(error: unknown): void {
    LOGGED.notPatched.write(this.#log, { reason: messageOf(error) })
  }

  /** Logs that nobody serves the generation, and no request holds it, any more. */
  generationReleased(artifact: string, size: number, alive: number): void {
    this.#generations.add(-1)
    this.#generationBytes.add(-size)
    LOGGED.generationReleased.write(this.#log, { artifact: artifact.slice(0, MAX_HASH), alive })
  }

  flagBuilt(flag: string, reason: BuildReason, milliseconds: number): void {
    this.#flagBuilds.add(1, { flag, outcome: 'built', reason })
    LOGGED.flagBuilt.write(
      this.#log,
      { flag, reason, milliseconds: Math.round(milliseconds) },
      `The composition of feature flag "${flag}" was built ${WHY_BUILT[reason]}`,
    )
  }

  /** `needed`: bytes and number of all compositions of flags. `allowed`: bytes. */
  flagMemoryTooSmall(needed: { readonly bytes: number; readonly count: number }, allowed: number): void {
    const size = `${mebibytes(needed.bytes)}MiB`
    LOGGED.memoryTooSmall.write(
      this.#log,
      { needed, allowed },
      `The compositions of ${needed.count} feature flags take about ${mebibytes(needed.bytes)} MiB, more than may stay built (${mebibytes(allowed)} MiB): requests of the others wait until theirs are built. Expected: flags.max_built_size: ${size}`,
    )
  }

  /** The router counts as ready all the same. `inUse`: flags, of which some are not compiled yet. */
  flagsNotBuiltAtStart(inUse: readonly string[]): void {
    LOGGED.notBuiltAtStart.write(this.#log, { flags: inUse.slice(0, MAX_LISTED), count: inUse.length })
  }

  flagNotServed(flag: string, error: unknown): void {
    this.#flagBuilds.add(1, { flag, outcome: 'failed' })
    LOGGED.flagNotServed.write(
      this.#log,
      { flag, reason: messageOf(error) },
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
    LOGGED.subgraphsNotAllowed.write(
      this.#log,
      {
        artifact: artifact.slice(0, MAX_HASH),
        subgraphs: refused.slice(0, MAX_LISTED).map(({ subgraph }) => subgraph),
      },
      `Subgraph "${first.subgraph}" will not be called: ${first.reason}${others}`,
    )
  }

  /** These are called over `http:`, although the settings say how their connections are secured. */
  subgraphsNotSecured(artifact: string, subgraphs: readonly string[]): void {
    if (subgraphs.length === 0) return
    LOGGED.subgraphsNotSecured.write(
      this.#log,
      {
        artifact: artifact.slice(0, MAX_HASH),
        subgraphs: subgraphs.slice(0, MAX_LISTED),
        count: subgraphs.length,
      },
      'Subgraphs are called without TLS, as their routing URLs begin with http:, although subgraphs.overrides says by which certificates they are: expected https: in their routing URLs, or no tls in the settings',
    )
  }

  /** `settings`: for subgraphs or feature flags that nothing has of what is served. */
  settingsUnmatched(settings: readonly string[]): void {
    LOGGED.settingsUnmatched.write(
      this.#log,
      { settings: settings.slice(0, MAX_LISTED), count: settings.length },
      'Settings have no effect, as the graph has no subgraph or feature flag of the name that they are for',
    )
  }

  /** The graph allows that nobody enforces them, or the settings do. */
  accessRulesNotEnforced(artifact: string, rules: readonly string[]): void {
    LOGGED.accessRulesNotEnforced.write(
      this.#log,
      { artifact: artifact.slice(0, MAX_HASH), rules },
      `The supergraph restricts who may see what with ${named(rules)}, which is not enforced, since the graph or a setting allows that: everybody can see everything`,
    )
  }

  /** No setting says how clients are authenticated. */
  nobodyIdentified(artifact: string, rules: readonly string[]): void {
    LOGGED.nobodyIdentified.write(
      this.#log,
      { artifact: artifact.slice(0, MAX_HASH), rules },
      `The graph has ${named(rules)}, but the router has no authentication: nobody can see the protected fields and types`,
    )
  }

  /** `policies`: names that no rule of the settings decides. */
  policiesUndecided(artifact: string, policies: readonly string[]): void {
    LOGGED.policiesUndecided.write(this.#log, {
      artifact: artifact.slice(0, MAX_HASH),
      policies: policies.slice(0, MAX_LISTED),
      count: policies.length,
    })
  }
}

/** Rounded up. */
function mebibytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024))
}

function named(rules: readonly string[]): string {
  return rules.map((rule) => `@${rule}`).join(', ')
}
