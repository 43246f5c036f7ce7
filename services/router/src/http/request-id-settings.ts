/** The section `request_id`: ids by which requests are found again, in answers, logs, spans and subgraphs. */
import { z } from 'zod'
import { isForwardable } from '../headers/forwardable.ts'
import { traceNames } from '../headers/trace-names.ts'
import { HeaderName } from '../headers/header-values.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'
import { problemIf, type SettingProblem } from '../settings/setting-problems.ts'

const TAKEN_HEADERS = /^x-(?:feature-flag|forwarded-.*|real-ip|switchyard-.*)$/i
/**
 * The header for ids of requests. Clients, browsers or caches might give any other header another meaning.
 */
const RequestIdHeader = HeaderName.refine(
  (name) => /^x-.|-id$/i.test(name) && !TAKEN_HEADERS.test(name) && isForwardable(name),
  'expected a header for ids of requests, such as x-request-id, request-id or x-correlation-id',
)

/** The settings of ids by which requests are found again, in answers, logs, spans and subgraphs. */
export const RequestIdSection = section({
  header: setting(RequestIdHeader.default('X-Request-Id'), {
    says: 'the header of [request ids](#request-ids): one that begins with `x-` or ends in `-id` and means nothing else to the router',
  }),
  trust_clients: setting(z.boolean().default(true), {
    says: 'false: request ids of clients are ignored, and each request gets a new one',
  }),
})

export type RequestIdConfig = ReturnType<typeof requestIdConfigOf>

/** Returns the settings under the names that code uses. */
export function requestIdConfigOf(settings: z.output<typeof RequestIdSection>) {
  return camelCased(settings)
}

type NamingHeaders = {
  readonly request_id: { readonly header: string }
  readonly tracing: { readonly vendor: string }
}

/** Returns the problem of a header that is one of traces. */
export function requestIdProblems({
  request_id: { header },
  tracing,
}: NamingHeaders): readonly SettingProblem[] {
  const names = Object.values(traceNames(tracing.vendor))
  const isTaken = names.some((name) => name.toLowerCase() === header.toLowerCase())
  const message = `the header ${header} belongs to traces: expected another one`
  return problemIf(isTaken, ['request_id', 'header'], message)
}
