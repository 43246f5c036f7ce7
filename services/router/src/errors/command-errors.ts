/** The codes with which commands of the router fail. */
import type { ErrorFacts } from './error-facts.ts'

/** The rows of docs/errors.md, among those of the command line. */
export const ROUTER_COMMAND_ERRORS = {
  DOCUMENTS_NOT_CHECKED: {
    happened:
      'Exit 1. `router check-documents`: there is no manifest or no graph, or one that cannot be used',
    remedy: 'The message names the documents of a manifest that are wrong, or says what is missing.',
  },
  SUPERGRAPH_FILE_INVALID: {
    happened: 'The supergraph file cannot be read or served; a router does not start',
    remedy: 'The message has the reason: often the SDL of a subgraph, or a subgraph without a routing URL.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>

/** A code with which a command of the router fails. */
export type RouterCommandErrorCode = keyof typeof ROUTER_COMMAND_ERRORS
