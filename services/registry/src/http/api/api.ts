/**
 * The parts that all routes of the management API share: they find out who the caller is and whether the
 * registry can answer, and require a JSON body.
 */
import {
  type GraphName,
  Namespace,
  PreviewName,
  Problem,
  PROBLEM_MEDIA_TYPE,
  problem,
  ProblemError,
  ResourceName,
} from '@switchyard/contracts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  type Access,
  type Caller,
  isPermitted,
  type NamedCaller,
  type Permission,
  scopeFor,
} from '../../keys/access.ts'
import type { CommandWriter } from '../../writing/command-writer.ts'
import type { Downstream } from '../../views/command-outcome.ts'
import type { ComparisonThread } from '../../comparisons/comparison-thread.ts'
import type { SchemaThread } from '../../compositions/schema-thread.ts'
import type { DocumentThread } from '../../documents/document-thread.ts'
import type { ApiEvents } from './api-events.ts'
import type { HeardDifferences } from '../../fleet/heard-differences.ts'
import type { HeardFigures } from '../../fleet/heard-figures.ts'
import type { HeardServices } from '../../fleet/heard-services.ts'
import type { FailedAuthentications } from '../../keys/failed-authentications.ts'
import type { KeyWriter } from '../../keys/key-writer.ts'
import type { LiveHub } from '../../live/live-hub.ts'
import type { RegistryReader } from '../../reading/registry-reader.ts'
import type { PublicUrls } from '../../reading/public-urls.ts'
import type { RevisionHistory } from '../../reading/revision-history.ts'
import type { SdlChecker } from '../../schemas/sdl-checker.ts'
import type { ExportSource } from '../../transfer/export-lines.ts'
import type { Importer } from '../../transfer/importer.ts'
import type { TransferEvents } from '../../transfer/transfer-events.ts'
import { isRecent, type KeyIdentity } from '../../sessions/session.ts'
import type { OpenSession, SessionGate } from './session-gate.ts'
import { TooManyFailuresError, unsupportedMediaType } from './problem-replies.ts'
import type { TraceKeys } from '../../trace-keys/trace-keys.ts'
import type { TraceTokenIssuer } from '../../trace-keys/trace-tokens.ts'
import type { Usage } from '../../usage/open-usage.ts'
import type { BlobStore, EventLog } from '@switchyard/event-log'
import type { HealthState } from '@switchyard/service-kit'

export type TransferOptions = { readonly source: ExportSource; readonly importer: Importer }

/**
 * Called with all graphs when a second one was created, or several were imported. Returns the warning for the
 * caller.
 */
export type SeveralGraphs = (graphs: readonly GraphName[]) => string

export type ApiOptions = {
  readonly access: Access
  readonly trustedProxies: readonly string[]
  readonly failedAuthentications: FailedAuthentications
  /** Null if the registry has no key for sessions, so that only API keys are accepted. */
  readonly sessions: SessionGate | null
  readonly keys: KeyWriter
  readonly traceKeys: TraceKeys
  readonly traceTokens: TraceTokenIssuer
  readonly fold: RegistryReader
  readonly writer: CommandWriter
  readonly downstream: Downstream
  readonly revisions: RevisionHistory
  readonly publicUrls: PublicUrls
  /** Results of shadows. */
  readonly differences: HeardDifferences
  /** Figures that routers count of guarded ramps. */
  readonly figures: HeardFigures
  /** Registries and composers. */
  readonly services: HeardServices
  /** Usage that routers told; null if none is kept. */
  readonly usage: Usage | null
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  readonly sdl: SdlChecker
  readonly documents: DocumentThread
  /** Looks things up in the schemas of compositions. */
  readonly schemas: SchemaThread
  /** Compares schemas. */
  readonly comparisons: ComparisonThread
  readonly events: ApiEvents & TransferEvents
  readonly transfer: TransferOptions
  /** Tells connections what happens. */
  readonly live: LiveHub
  readonly severalGraphs: SeveralGraphs | null
  /** Unix milliseconds. */
  readonly now: () => number
  readonly ready: () => HealthState
  /** False until the log was read once, and while it holds half an import. */
  readonly canAnswer: () => boolean
}

/** Every route may answer with a problem besides its own response, whatever the status. */
export const ProblemResponse = {
  default: { description: 'A problem', content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } } },
}

export const NamespacePath = z.object({ namespace: Namespace })
export const ResourcePath = z.object({ namespace: Namespace, name: ResourceName })
export const PreviewPath = z.object({ namespace: Namespace, name: PreviewName })
/** The path of a manifest of persisted documents of a federated graph. */
export const ManifestPath = z.object({ namespace: Namespace, name: ResourceName, manifest: ResourceName })
export const ReadQuery = z.strictObject({ consistency: z.enum(['strong', 'eventual']).default('strong') })

const AnyNamespacePath = z.looseObject({ namespace: z.string() })

/** Returns the namespace in the path, unchecked, since nobody has a scope for a malformed one. */
export function namespaceInPath(request: FastifyRequest): string {
  return AnyNamespacePath.parse(request.params).namespace
}

/** Throws a problem unless the caller is known and holds the permission. Comes before the body is read. */
export async function authorize(
  options: ApiOptions,
  request: FastifyRequest,
  permission: Permission,
): Promise<Caller> {
  const caller = await identify(options, request)
  if (isPermitted(caller, permission)) return caller
  throw accessDenied(options, request, caller, permission)
}

/** Logs that the caller lacks the permission, and returns the error that says so. */
export function accessDenied(
  { events }: ApiOptions,
  request: FastifyRequest,
  { actor }: Caller,
  permission: Permission,
): ProblemError {
  events.accessDenied(actor, request.method, routeOf(request), scopeFor(permission))
  return new ProblemError(forbidden(permission))
}

/**
 * As `authorize`, for what hands out access, or takes out or brings in everything: a session is accepted only
 * if its owner signed in a few minutes ago.
 */
export async function authorizeRecent(
  options: ApiOptions,
  request: FastifyRequest,
  permission: Permission,
): Promise<Caller> {
  const caller = await authorize(options, request, permission)
  const { signedInAt } = caller
  if (signedInAt === undefined || isRecent(signedInAt, options.now())) return caller
  throw new ProblemError(
    problem(
      'SIGN_IN_AGAIN',
      'This needs a sign-in that is at most 5 minutes old, since whoever finds an open page could keep access by it. Sign in again and repeat it. Nothing was changed.',
    ),
  )
}

export async function identify(options: ApiOptions, request: FastifyRequest): Promise<Caller> {
  requireAnswers(options)
  const { authorization } = request.headers
  if (authorization !== undefined) {
    return (await identityOfKey(options, request, bearerIn(authorization) ?? '')).caller
  }
  const open = (await options.sessions?.identify(request)) ?? null
  if (open !== null) return open.caller
  throw new ProblemError(problem('UNAUTHENTICATED', `The request carries no API key. ${HOW_TO_AUTHENTICATE}`))
}

/** Returns the API key of an `Authorization` header. Null if it has another form. */
export function bearerIn(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Returns the session of the request. Throws a problem if there is none, or if it does not count. */
export async function sessionOf(options: ApiOptions, request: FastifyRequest): Promise<OpenSession> {
  requireAnswers(options)
  const open = (await options.sessions?.identify(request)) ?? null
  if (open !== null) return open
  throw new ProblemError(
    problem(
      'UNAUTHENTICATED',
      'Nobody is signed in: the request carries no session. Begin one with POST /v1/session.',
    ),
  )
}

/** Throws a problem while the registry cannot know who anybody is. */
export function requireAnswers(options: ApiOptions): void {
  if (options.canAnswer()) return
  const state = options.ready()
  throw new ProblemError(
    problem('NOT_READY', state.ok ? 'The log is being read.' : state.reason.replace(/\.?$/, '.')),
  )
}

const HOW_TO_AUTHENTICATE = 'Send "Authorization: Bearer <api key>".'

/**
 * Finds an API key by its text. An unknown key may have been created a moment ago by another registry, so the
 * log is read once more, unless too many wrong keys came.
 */
export async function identityOfKey(
  { access, events, failedAuthentications, fold }: ApiOptions,
  request: FastifyRequest,
  key: string,
): Promise<NamedCaller & { readonly identity: KeyIdentity }> {
  const known = access.identify(key, fold.system)
  if (known !== null) return known
  const waitMs = failedAuthentications.waitFor(request.ip)
  if (waitMs > 0) throw new TooManyFailuresError(waitMs)
  failedAuthentications.failed(request.ip)
  const found = access.identify(key, await fold.systemCaughtUp())
  if (found !== null) {
    failedAuthentications.succeeded(request.ip)
    return found
  }
  const nextMs = failedAuthentications.waitFor(request.ip)
  events.authenticationFailed(request.ip, request.method, routeOf(request), nextMs)
  throw new ProblemError(
    problem(
      'UNAUTHENTICATED',
      `The request carries no API key that this registry knows. ${HOW_TO_AUTHENTICATE}`,
    ),
  )
}

export function warningsOfSeveralGraphs({ fold, severalGraphs }: ApiOptions): string[] {
  const graphs = fold.graphs()
  return severalGraphs === null || graphs.length < 2 ? [] : [severalGraphs(graphs)]
}

/**
 * The pattern of the route. The path itself stays out of the log, since somebody may have typed a key there.
 */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown'
}

export function forbidden(permission: Permission) {
  const scope = scopeFor(permission)
  const needed =
    scope === 'admin' ? 'the scope "admin" is needed' : `the scope "${scope}" or "admin" is needed`
  return problem('FORBIDDEN', `This API key may not do that; ${needed}.${howToTrace(permission)}`)
}

/**
 * Somebody who may change a graph may expect to be allowed to trace it too, so this refusal explains more
 * than others.
 */
function howToTrace(permission: Permission): string {
  if (permission.kind !== 'trace') return ''
  const { namespace } = permission
  return (
    ` "deploy:${namespace}" does not include it. An administrator makes a key that has it: ` +
    `switchyard api-key create <name> --scope trace:${namespace}`
  )
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i

export function requireJson(request: FastifyRequest): void {
  if (mediaTypeOf(request) !== 'application/json') throw new ProblemError(unsupportedMediaType())
  requireUtf8(request)
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity') return
  throw new ProblemError(
    problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'A body with a Content-Encoding is not read here. Nothing was changed.',
    ),
  )
}

/**
 * JSON is UTF-8 (RFC 8259 §8.1). A request that declares another encoding is refused, since its sender may
 * really use that encoding.
 */
export function requireUtf8(request: FastifyRequest): void {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return
  throw new ProblemError(
    problem(
      'UNSUPPORTED_MEDIA_TYPE',
      `A body is UTF-8 text; its Content-Type says the charset is "${charset.slice(0, 100)}". Nothing was changed.`,
    ),
  )
}

/** Returns the media type of the request in lower case, without parameters. */
export function mediaTypeOf(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}
