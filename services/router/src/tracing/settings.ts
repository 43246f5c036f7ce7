/** The section `tracing`: what traces are called, and what they show. */
import { booleanVariable } from '@switchyard/service-kit'
import { z } from 'zod'
import { CLIENT_NAME_HEADERS, CLIENT_VERSION_HEADERS } from '../concerns/client-names/settings.ts'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import { HeaderName } from '../headers/header-values.ts'
import { TRACE_VENDOR } from '../headers/trace-names.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { lowerCased } from '../settings/lower-cased.ts'
import { size } from '../settings/quantities.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'

const TRACED_HEADERS = [
  'content-type',
  'accept',
  'content-length',
  'user-agent',
  'cache-control',
  'x-request-id',
  FLAG_HEADER.toLowerCase(),
  ...CLIENT_NAME_HEADERS,
  ...CLIENT_VERSION_HEADERS,
]
const SENSITIVE_NAMES = ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn']

/** Settings of the section `engine`: who may get traces of single requests. */
export const TRACE_SWITCHES = {
  enable_request_tracing: setting(z.boolean().default(true), {
    says: 'false: no request can be traced, see [trace-tokens.md](trace-tokens.md)',
    variable: { name: 'ENGINE_ENABLE_REQUEST_TRACING', type: booleanVariable(true) },
  }),
  force_unauthenticated_request_tracing: setting(z.boolean().default(false), {
    says: 'true: **everybody who reaches the router can get complete traces** without a token; a warning at the start says what can leak',
    variable: { name: 'ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING', type: booleanVariable(false) },
  }),
} as const

/** The names by which clients ask for traces, and the data that traces show. */
export const TracingSection = section({
  vendor: setting(
    z
      .string()
      .regex(TRACE_VENDOR, 'expected a letter, then up to 30 letters, digits and -')
      .default('VENDOR'),
    {
      says: 'your name in the headers `X-VENDOR-Trace`, `X-VENDOR-Token`, `X-VENDOR-Trace-As` and the query parameter `vendor_trace`: a letter, then up to 30 letters, digits and `-`',
    },
  ),
  allowed_headers: setting(z.array(HeaderName).default(TRACED_HEADERS), {
    says: 'request and response headers whose values traces show; `["*"]`: all',
  }),
  sensitive_names: setting(z.array(z.string().min(1)).default(SENSITIVE_NAMES), {
    says: 'variables, arguments and members whose values traces do not show',
  }),
  // The skeleton of a trace with a few fetches must fit, or nothing is left to see.
  max_size: setting(size('1MiB', '16KiB'), {
    says: 'size of a trace, at least `16KiB`; beyond it, payloads are replaced by their size, the largest first',
  }),
})

/** Traces of single requests, and who may get them. Names of headers are in lower case. */
export type TracingConfig = ReturnType<typeof tracingConfigOf>

type Rights = {
  readonly enabled: boolean
  readonly forceUnauthenticated: boolean
  readonly requestIdHeader: string
  /** Headers in which clients send tokens, in lower case. */
  readonly tokenHeaders: ReadonlySet<string>
}

/** The settings under the names that code uses, with what other sections say about traces. */
export function tracingConfigOf(settings: z.output<typeof TracingSection>, rights: Rights) {
  return {
    ...camelCased(settings),
    ...rights,
    allowedHeaders: lowerCased(settings.allowed_headers),
    requestIdHeader: rights.requestIdHeader.toLowerCase(),
  } as const
}
