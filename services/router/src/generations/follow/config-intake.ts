/**
 * Takes an offered config into service in steps: it must be newer than what is served, what its rollouts
 * take from requests takes effect, it is checked, a copy is kept on disk, it is built, and it is swapped in.
 * If any step fails, what is being served stays, and what was taken back stays back.
 */
import { SpanKind, type Tracer } from '@opentelemetry/api'
import { compareVersions, type ManifestVersion } from '@switchyard/config-store'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import type { ConfigEvents } from './config-events.ts'
import { NO_PARENT, parseTraceparent } from '@switchyard/service-kit'
import { ActiveSpan } from '../../observe/spans.ts'
import type { Generations } from '../generations.ts'
import type { LastKnownGood } from '../copy/last-known-good.ts'
import {
  dispensable,
  leftOutOf,
  type OfferedConfig,
  type SourceName,
  type VerifiedConfig,
} from '../offered-config.ts'
import {
  type NewerRollouts,
  newerRolloutsOf,
  newerThan,
  takenBackFrom,
  withNewer,
} from '../newer-rollouts.ts'
import { NOTHING_KNOWN, verifyArtifacts } from '../verify/verify-artifacts.ts'

/** Serves configs, one at a time. See Generations. */
export type ConfigTarget = Pick<Generations, 'serving' | 'replace' | 'takeBack'>

/** The parts that take configs into service, and that hear of it. */
export type ConfigIntakeOptions = {
  readonly generations: ConfigTarget
  readonly events: ConfigEvents
  readonly tracer: Tracer
  readonly lastKnownGood: LastKnownGood | null
  /** Whether the manifests of documents are used that were published for the graph. */
  readonly usesDocuments: boolean
  /** Whether previews are served. */
  readonly servesPreviews: boolean
}

type SwapOptions = {
  readonly previous: VerifiedConfig | null
  /** Artifacts without which it may be served. */
  readonly mayLack: ReadonlySet<string>
  readonly traceparent: string | null
}

const NO_PREVIEWS: OfferedConfig['previews'] = new Map()

/** The outcome of a config that was offered and not rejected. */
export type IntakeOutcome = 'swapped' | 'served already' | 'graph deleted'

/** Takes configs into service, one at a time. */
export class ConfigIntake {
  readonly #options: ConfigIntakeOptions
  /** The damage that was logged last: the same is not told twice. */
  #toldDamage = ''
  #toldTakenBack = ''
  /** The rollouts of manifests that are verified, and newer than what is served; the newest one last. */
  #newer: readonly NewerRollouts[] = []

  constructor(options: ConfigIntakeOptions) {
    this.#options = options
  }

  /**
   * Checks whether a config is to be served, and takes back at once what its rollouts take from requests.
   * Returns false if it is served already. While nothing is served, no config older than `least` is believed.
   * Throws ManifestRejectedError.
   */
  async believe(offer: OfferedConfig, least: ManifestVersion | null): Promise<boolean> {
    const previous = this.#options.generations.serving?.config ?? null
    if (previous !== null && compareVersions(offer.version, previous.version) === 0) {
      checkText(offer, previous)
      // What is damaged in what is served may be whole here.
      if (previous.damage.length === 0) return false
    }
    const known = previous?.version ?? least
    checkAge(offer, known)
    if (offer.source === 'config store') checkBelieved(offer, this.#newer.at(-1)?.version ?? null)
    if (known === null || compareVersions(offer.version, known) > 0) await offer.confirm()
    // What a deleted graph serves stays as it is.
    if (offer.base !== null) this.#takeBack(withNewer(this.#newer, newerRolloutsOf(offer), Date.now()))
    return true
  }

  /**
   * Takes a config into service. While nothing is served, no config older than `least` is taken, and
   * `salvages` allows a damaged config to be served as far as it is whole. Throws ManifestRejectedError, or
   * the error of reading artifacts.
   */
  async take(
    offer: OfferedConfig,
    { least, salvages }: { readonly least: ManifestVersion | null; readonly salvages: boolean },
    traceparent: string | null,
  ): Promise<IntakeOutcome> {
    if (!(await this.believe(offer, least))) return 'served already'
    const previous = this.#options.generations.serving?.config ?? null
    const { base, documents } = offer
    if (base === null) return 'graph deleted'
    const used = {
      documents: this.#options.usesDocuments ? documents : [],
      previews: this.#options.servesPreviews ? offer.previews : NO_PREVIEWS,
    }
    const mayLack = previous !== null || salvages ? dispensable(offer, previous) : new Set<string>()
    return this.#swap({ ...offer, ...used, base }, { previous, mayLack, traceparent })
  }

  async #swap(
    offer: OfferedConfig & { readonly base: string },
    { previous, mayLack, traceparent }: SwapOptions,
  ): Promise<'swapped' | 'served already'> {
    const { generations, events, tracer } = this.#options
    const { source, version, featureFlags } = offer
    const started = performance.now()
    const span = ActiveSpan.begin(
      tracer,
      'config swap',
      SpanKind.CONSUMER,
      { ...NO_PARENT, context: parseTraceparent(traceparent ?? undefined) },
      { 'switchyard.epoch': version.epoch, 'switchyard.revision': version.revision },
    )
    try {
      const config = await verifyArtifacts(offer, previous ?? NOTHING_KNOWN, {
        mayLack,
        onDamagedPieces: (error) => events.piecesNotUsed(source, error),
      })
      if (previous !== null && isNoBetter(config, previous)) {
        span.end()
        return 'served already'
      }
      const undo = await this.#keepCopy(config)
      await generations.replace(config).catch(async (error: unknown) => {
        await undo().catch((reason: unknown) => events.lastKnownGoodNotWritten(reason))
        throw error
      })
    } catch (error) {
      span.end(error instanceof Error ? error.message : String(error))
      throw error
    }
    span.end()
    this.#tellOfDamage(source, generations.serving?.config.damage ?? [])
    events.swapped({
      source,
      version,
      previous: previous?.version ?? null,
      flags: featureFlags.size,
      milliseconds: performance.now() - started,
      ids: { trace_id: span.traceId, span_id: span.spanId },
    })
    this.#takeBack(this.#newer)
    return 'swapped'
  }

  /** Hands over those of these rollouts that are newer than what is served, and says what they take back. */
  #takeBack(newer: readonly NewerRollouts[]): void {
    const { generations, events } = this.#options
    const config = generations.serving?.config ?? null
    this.#newer = config === null ? newer : newerThan(newer, config.version)
    generations.takeBack(this.#newer)
    const newest = this.#newer.at(-1)
    if (config === null || newest === undefined) return
    const rollouts = takenBackFrom(config, this.#newer, Date.now())
    const told = JSON.stringify([rollouts, newest.version, config.version])
    if (rollouts.length > 0 && told !== this.#toldTakenBack)
      events.rolloutsTakenBack(rollouts, newest.version, config.version)
    this.#toldTakenBack = told
  }

  #tellOfDamage(source: SourceName, damage: readonly string[]): void {
    const told = damage.join('\n')
    if (told !== this.#toldDamage && damage.length > 0) this.#options.events.damaged(source, damage)
    this.#toldDamage = told
  }

  /**
   * The copy is written before the config is built, so that a router that is killed while it builds starts
   * with the new config.
   */
  async #keepCopy(config: VerifiedConfig): Promise<() => Promise<void>> {
    const { lastKnownGood, events } = this.#options
    if (lastKnownGood === null || config.graph === null || config.source !== 'config store') {
      return async () => {}
    }
    try {
      return await lastKnownGood.write(config.graph, config)
    } catch (error) {
      events.lastKnownGoodNotWritten(error)
      return async () => {}
    }
  }
}

/** Whether it is what is served from the same source, and as much of it is damaged. */
function isNoBetter(config: VerifiedConfig, served: VerifiedConfig): boolean {
  if (config.source !== served.source || compareVersions(config.version, served.version) !== 0) return false
  return missingIn(config) >= missingIn(served)
}

function missingIn(config: VerifiedConfig): number {
  const { flags, documents } = leftOutOf(config)
  return flags.length + documents.length
}

/** A number of a revision says little once a log was restored: the revision after it has its number again. */
function checkText({ version, signed }: OfferedConfig, { signed: served }: VerifiedConfig): void {
  if (signed === null || served === null || Buffer.compare(signed.manifest, served.manifest) === 0) return
  throw new ManifestRejectedError(
    'MANIFEST_CONFLICT',
    `It is another revision ${version.revision} of epoch ${version.epoch} than the one that this router serves: the event ` +
      'log was restored to an earlier state, and has published the number a second time.',
  )
}

/** A config that was verified and is not served yet has taken effect in part, so no older one follows it. */
function checkBelieved({ version }: OfferedConfig, believed: ManifestVersion | null): void {
  if (believed === null || compareVersions(version, believed) >= 0) return
  throw new ManifestRejectedError(
    'MANIFEST_OLDER',
    `It is revision ${version.revision} of epoch ${version.epoch}, older than revision ` +
      `${believed.revision} of epoch ${believed.epoch}, which this router has verified, and whose rollouts it ` +
      'follows as far as they take a flag from requests.',
  )
}

function checkAge({ version }: OfferedConfig, least: ManifestVersion | null): void {
  if (least === null || compareVersions(version, least) >= 0) return
  throw new ManifestRejectedError(
    'MANIFEST_OLDER',
    `It is revision ${version.revision} of epoch ${version.epoch}, older than revision ` +
      `${least.revision} of epoch ${least.epoch}, which this router has served.`,
  )
}
