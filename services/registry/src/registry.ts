/** Starts a registry: what reads the logs, what writes to them, and the management API in front of both. */
import { BY_VARIABLES, type HealthState, observeReady, PortUnavailableError } from '@switchyard/service-kit'
import type { FastifyInstance } from 'fastify'
import { ComparisonThread } from './comparisons/comparison-thread.ts'
import { SchemaThread } from './compositions/schema-thread.ts'
import { DocumentThread } from './documents/document-thread.ts'
import { NoApiKeyError } from './errors.ts'
import { RegistryHeartbeats } from './fleet/registry-heartbeats.ts'
import { closeServer } from './http/close-server.ts'
import { createHttpServer } from './http/server.ts'
import { openReaders, readiness, type Readers } from './open-readers.ts'
import { openWriters } from './open-writers.ts'
import { PreviewExpiry } from './previews/preview-expiry.ts'
import type { RegistryOptions } from './registry-options.ts'
import { SdlChecker } from './schemas/sdl-checker.ts'

export { NoApiKeyError, RegistryError } from './errors.ts'
export type { ToldUrls } from './reading/public-urls.ts'
export type { RegistryOptions } from './registry-options.ts'
export { SessionKeys } from './sessions/session-keys.ts'

export type Registry = AsyncDisposable & {
  readonly url: string
  readonly port: number
  ready(): HealthState
  /** Makes a one-time link to Studio with the rights of the bootstrap key. Null where there are no links. */
  studioLink(): string | null
}

/**
 * Listens at once and is ready when the log was read; without a bootstrap key it reads the log first. The
 * caller disposes log, blobs, pieces and announcer afterwards.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  await using resources = new AsyncDisposableStack()
  const readers = openReaders(options, resources)
  if (options.bootstrapApiKey === undefined) await requireApiKey(readers, options.signal)
  const drain = new AbortController()
  const ready = () => readiness(readers)
  resources.use(observeReady('registry', ready))
  const { probe, fold, importState, events, now, services } = readers
  const writers = openWriters(options, readers, drain.signal)
  resources.use(
    new PreviewExpiry({
      states: () => (importState.problem === null ? fold.namespaces().map((name) => fold.state(name)) : []),
      writer: writers.writer,
      events,
      now,
      intervalMs: options.previewExpiryIntervalMs,
    }),
  )
  const { access, sessions } = writers
  const app = await createHttpServer({
    ...writers,
    sdl: resources.use(new SdlChecker()),
    documents: resources.use(new DocumentThread()),
    comparisons: resources.use(new ComparisonThread()),
    schemas: resources.use(new SchemaThread()),
    ready,
    canAnswer: () => probe.hasSucceeded && fold.stopReason === null && importState.problem === null,
  })
  resources.defer(() => closeServer(app))
  const port = await listen(app, options)
  const { announcer, instance = 'registry' } = options
  const heartbeats = resources.use(
    new RegistryHeartbeats({ announcer, instance, onTold: (told) => services.hearRegistry(told) }),
  )
  // Disposed of first: requests that wait for others are answered before anything else ends.
  resources.defer(() => {
    readers.live.finish()
    heartbeats.stop()
    drain.abort()
  })
  probe.firstSuccess(drain.signal).then(
    () => heartbeats.start(),
    () => {},
  )
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  events.listening(url)
  const owned = resources.move()
  const studioLink = () => {
    const who = access.bootstrapIdentity
    const secret = who === null ? undefined : sessions?.links?.make(who).secret
    return secret === undefined ? null : `${browserUrl(options.host, port)}/studio#t=${secret}`
  }
  return { url, port, ready, studioLink, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Throws NoApiKeyError if the log holds no API key, since nobody could ever use the registry. */
async function requireApiKey({ probe, fold }: Readers, signal?: AbortSignal): Promise<void> {
  await probe.firstSuccess(signal)
  if (fold.system.apiKeys.size === 0) throw new NoApiKeyError()
}

/** The address by which a browser on this machine reaches the registry, which accepts sessions there. */
function browserUrl(host: string, port: number): string {
  const isNamed = ['127.0.0.1', 'localhost'].includes(host)
  return `http://${isNamed ? host : host === '::1' ? '[::1]' : 'localhost'}:${port}`
}

/** The port: of several that the system may choose from, the one it chose. */
async function listen(app: FastifyInstance, { host, port }: RegistryOptions): Promise<number> {
  await app.listen({ host, port }).catch((error: unknown) => {
    throw new PortUnavailableError({ what: 'registry', host, port, settings: BY_VARIABLES }, error)
  })
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
