/** The payload of `connection_init`: headers, and the form in which the client takes deferred fragments. */
import { FORMAT } from '../../request/part-stream.ts'
import { initHeaders } from './init-headers.ts'

/** The facts that hold for all operations of a WebSocket, or the reason why the payload is refused. */
export type InitPayload =
  | {
      readonly kind: 'taken'
      readonly headers: Readonly<Record<string, string>>
      /** Deferred fragments are sent in parts. If not, answers are whole. */
      readonly takesParts: boolean
    }
  | { readonly kind: 'invalid'; readonly reason: string }

const UNKNOWN_SPEC = `Invalid connection_init: expected incrementalSpec to be "${FORMAT}", or to be left out for whole results`

/** Reads a payload. `allowed` are the names of headers, in lower case, that it may set. */
export function readInitPayload(
  payload: Readonly<Record<string, unknown>> | null,
  allowed: ReadonlySet<string>,
): InitPayload {
  const spec: unknown = payload?.['incrementalSpec'] ?? null
  const takesParts = typeof spec === 'string' && spec.toLowerCase() === FORMAT
  // A client that waits for parts of another form would never know that it gets none.
  if (spec !== null && !takesParts) return { kind: 'invalid', reason: UNKNOWN_SPEC }
  const added = initHeaders(payload, allowed)
  return added.kind === 'invalid' ? added : { kind: 'taken', headers: added.headers, takesParts }
}
