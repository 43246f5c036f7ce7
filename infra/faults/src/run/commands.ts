/**
 * Commands that go on while something is wrong, by two writers: one publishes a schema with a new field again
 * and again, the other switches the flag `next` on and off. A command whose outcome is not known is repeated
 * with the same idempotency key, by the other registry, as clients behind a load balancer do. What was
 * acknowledged is remembered.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Constellation, LINK } from '@switchyard/e2e'

export type Command = {
  readonly method: 'PUT' | 'POST'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export type Acknowledged = {
  /** Idempotency key, which is the id in the log. */
  readonly key: string
  /** The sequence of its record. */
  readonly sequence: number
  /** True if the answer says that the command changed something, as each of these commands does. */
  readonly changed: boolean
  /** Milliseconds from the first attempt to the acknowledgement. */
  readonly milliseconds: number
  /** The failures of earlier attempts: codes of errors, or what happened to the connection. */
  readonly refusals: readonly string[]
}

const ATTEMPT_MS = 10_000
const GIVEN_UP_MS = 90_000
const PAUSE_AFTER_REFUSAL_MS = 100
/** Outcomes that leave open whether the command was carried out, or say that it was not for now. */
const TRY_AGAIN = new Set([429, 500, 502, 503, 504])

/** Repeats a command until it is acknowledged. Throws what refused it for good. */
export async function acknowledge(system: Constellation, command: Command, first = 0): Promise<Acknowledged> {
  const key = randomUUID()
  const began = performance.now()
  const refusals: string[] = []
  for (let attempt = first; ; attempt += 1) {
    const outcome = await tryOnce(system, command, key, attempt % system.registryUrls.length)
    const milliseconds = performance.now() - began
    if (typeof outcome === 'object') return { key, ...outcome, milliseconds, refusals }
    refusals.push(outcome)
    if (milliseconds > GIVEN_UP_MS)
      throw new Error(`${command.method} ${command.path} was not acknowledged: ${refusals.join(', ')}`)
    await sleep(PAUSE_AFTER_REFUSAL_MS)
  }
}

async function tryOnce(
  system: Constellation,
  { method, path, body }: Command,
  key: string,
  registry: number,
): Promise<{ sequence: number; changed: boolean } | string> {
  const signal = AbortSignal.timeout(ATTEMPT_MS)
  try {
    const reply = await system.manage(method, `${path}?wait=0`, body, {
      registry,
      signal,
      headers: { 'idempotency-key': key },
    })
    if (reply.status < 300)
      return { sequence: Number(reply.body['sequence']), changed: reply.body['changed'] === true }
    const code = String(reply.body['code'])
    if (TRY_AGAIN.has(reply.status)) return code
    throw new RefusedError(`${method} ${path} was refused: ${JSON.stringify(reply.body)}`)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    return signal.aborted ? 'no answer within 10 s' : 'no connection'
  }
}

class RefusedError extends Error {}

export function publish(subgraph: 'users' | 'reviews', fields: readonly string[]): Command {
  const own = fields.map((field) => `${field}: Int`).join(' ')
  const sdl =
    subgraph === 'users'
      ? `type Query { me: User } type User @key(fields: "id") { id: ID! name: String! ${own} }`
      : `type Product @key(fields: "id") { id: ID! reviews: [Review!]! } type User @key(fields: "id") { id: ID! }
         type Review { text: String! author: User! ${own} }`
  return { method: 'PUT', path: `/v1/subgraphs/default/${subgraph}/schema`, body: { sdl: `${LINK}${sdl}` } }
}

export function toggle(enabled: boolean): Command {
  return {
    method: 'POST',
    path: `/v1/feature-flags/default/next/${enabled ? 'enable' : 'disable'}`,
    body: {},
  }
}

export type Written = {
  readonly publishes: readonly Acknowledged[]
  /** Fields that the schema of `users` has to have now. */
  readonly fields: readonly string[]
  readonly toggles: readonly Acknowledged[]
  readonly isEnabled: boolean
}

const PAUSE_MS = 150
let fieldsSoFar = 0

/** A name that no schema has had. */
export function newField(): string {
  fieldsSoFar += 1
  return `added${fieldsSoFar}`
}

/** Runs until it is stopped. The flag has to be on at the start. `stop` throws what was refused for good. */
export function startCommands(system: Constellation): AsyncDisposable & { stop(): Promise<Written> } {
  const stopped = new AbortController()
  const publishes: Acknowledged[] = []
  const toggles: Acknowledged[] = []
  const fields: string[] = []
  let isEnabled = true
  const repeat = async (step: () => Promise<void>): Promise<void> => {
    while (!stopped.signal.aborted) {
      await step()
      await sleep(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const publishing = repeat(async () => {
    const field = newField()
    publishes.push(await acknowledge(system, publish('users', [...fields, field]), 0))
    fields.push(field)
  })
  const toggling = repeat(async () => {
    toggles.push(await acknowledge(system, toggle(!isEnabled), 1))
    isEnabled = !isEnabled
  })
  const running = Promise.all([publishing, toggling])
  running.catch(() => stopped.abort())
  return {
    async stop() {
      stopped.abort()
      await running
      return { publishes, fields, toggles, isEnabled }
    },
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await running.catch(() => {})
    },
  }
}
