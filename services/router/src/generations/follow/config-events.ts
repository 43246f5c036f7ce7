/** Which configs arrive, and which of them are served. */
import { metrics } from '@opentelemetry/api'
import type { GraphKey, ManifestVersion } from '@switchyard/config-store'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { type ManifestRejectedError } from '../../errors/http-error.ts'
import { METER } from '../../observe/meter.ts'

/** Damaged parts in one log line. */
const MAX_LISTED = 20

export const SWAPS = declareCounter('switchyard.router.swaps', {
  description: 'Configurations that began to be served, by where they came from',
  labels: { source: '' },
})

export const REJECTED_MANIFESTS = declareCounter('switchyard.router.rejected_manifests', {
  description: 'Manifests that were not taken, by the code of the error',
  labels: { source: '', code: '' },
})

/** The log events of this file. */
export const LOGGED = {
  waiting: logEvent('router.waiting', {
    level: 'info',
    fields: ['reason'],
    says: 'The router listens, and has nothing to serve yet: it is not ready.',
    advice: 'Act on the reason',
  }),
  swapped: logEvent('config.swapped', {
    level: 'info',
    fields: ['source', 'version', 'previous', 'flags', 'milliseconds'],
    says: 'A new revision is served.',
  }),
  rolloutsTakenBack: logEvent('rollouts.taken-back', {
    level: 'info',
    fields: ['rollouts', 'version', 'serving'],
    says: 'A newer revision lowers, stops or changes rollouts, and is not served yet: its base is still to be read, compiled and warmed. Requests that it takes a flag from get base already. What it gives to requests waits until it is served. If it turns out that it cannot be served, what was taken back stays back.',
  }),
  epochChanged: logEvent('config.epoch-changed', {
    level: 'warn',
    fields: ['version', 'previous'],
    says: 'The config log began anew: a signed manifest of a later epoch was accepted',
    advice: 'Nothing after a backup was restored. Otherwise find out who began the log anew',
  }),
  rejected: logEvent('config.rejected', {
    level: 'error',
    fields: ['source', 'code', 'serving', 'cause'],
    says: 'A manifest was not taken. The one before is served on.',
    advice:
      'Act on the remedy that [errors.md](errors.md) has for the code. A wrong signature means that somebody else writes to the store, or a key that routers do not know',
  }),
  unconfirmedAccepted: logEvent('config.unconfirmed-accepted', {
    level: 'warn',
    fields: ['version', 'reason'],
    says: 'A revision was taken although nothing says that it is the newest.',
    advice: 'Unset `config.accept_unconfirmed` when config-distribution is back',
  }),
  sourceUnavailable: logEvent('config.source-unavailable', {
    level: 'warn',
    fields: ['source', 'reason'],
    says: 'The config store cannot be read. What is served stays.',
    advice: 'Look at Redis',
  }),
  lastKnownGoodNotWritten: logEvent('config.last-known-good-not-written', {
    level: 'warn',
    fields: ['reason'],
    says: 'The last-known-good copy could not be written: a start without the config store would find an older one',
    advice: 'Look at the disk and the permissions of `SWITCHYARD_LAST_KNOWN_GOOD_DIR`',
  }),
  damaged: logEvent('config.damaged', {
    level: 'error',
    fields: ['source', 'damage', 'count'],
    says: 'What is served lacks the named flags or manifests of documents, or it is the last-known-good copy before the newest one. The reason is damaged or missing data in the config store, or in the last-known-good copy while the store is away. Requests for such a flag get `FLAG_NOT_AVAILABLE`. `/health/ready` says it in `warning`, heartbeats in `leftOut`. Told once.',
    advice:
      'Nothing, if it ends within a minute: the router reads the store again by itself, after 1 s and up to every 30 s, and config-distribution writes what is damaged again. Otherwise see `config.attempt-failed` of config-distribution; for a copy, disk and file system',
  }),
  piecesNotUsed: logEvent('config.pieces-not-used', {
    level: 'warn',
    fields: ['source', 'reason'],
    says: 'A piece of a composition is missing or damaged in the config store, so that the composition was read as a whole. What is served is the same.',
    advice:
      'Nothing, if it is rare: config-distribution writes the piece again. Otherwise find out who else writes to the store',
  }),
  graphDeleted: logEvent('config.graph-deleted', {
    level: 'warn',
    says: 'The graph was deleted; what was served stays until the router stops.',
    advice: 'Stop the router, or create the graph again',
  }),
}

/** Logs and counts what becomes of configs that are offered. */
export class ConfigEvents {
  readonly #log: Logger
  readonly #swaps
  readonly #rejections

  constructor(logger: Logger) {
    this.#log = logger
    const meter = metrics.getMeter(METER)
    this.#swaps = meter.createCounter(SWAPS.name, SWAPS.options)
    this.#rejections = meter.createCounter(REJECTED_MANIFESTS.name, REJECTED_MANIFESTS.options)
  }

  waiting(reason: string): void {
    LOGGED.waiting.write(this.#log, { reason }, `Not serving yet: ${reason}`)
  }

  swapped(config: {
    readonly source: string
    readonly version: ManifestVersion
    readonly previous: ManifestVersion | null
    readonly flags: number
    readonly milliseconds: number
    readonly ids: { readonly trace_id: string; readonly span_id: string }
  }): void {
    this.#swaps.add(1, { source: config.source })
    const { version, previous, flags, milliseconds, source, ids } = config
    LOGGED.swapped.write(
      this.#log,
      { source, version, previous, flags, milliseconds: Math.round(milliseconds), ...ids },
      `Serving revision ${version.revision} from the ${source}`,
    )
    if (previous !== null && previous.epoch !== 0 && version.epoch > previous.epoch) {
      LOGGED.epochChanged.write(this.#log, { version, previous })
    }
  }

  /** `version`: of the manifest that takes them back; `serving`: of the config whose rollouts they are. */
  rolloutsTakenBack(rollouts: readonly string[], version: ManifestVersion, serving: ManifestVersion): void {
    const names = rollouts.slice(0, MAX_LISTED)
    LOGGED.rolloutsTakenBack.write(
      this.#log,
      { rollouts: names, version, serving },
      `Revision ${version.revision} takes requests from ${names.join(', ')} before it is served; still serving revision ${serving.revision}`,
    )
  }

  manifestRejected(source: string, error: ManifestRejectedError, serving: ManifestVersion | null): void {
    this.#rejections.add(1, { source, code: error.code })
    const kept =
      serving === null ? 'Nothing is served from it.' : `Still serving revision ${serving.revision}.`
    LOGGED.rejected.write(
      this.#log,
      { source, code: error.code, serving, cause: causeOf(error) },
      `A manifest from the ${source} was rejected: ${error.message} ${kept}`,
    )
  }

  unconfirmedAccepted(version: ManifestVersion, error: ManifestRejectedError): void {
    LOGGED.unconfirmedAccepted.write(
      this.#log,
      { version, reason: error.message },
      `Revision ${version.revision} is taken, as config.accept_unconfirmed says, although it may be an old one`,
    )
  }

  sourceUnavailable(source: string, error: unknown): void {
    LOGGED.sourceUnavailable.write(
      this.#log,
      { source, reason: messageOf(error) },
      `The ${source} cannot be read; what is being served stays, and it is tried again`,
    )
  }

  lastKnownGoodNotWritten(error: unknown): void {
    LOGGED.lastKnownGoodNotWritten.write(this.#log, { reason: messageOf(error) })
  }

  piecesNotUsed(source: string, error: Error): void {
    LOGGED.piecesNotUsed.write(
      this.#log,
      { source, reason: error.message },
      `A composition of the ${source} was read as a whole, since its pieces cannot be used: ${error.message}`,
    )
  }

  damaged(source: string, damage: readonly string[]): void {
    LOGGED.damaged.write(
      this.#log,
      { source, damage: damage.slice(0, MAX_LISTED), count: damage.length },
      `What is served from the ${source} is not all that was published, until it is whole in the config store: ${damage[0] ?? ''}`,
    )
  }

  graphDeleted(graph: GraphKey, serving: boolean): void {
    LOGGED.graphDeleted.write(
      this.#log,
      { ...graph },
      serving
        ? 'The graph was deleted. Its last composition is served until this router stops'
        : 'The graph was deleted: there is nothing to serve',
    )
  }
}

function causeOf(error: Error): string | null {
  return error.cause === undefined ? null : messageOf(error.cause)
}
