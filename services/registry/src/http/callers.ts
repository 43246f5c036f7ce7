/** Who sent a request, carried from the check that comes before its body to whoever answers it. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../keys/access.ts'

export class Callers {
  readonly #callers = new WeakMap<FastifyRequest, Caller>()

  note(request: FastifyRequest, caller: Caller): void {
    this.#callers.set(request, caller)
  }

  /** Throws for a route that forgot to check. */
  of(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request)
    if (caller === undefined) throw new Error('a request arrived without its caller')
    return caller
  }
}
