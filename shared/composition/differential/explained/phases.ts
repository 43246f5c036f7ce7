/**
 * Phases of both composers: links, the schemas of single subgraphs, the graph, and what can be reached. Each
 * ends with the phase in which it finds a mistake, and each has some rules in another phase.
 */
import type { Difference } from '../compare.ts'
import type { ErrorStatement } from './explanation.ts'

type Told = Pick<ErrorStatement, 'code' | 'message'>

const OF_LINKS = [
  'INVALID_LINK_DIRECTIVE_USAGE',
  'INVALID_LINK_IDENTIFIER',
  'UNKNOWN_FEDERATION_LINK_VERSION',
  'UNKNOWN_LINK_VERSION',
]

/** Codes of the graph that the library tells of one subgraph. */
const OF_GRAPHS = [
  'EXTENSION_WITH_NO_BASE',
  'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
  'MISSING_TRANSITIVE_AUTH_REQUIREMENTS',
]

const OF_ONE_SUBGRAPH = /^(?:Directive "@\S+"|Could not find .*) in subgraph /

/** The number of the phase in which a composer finds this error. */
export function phaseOf({ code, message }: Told): number {
  if (code === 'SATISFIABILITY_ERROR') return 3
  if (OF_LINKS.includes(code)) return 0
  if (OF_GRAPHS.includes(code)) return 2
  if (code === 'DIRECTIVE_COMPOSITION_ERROR' && OF_ONE_SUBGRAPH.test(message)) return 1
  return message.startsWith('[') ? 1 : 2
}

/** The phase in which we ended. */
export function ourLastPhase({ ours }: Difference): number {
  return ours.kind === 'failed' ? Math.max(...ours.errors.map(phaseOf)) : 4
}

/** The phase in which the library ended. */
export function theirLastPhase({ theirs }: Difference): number {
  return theirs.kind === 'failed' ? Math.max(...theirs.errors.map(phaseOf)) : 4
}
