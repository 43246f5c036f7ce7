/** What every route of the management API has in common: who asks, whether the registry can answer, and a JSON body. */
import { Namespace, Problem, PROBLEM_MEDIA_TYPE, problem, ProblemError } from '@switchyard/contracts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Access, type Caller, isAllowed, type Permission } from '../access.ts'
import type { CommandWriter } from '../command-writer.ts'
import type { Downstream } from '../command-outcome.ts'
import type { RegistryEvents } from '../events.ts'
import type { RegistryFold } from '../registry-fold.ts'
import type { SdlChecker } from '../sdl-checker.ts'
import { unsupportedMediaType } from './problem-replies.ts'
import type { BlobStore } from '@switchyard/event-log'
import type { HealthState } from '@switchyard/service-kit'

export type ApiOptions = {
  readonly access: Access
  readonly fold: RegistryFold
  readonly writer: CommandWriter
  readonly downstream: Downstream
  readonly blobs: BlobStore
  readonly sdl: SdlChecker
  readonly events: RegistryEvents
  readonly ready: () => HealthState
  /** False until the log was read once. */
  readonly canAnswer: () => boolean
}

/** What every route may answer besides its own: a problem, whatever the status. */
export const ProblemResponse = {
  default: { description: 'A problem', content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } } },
}

export const NamespacePath = z.object({ namespace: Namespace })
export const ReadQuery = z.strictObject({ consistency: z.enum(['strong', 'eventual']).default('strong') })

/** Throws a problem unless the caller is known and holds the permission. Comes before the body is read. */
export async function authorize(
  options: ApiOptions,
  request: FastifyRequest,
  permission: Permission,
): Promise<Caller> {
  const caller = await identify(options, request)
  if (!isAllowed(caller, permission)) throw new ProblemError(forbidden(permission))
  return caller
}

export async function identify(options: ApiOptions, request: FastifyRequest): Promise<Caller> {
  if (!options.canAnswer()) {
    const state = options.ready()
    throw new ProblemError(
      problem('NOT_READY', state.ok ? 'The log is being read.' : state.reason.replace(/\.?$/, '.')),
    )
  }
  const { authorization } = request.headers
  const known = options.access.identify(authorization, options.fold.system)
  const caller = known ?? options.access.identify(authorization, await newestKeys(options, authorization))
  if (caller !== null) return caller
  throw new ProblemError(
    problem(
      'UNAUTHENTICATED',
      'The request carries no API key that this registry knows. Send "Authorization: Bearer <api key>".',
    ),
  )
}

/** A key that was made a moment ago by another registry is worth a look at the log. */
async function newestKeys(options: ApiOptions, authorization: string | undefined) {
  return authorization?.includes('swy_') === true ? await options.fold.systemCaughtUp() : options.fold.system
}

export function forbidden({ kind, namespace }: Permission) {
  const scope = kind === 'read' ? 'read' : `${kind}:${namespace}`
  return problem('FORBIDDEN', `This API key may not do that; the scope "${scope}" or "admin" is needed.`)
}

export function requireJson(request: FastifyRequest): void {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw new ProblemError(unsupportedMediaType())
}
