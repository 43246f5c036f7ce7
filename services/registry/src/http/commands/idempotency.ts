/**
 * The idempotency key: an id that a client chooses for a command, so that it can repeat a request whose
 * answer was lost.
 */
import { createHash } from 'node:crypto'
import { problem, ProblemError } from '@switchyard/contracts'
import type { FastifyRequest } from 'fastify'

/** Null when the client chose none. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = headerOf(request, 'idempotency-key')
  if (key === undefined) return null
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new ProblemError(
    problem(
      'INVALID_REQUEST',
      'The Idempotency-Key header is not usable: 1 to 200 printable ASCII characters without spaces were expected.',
    ),
  )
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/**
 * Sorts the members first, so that equal commands have equal hashes. The random text and the time that the
 * registry adds to a command are left out.
 */
export function commandHashOf({
  freshSalt: _salt,
  now: _now,
  ...command
}: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(command).sort(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest('hex')
}
