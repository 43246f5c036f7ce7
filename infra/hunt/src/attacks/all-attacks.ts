/**
 * The attacks that routers are known to have suffered from. The numbers are those of the table in
 * docs/security.md.
 */
import type { Attack } from './attack.ts'
import {
  BODIES_TOO_LARGE,
  SILENT_CONNECTIONS,
  SLOW_READERS,
  UNSENT_BODIES,
  UNSENT_STREAMS,
} from './held-places.ts'
import { CUT_INPUT } from './cut-input.ts'
import { FORMS } from './forms.ts'
import type { MemoryLimits } from './memory-limits.ts'
import { PACKED_BODIES, SUBSCRIPTIONS } from './subscriptions.ts'
import { askedOften } from './requests-in-turn.ts'

const numbered = (count: number, make: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator)
const request = (query: string, more: object = {}) => JSON.stringify({ query, ...more })
const FILTER = 'query ($filter: Filter) { count(filter: $filter) }'

/**
 * Memory limits for attacks during which the router reads eight answers of 10 MB, or plans operations in
 * several threads with heaps of their own.
 */
const LARGE_WORK: Partial<MemoryLimits> = { growth: 800e6 }

/** Made once: an attacker does not pay for what it sends again. */
const unknownFields = request(FILTER, {
  variables: {
    filter: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`unknown${n}`, 'x'.repeat(24)])),
  },
})
const lineBreaks = '\r'.repeat(2_600_000)
const manyNumbers = `[12345678901234567890,${'7,'.repeat(2_580_000)}7]`
const deepInput = `{"query":"query ($json: JSON) { count(json: $json) }","variables":{"json":${'['.repeat(2000)}${']'.repeat(2000)}}}`
const secrets = numbered(60_000, (n) => `"token${n}":"secret-value-${n}"`, ',')

/** The next \`{ … }\` of a request, different each time, so that nothing of it is known. */
const stocked = (number: number) => request(`{ s${number}: stocked { id } }`)
const fromSubgraph = (text: () => string) => {
  let bytes: Buffer | null = null
  return () => (bytes ??= Buffer.from(text()))
}

export const ATTACKS: readonly Attack[] = [
  askedOften({
    name: '1: introspection, 900 names in lists of lists',
    body: (number) =>
      request(
        `{__schema{types{interfaces{possibleTypes{${numbered(900, (n) => `a${number}_${n}:name`)}}}}}}`,
      ),
  }),
  askedOften({ name: '2: variables with 100,000 unknown fields', body: () => unknownFields }),
  askedOften({
    name: '2: a literal of 1 MB with unknown fields',
    body: (number) =>
      request(`{ count(filter: {${numbered(3000, (n) => `u${number}_${n}: "${'x'.repeat(350)}"`)}}) }`),
  }),
  askedOften({
    name: '3: 2.6 million line breaks before 60 unknown fields',
    body: (number) => request(`${lineBreaks}{ ${numbered(60, (n) => `u${number}_${n}`)} }`),
  }),
  UNSENT_BODIES,
  UNSENT_STREAMS,
  SILENT_CONNECTIONS,
  askedOften({
    name: '8: 11 KB in an operation that is not executed',
    body: (number) =>
      request(`query A { me { id } } query B${number} { ${'self { self { count } } '.repeat(480)} }`, {
        operationName: 'A',
      }),
  }),
  askedOften({
    name: '9: a number of 20 digits in 5.2 MB',
    body: () => `{"query":"query ($ids: [ID!]) { count(ids: $ids) }","variables":{"ids":${manyNumbers}}}`,
  }),
  askedOften({
    name: '9: an answer of 40 MB with errors',
    body: stocked,
    answer: fromSubgraph(
      () =>
        `{"errors":[{"message":"a"}],"data":{"stocked":[${numbered(900_000, (n) => `{"id":"${n}","stock":${n}}`, ',')}]}}`,
    ),
  }),
  askedOften({
    name: '10: 60,000 secrets in a traced request',
    settings: 'engine: { force_unauthenticated_request_tracing: true }',
    headers: { 'x-vendor-trace': 'true' },
    body: (number) =>
      `{"query":"query ($json: JSON) { s${number}: count(json: $json) }","variables":{"json":{${secrets}}}}`,
  }),
  askedOften({
    name: '12: an error with a message of 10 MB',
    memory: LARGE_WORK,
    body: stocked,
    answer: fromSubgraph(() => `{"data":null,"errors":[{"message":"${'x'.repeat(10_000_000)}"}]}`),
  }),
  SLOW_READERS,
  askedOften({
    name: '14: operations that take long to plan',
    memory: LARGE_WORK,
    body: (number) =>
      request(
        `{ ${numbered(12, (n) => `p${number}_${n}: nodes { id ... on Kind0 { peers { ... on Node { id } name } } ... on T2 { twin { stock twin { name stock } } } }`)} }`,
      ),
  }),
  askedOften({
    name: '17: operations that were never seen before',
    body: (number) => request(`{ a${number}: me { id name next { id } } }`),
  }),
  BODIES_TOO_LARGE,
  askedOften({ name: '19: input nested 2000 deep', body: () => deepInput }),
  ...CUT_INPUT,
  ...SUBSCRIPTIONS,
  PACKED_BODIES,
  ...FORMS,
]
