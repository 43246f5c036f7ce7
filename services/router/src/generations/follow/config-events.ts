/** Which configs arrive, and which of them are served. */
import { metrics } from '@opentelemetry/api'
import type { GraphKey, ManifestVersion } from '@switchyard/config-store'
import { declareCounter, type Logger } from '@switchyard/service-kit'
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
    this.#log.info({ event: 'router.waiting', reason }, `Not serving yet: ${reason}`)
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
    this.#log.info(
      {
        event: 'config.swapped',
        source,
        version,
        previous,
        flags,
        milliseconds: Math.round(milliseconds),
        ...ids,
      },
      `Serving revision ${version.revision} from the ${source}`,
    )
    if (previous !== null && previous.epoch !== 0 && version.epoch > previous.epoch) {
      this.#log.warn(
        { event: 'config.epoch-changed', version, previous },
        'The config log began anew: a signed manifest of a later epoch was accepted',
      )
    }
  }

  manifestRejected(source: string, error: ManifestRejectedError, serving: ManifestVersion | null): void {
    this.#rejections.add(1, { source, code: error.code })
    const kept =
      serving === null ? 'Nothing is served from it.' : `Still serving revision ${serving.revision}.`
    this.#log.error(
      { event: 'config.rejected', source, code: error.code, serving, cause: causeOf(error) },
      `A manifest from the ${source} was rejected: ${error.message} ${kept}`,
    )
  }

  unconfirmedAccepted(version: ManifestVersion, error: ManifestRejectedError): void {
    this.#log.warn(
      { event: 'config.unconfirmed-accepted', version, reason: error.message },
      `Revision ${version.revision} is taken, as config.accept_unconfirmed says, although it may be an old one`,
    )
  }

  sourceUnavailable(source: string, error: unknown): void {
    this.#log.warn(
      { event: 'config.source-unavailable', source, reason: messageOf(error) },
      `The ${source} cannot be read; what is being served stays, and it is tried again`,
    )
  }

  lastKnownGoodNotWritten(error: unknown): void {
    this.#log.warn(
      { event: 'config.last-known-good-not-written', reason: messageOf(error) },
      'The last-known-good copy could not be written: a start without the config store would find an older one',
    )
  }

  damaged(source: string, damage: readonly string[]): void {
    this.#log.error(
      { event: 'config.damaged', source, damage: damage.slice(0, MAX_LISTED), count: damage.length },
      `What is served from the ${source} is not all that was published, until it is whole in the config store: ${damage[0] ?? ''}`,
    )
  }

  graphDeleted(graph: GraphKey, serving: boolean): void {
    this.#log.warn(
      { event: 'config.graph-deleted', ...graph },
      serving
        ? 'The graph was deleted. Its last composition is served until this router stops'
        : 'The graph was deleted: there is nothing to serve',
    )
  }
}

function causeOf(error: Error): string | null {
  return error.cause === undefined ? null : messageOf(error.cause)
}
