import type { DeferErrorCode } from '../errors/operation-errors.ts'
import { FORMAT } from '../request/part-stream.ts'
import { negotiateStream } from './negotiate-stream.ts'

/** Most characters that are shown of a text that the client chose. */
const MAX_SHOWN = 100

/**
 * Returns the reason why a client cannot be sent the stream that its operation asks for, or null if it can.
 */
export function deferRefusal(
  accept: string | undefined,
): { readonly code: DeferErrorCode; readonly message: string } | null {
  const choice = negotiateStream(accept)
  switch (choice.kind) {
    case 'stream':
      return null
    case 'other-format':
      return {
        code: 'DEFER_UNSUPPORTED_SPEC',
        message:
          `The client asked for the incremental format ${choice.asked.slice(0, MAX_SHOWN)}, and this router implements incrementalSpec=${FORMAT}. ` +
          `Use a client that supports incrementalSpec=${FORMAT} and sends "Accept: multipart/mixed;incrementalSpec=${FORMAT}".`,
      }
    case 'not-accepted':
      return {
        code: 'DEFER_BAD_HEADER',
        message:
          'The router received a query with @defer, but the client does not accept multipart/mixed. ' +
          'Send the header "Accept: multipart/mixed" to get deferred fragments.',
      }
    default:
      return choice satisfies never
  }
}
