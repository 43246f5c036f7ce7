/** Requests that every GraphQL server can answer, and that cost it next to nothing. */
import type { LoadRequest } from './load-options.ts'

export const DEFAULT_REQUESTS: readonly LoadRequest[] = [
  { name: 'typename by POST', query: '{ __typename }' },
  { name: 'typename by GET', query: '{ __typename }', method: 'GET' },
  {
    name: 'with a variable',
    query: 'query Load($really: Boolean!) { __typename @include(if: $really) }',
    variables: { really: true },
  },
]
