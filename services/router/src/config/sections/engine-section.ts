/** The sections `engine` and `tracing`: deferred answers and traces of single requests. */
import { PROBE_TOKEN_RULE, ProbeToken } from '@switchyard/contracts'
import { z } from 'zod'
import { FLAG_HEADER } from '../../flags/requested-flag.ts'
import { TRACE_VENDOR } from '../../headers/trace-names.ts'
import { size } from '../../settings/quantities.ts'
import { CLIENT_NAME_HEADERS, CLIENT_VERSION_HEADERS } from '../../clients/settings.ts'
import { HeaderName } from '../../headers/header-values.ts'
import { SECRET } from '../../settings/secret-setting.ts'
import { section } from '../../settings/section.ts'

/** What one announcement of an answer in parts stands for. */
export const DeferPending = z.enum(['fragment', 'item'], 'expected fragment or item')
export type DeferPending = z.infer<typeof DeferPending>

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

/** What the engine does for those who ask. */
export const EngineSection = section({
  /** Off: fragments with `@defer` are ordinary ones. */
  enable_defer: z.boolean().default(false),
  /** Whether each fragment is announced once, or once for each object it is on. */
  defer_pending: DeferPending.default('fragment'),
  /** The same for clients by the name that they call themselves. */
  defer_pending_by_client: z.record(z.string().min(1).max(128), DeferPending).default({}),
  /** Lets its owner probe how deferred answers arrive. Empty: nobody, but in dev mode. */
  defer_probe_token: z
    .union([z.literal(''), ProbeToken], PROBE_TOKEN_RULE)
    .default('')
    .meta(SECRET),
  /** Off: no trace of a request, whoever asks. */
  enable_request_tracing: z.boolean().default(true),
  /** Whoever reaches the router gets traces, without a token. */
  force_unauthenticated_request_tracing: z.boolean().default(false),
})

/** What traces are called, and what they show. */
export const TracingSection = section({
  /** Part of the names of the trace and token headers and of the query parameter. */
  vendor: z
    .string()
    .regex(TRACE_VENDOR, 'expected a letter, then up to 30 letters, digits and -')
    .default('VENDOR'),
  /** Headers that traces show; `*`: all. */
  allowed_headers: z.array(HeaderName).default(TRACED_HEADERS),
  /** Variables and members whose values traces do not show. */
  sensitive_names: z.array(z.string().min(1)).default(SENSITIVE_NAMES),
  // The skeleton of a trace with a few fetches must fit, or nothing is left to see.
  max_size: size('1MiB', '16KiB'),
})
