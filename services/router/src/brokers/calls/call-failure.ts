/** Failures of publishing and requesting. */
import type { SubgraphErrorCode } from '../../errors/subgraph-errors.ts'

/** The reason for which a field has no value. */
export type CallFailure = {
  readonly code: SubgraphErrorCode
  /** The words that clients read. */
  readonly message: string
  /** The words for the log; null if there is nothing to add. */
  readonly detail: string | null
  /** Whether the broker did not do what it was asked to; otherwise the router did not ask. */
  readonly isOfBroker: boolean
}

const MESSAGES: Readonly<Partial<Record<SubgraphErrorCode, string>>> = {
  SUBGRAPH_TIMEOUT: 'did not answer in time',
  SUBGRAPH_REQUEST_INVALID: 'takes no message of this size',
  SUBGRAPH_RESPONSE_TOO_LARGE: 'sent a reply that is too large',
  SUBGRAPH_INVALID_RESPONSE: 'sent a reply that does not fit the schema',
}

/** Describes a failure. The message has neither a subject nor an address: clients may read it. */
export function failureOf(
  code: SubgraphErrorCode,
  subgraph: string,
  detail: string,
): { readonly failure: CallFailure } {
  const message = `The broker of subgraph "${subgraph}" ${MESSAGES[code] ?? 'could not be reached'}.`
  return { failure: { code, message, detail, isOfBroker: true } }
}
