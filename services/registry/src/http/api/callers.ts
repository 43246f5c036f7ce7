/** Remembers who sent a request, from the check before its body is read to the handler that answers it. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../keys/access.ts'

export class Callers {
  readonly #callers = new WeakMap<FastifyRequest, Caller>()

  note(request: FastifyRequest, caller: Caller): void {
    this.#callers.set(request, caller)
  }

  /** Throws if the route did not check who asks, which would be a defect. */
  of(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request)
    if (caller === undefined) throw new Error('a request arrived without its caller')
    return caller
  }
}
