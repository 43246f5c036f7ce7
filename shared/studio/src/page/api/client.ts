/** The registry's API as pages call it: the session's cookie goes along, and problems become errors. */
import type { Problem } from '@switchyard/contracts'
import type { paths } from './registry-api.d.ts'

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never
type Operation<Path extends keyof paths, Method extends string> = Method extends keyof paths[Path]
  ? NonNullable<paths[Path][Method]>
  : never
type Answers<Of> = Of extends { responses: infer Responses } ? Responses : never
type Having<Method extends string> = {
  [Path in keyof paths]: Operation<Path, Method> extends never
    ? never
    : Operation<Path, Method> extends { responses: unknown }
      ? Path
      : never
}[keyof paths]

/** Paths that are read by GET. */
export type ReadPath = Having<'get'>
/** The body of the answer of such a path. */
export type Read<Path extends ReadPath> = Json<
  Answers<Operation<Path, 'get'>>[200 & keyof Answers<Operation<Path, 'get'>>]
>

export type WriteMethod = 'post' | 'put' | 'patch' | 'delete'
/** Paths that are written with a method. */
export type WritePath<Method extends WriteMethod> = Having<Method>
/** The body of the answer of a write. */
export type Written<Path extends keyof paths, Method extends WriteMethod> = Json<
  Answers<Operation<Path, Method>>[(200 | 201) & keyof Answers<Operation<Path, Method>>]
>

/** Values that a path names in braces, and the query. */
export type Address = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
}

/** An answer that is no success, or none at all. */
export class ApiError extends Error {
  /** The code of the problem; `UNREACHABLE` if the registry did not answer. */
  readonly code: string
  /** The status of the answer; 0 if there was none. */
  readonly status: number
  /** Single problems of the request, where there are several. */
  readonly problems: readonly string[]

  constructor(status: number, code: string, detail: string, problems: readonly string[] = []) {
    super(detail)
    this.status = status
    this.code = code
    this.problems = problems
  }
}

/** Returns what was thrown as an error that pages can show. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, 'page', error instanceof Error ? error.message : String(error))
}

/** The header that writes of a session carry. */
const CSRF = 'x-switchyard-csrf'

export class Api {
  /** The value of the header for writes, which the session tells. Null without a session. */
  csrf: string | null = null

  /** Reads a path. Throws ApiError. */
  read<Path extends ReadPath>(path: Path, address: Address = {}, signal?: AbortSignal): Promise<Read<Path>> {
    return this.send<Read<Path>>('GET', addressOf(path, address), undefined, signal)
  }

  /** Writes to a path. Throws ApiError. */
  write<Method extends WriteMethod, Path extends WritePath<Method>>(
    method: Method,
    path: Path,
    address: Address,
    body: object,
  ): Promise<Written<Path, Method>> {
    return this.send<Written<Path, Method>>(method.toUpperCase(), addressOf(path, address), body)
  }

  /** Asks any address of the registry. Throws ApiError. */
  async send<Answer>(method: string, url: string, body?: object, signal?: AbortSignal): Promise<Answer> {
    const response = await reach(url, {
      method,
      credentials: 'same-origin',
      // The registry says of each answer whether it may be kept, and is asked whether it is still the same.
      cache: 'no-cache',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' || this.csrf === null ? {} : { [CSRF]: this.csrf }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    if (!response.ok) throw problemOf(response.status, text)
    // Both sides are made from one description of the API, so the answer is what the type says.
    const answer: Answer = JSON.parse(text === '' ? 'null' : text)
    return answer
  }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(
      0,
      'UNREACHABLE',
      'The registry did not answer. It may be restarting, or the network is down.',
    )
  }
}

function problemOf(status: number, text: string): ApiError {
  const problem = problemIn(text)
  if (problem !== null) return new ApiError(status, problem.code, problem.detail, problem.problems)
  return new ApiError(
    status,
    `HTTP_${status}`,
    `The registry answered with the status ${status} and no reason.`,
  )
}

function problemIn(text: string): Problem | null {
  try {
    const value: Problem | null = JSON.parse(text)
    return typeof value?.code === 'string' && typeof value.detail === 'string' ? value : null
  } catch {
    return null
  }
}

/** Returns the address of a path whose names in braces are filled in. */
export function addressOf(path: string, { path: names = {}, query = {} }: Address): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}
