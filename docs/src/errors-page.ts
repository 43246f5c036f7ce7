/** The tables of docs/errors.md about codes that a table in a source declares. */
import { CONFIG_STORE_ERRORS } from '../../shared/config-store/src/store/error-codes.ts'
import { REDIS_PROBLEMS } from '../../shared/config-store/src/redis/problem-codes.ts'
import { NATS_PROBLEMS } from '../../shared/event-log/src/nats/problem-codes.ts'
import { SECOND_OPINION_ERRORS } from '../../shared/second-opinion/src/second-opinion-error.ts'
import { START_ERRORS } from '../../shared/service-kit/src/text/start-errors.ts'
import { SERVER_PROBLEMS } from '../../shared/service-kit/src/servers/problem-codes.ts'
import { EVENT_LOG_ERRORS } from '../../shared/event-log/src/log/error-codes.ts'
import { PROBLEMS } from '../../shared/contracts/src/problems.ts'
import { CATALOGUE } from '../../shared/composition/src/catalogue/index.ts'
import { INPUT_ERRORS } from '../../shared/composition/src/catalogue/input-errors.ts'
import { COMMAND_ERRORS } from '../../services/cli/src/run/error-codes.ts'
import { COMPOSER_ERRORS } from '../../services/composer/src/error-codes.ts'
import { CONFIG_DISTRIBUTION_ERRORS } from '../../services/config-distribution/src/errors/error-codes.ts'
import { REGISTRY_ERRORS } from '../../services/registry/src/error-codes.ts'
import { ROUTER_START_ERRORS } from '../../services/router/src/errors/start-errors.ts'
import { STANDALONE_ERRORS } from '../../services/standalone/src/error-codes.ts'
import { ROUTER_COMMAND_ERRORS } from '../../services/router/src/errors/command-errors.ts'
import type { ErrorFacts } from '../../services/router/src/errors/error-facts.ts'
import { MANIFEST_ERRORS, SUPERGRAPH_ERRORS } from '../../services/router/src/errors/manifest-errors.ts'
import { OPERATION_ERRORS } from '../../services/router/src/errors/operation-errors.ts'
import { REFUSALS } from '../../services/router/src/errors/refusals.ts'
import { SUBGRAPH_ERRORS } from '../../services/router/src/errors/subgraph-errors.ts'
import { withTable } from './declarations.ts'

const HEAD = '| code | what happened | what it means and what to do |\n|---|---|---|\n'

type Codes = Readonly<Record<string, ErrorFacts & { readonly status?: number }>>

/** The codes by the headings of the page. */
export const DECLARED_CODES: readonly (readonly [heading: string, codes: Codes])[] = [
  ['Router: requests that are refused', REFUSALS],
  ['Router: operations and plans', OPERATION_ERRORS],
  ['Router: calls of subgraphs', SUBGRAPH_ERRORS],
  ['Manifests and supergraphs in the router', { ...MANIFEST_ERRORS, ...SUPERGRAPH_ERRORS }],
  ['Management API', PROBLEMS],
  ['Logs, blobs and the config store', { ...EVENT_LOG_ERRORS, ...CONFIG_STORE_ERRORS }],
  ['Command line', { ...COMMAND_ERRORS, ...ROUTER_COMMAND_ERRORS }],
  ['Second opinions', SECOND_OPINION_ERRORS],
  ['Compositions', { ...INPUT_ERRORS, ...CATALOGUE, ...COMPOSER_ERRORS }],
  ['Reaching NATS and Redis', { ...SERVER_PROBLEMS, ...NATS_PROBLEMS, ...REDIS_PROBLEMS }],
  [
    'Start-up',
    {
      ...START_ERRORS,
      ...STANDALONE_ERRORS,
      ...REGISTRY_ERRORS,
      ...CONFIG_DISTRIBUTION_ERRORS,
      ...ROUTER_START_ERRORS,
    },
  ],
]

/** Returns docs/errors.md with tables of the declared codes. */
export function withErrors(page: string): string {
  return DECLARED_CODES.reduce((text, [heading, codes]) => {
    const rows = Object.entries(codes).map(([code, { status, happened, remedy }]) => {
      const cause = status === undefined ? happened : `${status}. ${happened}`
      return `| \`${code}\` | ${cause} | ${remedy} |`
    })
    return withTable(text, heading, HEAD, rows.toSorted())
  }, page)
}
