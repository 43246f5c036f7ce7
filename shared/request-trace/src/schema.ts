/**
 * `extensions.trace` of version "1": what a router says about one request.
 *
 * Members are optional where an argument of the request leaves them out, where what they tell of did not
 * happen, or where it could not be observed; the description of each says which. Nothing else may be there.
 */
import { z } from 'zod'
import { MAX_DEFER_LABEL } from './defer-label.ts'

const ARGUMENT = (name: string) => `Left out by \`${name}\`.`

const Nanoseconds = z.int().min(0)
const Pretty = z.string().describe('The same for people: `1.2ms`.')

const sinceStart = {
  duration_since_start_nanoseconds: Nanoseconds.describe('From the start of the request until it began.'),
  duration_since_start_pretty: Pretty,
}

const Headers = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .meta({ id: 'Headers', description: 'Names in lower case. What may not be shown is `"[redacted]"`.' })

const Truncated = z
  .strictObject({ truncated: z.int().min(0).describe('How many bytes of JSON it had.') })
  .meta({
    id: 'Truncated',
    description: 'Stands for what would have made the trace larger than it may be.',
  })

const Phase = z
  .strictObject({
    duration_nanoseconds: Nanoseconds.describe('How long it took.'),
    duration_pretty: Pretty,
    ...sinceStart,
  })
  .meta({ id: 'Phase' })

/** The things that a request can wait for before its operation is read. */
export const WAITS = ['token', 'rate-limits', 'document', 'flag', 'turn'] as const

const Wait = z
  .strictObject({
    for: z
      .enum(WAITS)
      .describe(
        '`token`: its token to be verified, with keys that may have to be fetched; `rate-limits`: a shared store of rate limits; ' +
          '`document`: a shared store of documents; `flag`: the composition of its feature flag ' +
          'to be compiled; `turn`: other clients whose requests take much computing.',
      ),
    duration_nanoseconds: Nanoseconds.describe('How long it waited.'),
    duration_pretty: Pretty,
    ...sinceStart,
  })
  .meta({ id: 'Wait' })

const Info = z.strictObject({
  trace_start_time: z
    .union([z.literal(''), z.iso.datetime({ offset: true })])
    .describe('When the request began (RFC 3339); empty with predictable timings.'),
  trace_start_unix: z.number().min(0).describe('The same in seconds; 0 with predictable timings.'),
  waits: z
    .array(Wait)
    .optional()
    .describe(
      'What the request waited for longer than 0.1 ms before its fetches, in order; absent: for nothing, and with predictable timings.',
    ),
  parse_stats: Phase.optional().describe(
    `Reading the document, or finding it among those that the router knows. ${ARGUMENT('exclude_parse_stats')}`,
  ),
  normalize_stats: Phase.optional().describe(
    `Choosing the operation and measuring it against the limits; no time for one that the router knows. ${ARGUMENT('exclude_normalize_stats')}`,
  ),
  validate_stats: Phase.optional().describe(
    `Checking it, and the variables, against the schema. ${ARGUMENT('exclude_validate_stats')}`,
  ),
  planner_stats: Phase.optional().describe(
    `Planning, or finding the plan in the cache. ${ARGUMENT('exclude_planner_stats')}`,
  ),
})

const Composition = z.strictObject({
  feature_flag: z.string().nullable().describe('The flag whose graph answered; null for the base graph.'),
  reason: z
    .enum([
      'header',
      'cookie',
      'none',
      'unknown',
      'not-served',
      'rollout',
      'rollout-control',
      'rollout-not-ready',
    ])
    .describe(
      'What named the flag; `none`: no flag was named; `unknown`, `not-served`: one was, and the base graph answered. `rollout`: a rollout chose the flag; `rollout-control`: the base graph, outside of the percentage of a rollout; `rollout-not-ready`: the base graph, since the flag of the rollout is not built.',
    ),
  artifact: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the composition, in hex.'),
  revision: z.int().min(0).describe("The router config's; 0 for one that came from a file."),
})

const LoadEvent = z.strictObject(sinceStart).meta({ id: 'LoadEvent' })

const LoadStats = z.strictObject({
  get_conn: LoadEvent.optional().describe('A connection was asked for.'),
  got_conn: z
    .strictObject({
      ...sinceStart,
      reused: z.boolean().optional().describe('It had served a request before.'),
      was_idle: z.boolean().optional().describe('It waited in the pool.'),
    })
    .optional()
    .describe('The connection was there. Its details are left out with predictable timings.'),
  dns_start: LoadEvent.optional().describe('The name of the host was looked up …'),
  dns_done: LoadEvent.optional().describe('… and found.'),
  connect_start: LoadEvent.optional().describe('Connecting began …'),
  connect_done: LoadEvent.optional().describe('… and ended.'),
  tls_handshake_start: LoadEvent.optional().describe('The TLS handshake began …'),
  tls_handshake_done: LoadEvent.optional().describe('… and ended.'),
  wrote_headers: LoadEvent.optional().describe('The headers of the request were written.'),
  wrote_request: LoadEvent.optional().describe('All of the request was written.'),
  got_first_response_byte: LoadEvent.optional().describe('The answer began.'),
})

const Input = z.strictObject({
  method: z.string(),
  url: z.string().describe('Without user and password; the query string is redacted.'),
  headers: Headers,
  body: z.unknown().describe('`query` and `variables` as they were sent.'),
})

const Output = z.strictObject({
  body: z.unknown().describe('As the subgraph sent it; text when it is not JSON.'),
  status_code: z.int().min(0).describe('Of HTTP.'),
  headers: Headers,
  body_size: z.int().min(0).describe('Bytes of the body.'),
})

const FailedAttempt = z.strictObject({
  url: z
    .string()
    .optional()
    .describe('Where it was made: without user and password; the query string is redacted.'),
  message: z
    .string()
    .optional()
    .describe('Why it failed; absent when an answer had begun, or it had not failed.'),
  status_code: z.int().min(0).optional().describe('Of HTTP; absent when no answer began.'),
  hedge: z
    .literal(true)
    .optional()
    .describe('It was made beside another one, to which no answer began for long.'),
  given_up: z
    .literal(true)
    .optional()
    .describe('It had not failed: the other one was answered first, or nobody waited for either any more.'),
  duration_since_start_nanoseconds: Nanoseconds.optional().describe(
    'From the start of the request until the attempt began.',
  ),
  duration_since_start_pretty: Pretty.optional(),
  duration_load_nanoseconds: Nanoseconds.optional().describe(
    'From there until it had failed or was given up.',
  ),
  duration_load_pretty: Pretty.optional(),
})

const FetchTrace = z.strictObject({
  raw_input_data: z
    .unknown()
    .optional()
    .describe(
      `The objects that the input was made from, as they came. ${ARGUMENT('exclude_raw_input_data')}`,
    ),
  input: z
    .union([Input, Truncated])
    .optional()
    .describe(`The request as it was made. ${ARGUMENT('exclude_input')}`),
  output: z
    .union([Output, Truncated])
    .optional()
    .describe(`The raw answer; absent when there was none. ${ARGUMENT('exclude_output')}`),
  error: z
    .strictObject({ code: z.string().describe('As in docs/errors.md.'), message: z.string() })
    .optional()
    .describe('Why there is no answer, or none that can be used.'),
  duration_since_start_nanoseconds: Nanoseconds.optional().describe(
    `From the start of the request until the load began. ${ARGUMENT('exclude_load_stats')}`,
  ),
  duration_since_start_pretty: Pretty.optional(),
  duration_load_nanoseconds: Nanoseconds.optional().describe(
    `From there to the end of the answer. ${ARGUMENT('exclude_load_stats')}`,
  ),
  duration_load_pretty: Pretty.optional(),
  duration_waiting_nanoseconds: Nanoseconds.optional().describe(
    `How long the call waited before the load began, because as many calls of the subgraph as \`max_calls\` allows were in progress; absent: it did not wait. ${ARGUMENT('exclude_load_stats')}`,
  ),
  duration_waiting_pretty: Pretty.optional(),
  single_flight_used: z.boolean().describe('The fetch could share an answer with equal ones.'),
  single_flight_shared_response: z
    .boolean()
    .describe('It did: another fetch made the call, and this one got its answer.'),
  load_skipped: z.boolean().describe('No request was made, because nothing had to be asked for.'),
  load_stats: LoadStats.optional().describe(
    `What the HTTP client could observe. ${ARGUMENT('exclude_load_stats')}`,
  ),
  hedge: z
    .literal(true)
    .optional()
    .describe(
      'All that is told here is of a call that was made beside another one, to which no answer began for long.',
    ),
  failed_attempts: z
    .array(FailedAttempt)
    .optional()
    .describe(
      `Attempts of the call that failed and were made again, or were given up, in order; all else here is of another one. ${ARGUMENT('exclude_load_stats')}`,
    ),
})

const Fetch = z.strictObject({
  kind: z
    .enum(['Single', 'Entity', 'BatchEntity', 'MultiEntity'])
    .describe(
      '`Single`: fields of the root; `Entity`: an object outside lists; `BatchEntity`: objects of a list; `MultiEntity`: several such places with one request.',
    ),
  path: z
    .string()
    .describe(
      'Where in the response: `products.@.lead`, `@` for each entry of a list; empty for the root; several places are separated by a comma and a space.',
    ),
  source_id: z.string().describe('The subgraph, as a name that stays the same …'),
  source_name: z.string().describe('… and as people know it.'),
  depends_on: z
    .array(z.int().min(0))
    .optional()
    .describe('Fetches that came first, by number: from 0, in the order of this tree. Absent: none.'),
  defer_id: z
    .string()
    .optional()
    .describe('The `pending` id of the fragment with `@defer` that it is made for; absent: the first part.'),
  defer_label: z
    .string()
    .optional()
    .describe(
      `The label that the client gave that fragment. Absent: it has none, or one of more than ${MAX_DEFER_LABEL} characters.`,
    ),
  trace: FetchTrace.describe(
    'What happened. A fetch that was not begun when the trace was taken has nothing but the three flags, all false.',
  ),
})

type TreeNode = z.ZodDiscriminatedUnion<[typeof SingleNode, typeof SeveralNode], 'kind'>

const SingleNode = z.strictObject({ kind: z.literal('Single'), fetch: Fetch })
const SeveralNode = z.strictObject({
  kind: z
    .enum(['Sequence', 'Parallel'])
    .describe('`Sequence`: one after the other; `Parallel`: at the same time.'),
  get children(): z.ZodArray<TreeNode> {
    return z.array(TreeNode)
  },
})
const TreeNode: TreeNode = z.discriminatedUnion('kind', [SingleNode, SeveralNode]).meta({ id: 'TreeNode' })

const ClientRequest = z.strictObject({
  method: z.string(),
  url: z.string().describe('Without user and password; the query string is redacted.'),
  headers: Headers,
  body: z.strictObject({
    query: z.string().nullable().describe('null when there was none.'),
    operationName: z.string().nullable(),
    variables: z.record(z.string(), z.unknown()).nullable(),
  }),
})

const AskedBy = z.strictObject({
  client: z
    .strictObject({ name: z.string(), version: z.string().nullable() })
    .optional()
    .describe('How the client calls itself.'),
  token: z
    .strictObject({
      provider: z.string().describe('Of the settings, whose keys the token was verified with.'),
      issuer: z.string().optional().describe('Its claim `iss`, the first 256 characters.'),
      subject: z.string().optional().describe('Its claim `sub`, the first 256 characters.'),
    })
    .optional()
    .describe('What a verified token says of who asks; never the token, nor other claims of it.'),
  document: z.string().optional().describe('The identifier by which it named its document.'),
})

/** Outcomes of a rollout for a request. */
const ROLLOUT_OUTCOMES = [
  'inside',
  'control',
  'other-audience',
  'no-key',
  'expired',
  'unknown-flag',
  'not-serving',
  'keyless',
  'not-understood',
  'taken-back',
] as const

const RolloutCondition = z.strictObject({
  on: z
    .string()
    .describe('The property that it looks at: `claim:plan`, `header:x-region`, `client_version`.'),
  test: z
    .enum(['equals', 'in', 'starts_with', 'ends_with', 'exists', 'semver'])
    .describe('How it compares; what it compares with is not told.'),
  not: z.literal(true).optional().describe('It holds where the test does not.'),
  seen: z
    .array(z.string())
    .optional()
    .describe(
      'The values of the property, the first 10, as far as a trace may show them. Absent: the request has no such property.',
    ),
  holds: z.boolean(),
  problem: z
    .literal(true)
    .optional()
    .describe('The router does not understand it. Requests that fulfil all other conditions get base.'),
})

const Rollout = z.strictObject({
  name: z.string(),
  flag: z.string(),
  percent: z.number().min(0).max(100),
  outcome: z
    .enum(ROLLOUT_OUTCOMES)
    .describe(
      '`inside`, `control`: it decided, for its flag or for base. `other-audience`: a condition does not hold; `no-key`: the request has none of its keys. It was not looked at: `expired`; `unknown-flag`: the config has no such flag; `not-serving`: it serves nobody; `keyless`: it has a percentage and no key.',
    ),
  conditions: z
    .array(RolloutCondition)
    .optional()
    .describe('Absent: there are none, or nobody looked at them.'),
  key: z
    .strictObject({
      source: z.string().describe('The property that it is read from.'),
      value: z.string().describe('As far as a trace may show it.'),
      bucket: z.int().min(0).max(9999).describe('Those below the percentage times 100 are inside.'),
    })
    .optional()
    .describe('By which it decided. Absent: it did not, or it needs none.'),
})

const StandIn = z.strictObject({
  claims: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.string().describe('As far as a trace may show it.'),
      }),
    )
    .optional()
    .describe('In place of the claims of the token. Absent: its own counted.'),
  headers: Headers.optional().describe(
    'In place of all headers, cookies among them. Absent: those of the request counted.',
  ),
  overruled: z
    .literal(true)
    .optional()
    .describe('The request itself names a flag, which wins: nobody else was asked for.'),
})

const Cost = z.strictObject({
  estimated: z.number().describe('Before it was executed.'),
  actual: z
    .number()
    .nullable()
    .describe(
      'Afterwards, up to the part of the answer that has this trace; null: it was not executed, or is too large to be counted.',
    ),
  exceeded: z
    .enum(['operation', 'client', 'subgraph'])
    .nullable()
    .describe('Whose limit the estimate exceeds; null: none.'),
})

const RateLimit = z.strictObject({
  name: z.string().describe('Of the settings.'),
  exceeded: z
    .boolean()
    .describe('The request was one too many, or cost too much, for a limit that is not enforced.'),
})

export const TraceSchema = z
  .strictObject({
    version: z.literal('1'),
    info: Info.describe('When, and how long each step before the fetches took.'),
    composition: Composition.describe('Which graph answered, and why that one.'),
    stand_in: StandIn.optional().describe(
      'Who stood in for the sender of the request where its composition was chosen, and nowhere else. Absent: nobody.',
    ),
    rollouts: z
      .array(Rollout)
      .optional()
      .describe(
        'The rollouts of the graph in their order, up to the one that decided. Absent: the request names a flag, or there are none.',
      ),
    override_labels: z
      .array(z.string())
      .optional()
      .describe(
        'Labels of progressive overrides that were active for the request, of those that its operation depends on. Absent: none.',
      ),
    fetches: z
      .strictObject({ kind: z.literal('Sequence'), children: z.array(TreeNode) })
      .describe('The plan with what became of it. Empty when the request ended before there was a plan.'),
    denied: z
      .array(z.string())
      .optional()
      .describe(
        'Fields that the request may not see, as `Type.field`, the first 50: nothing was fetched for them. Absent: none.',
      ),
    asked_by: AskedBy.optional().describe('Who asked, as far as the request says it. Absent: it does not.'),
    cost: Cost.optional().describe('What the operation costs. Absent: costs are not measured.'),
    rate_limits: z
      .array(RateLimit)
      .optional()
      .describe('The limits that the request counts for, before it was executed. Absent: none.'),
    request: ClientRequest.describe("The client's."),
    warnings: z.array(z.string()).optional().describe('About the request for this trace.'),
  })
  .describe('What a router says about one request in `extensions.trace`.')

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

export type Trace = DeepReadonly<z.infer<typeof TraceSchema>>
export type TraceRollout = DeepReadonly<z.infer<typeof Rollout>>
export type TraceRateLimit = DeepReadonly<z.infer<typeof RateLimit>>
export type TraceAskedBy = DeepReadonly<z.infer<typeof AskedBy>>
export type TraceWait = DeepReadonly<z.infer<typeof Wait>>
export type TracePhase = DeepReadonly<z.infer<typeof Phase>>
export type TraceNode = Trace['fetches']['children'][number]
export type TraceFetch = DeepReadonly<z.infer<typeof Fetch>>
export type TraceLoad = TraceFetch['trace']
export type TraceFailedAttempt = z.infer<typeof FailedAttempt>
export type TraceInput = DeepReadonly<z.infer<typeof Input>>
export type TraceOutput = DeepReadonly<z.infer<typeof Output>>
export type TraceTruncated = DeepReadonly<z.infer<typeof Truncated>>
export type TraceLoadStats = DeepReadonly<z.infer<typeof LoadStats>>
export type TraceHeaders = DeepReadonly<z.infer<typeof Headers>>
