/**
 * Decides whether a request gets a trace, between the choice of a composition and the preparation of the
 * operation.
 */
import type { TraceRateLimit } from '@switchyard/request-trace'
import type { Identity } from '../../identity/identity.ts'
import type { TracedPolicies } from './request-recorder.ts'
import type { Tracing } from './tracing.ts'
import { type TraceVerdict, traceTokenInvalid } from '../trace-gate.ts'
import type { HeldGeneration } from '../../generations/generations.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { GraphQLParams } from '../../request/graphql-params.ts'
import type { RateCount } from '../../request/rate-count.ts'
import type { Stage } from '../../request/stage.ts'
import type { RequestTrace } from './request-trace.ts'

/** A request whose composition is chosen. */
type Chosen = Arrived & {
  readonly params: GraphQLParams
  readonly held: HeldGeneration
  readonly upload?: Described
}

/** The files of a request. */
type Described = {
  /** Returns the variables with the name, type and size of each file at its place. */
  described(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** The trace of a request; null if it gets none. */
type Traced = { readonly trace: RequestTrace | null }

const NOT_TRACED: Traced = { trace: null }

/** Records the request from now on if it may be traced. Throws HttpError if its token is not valid. */
export function beginTrace(tracing: Tracing): Stage<Chosen, Traced> {
  const begin = (verdict: TraceVerdict, { exchange, params: sent, held, turns, upload }: Chosen): Traced => {
    if (verdict.kind === 'refused') throw traceTokenInvalid(verdict)
    if (verdict.kind === 'off' || exchange.closed) return NOT_TRACED
    const { request, report, decision } = exchange
    const { started } = report.summary
    const params = upload === undefined ? sent : withDescriptions(sent, upload)
    const policies = () => policiesOf(exchange)
    const waits = () => report.summary.waits
    const trace = tracing.begin(verdict, { request, params, held, decision, policies, waits, started, turns })
    exchange.recordIn(trace)
    return { trace }
  }
  return {
    waitsFor: null,
    run: (chosen) => {
      const verdict = tracing.admit(chosen.exchange.request.headers, chosen.search, chosen.held)
      return verdict instanceof Promise ? verdict.then((late) => begin(late, chosen)) : begin(verdict, chosen)
    },
  }
}

function withDescriptions(params: GraphQLParams, upload: Described): GraphQLParams {
  const { variables } = params
  return variables === null ? params : { ...params, variables: upload.described(variables) }
}

/** Characters of a claim. */
const LONGEST_CLAIM = 256

/** Returns the client and the cost, as far as they are known by now. */
function policiesOf({ identity, rateCounts, report: { summary } }: Exchange): TracedPolicies {
  const { clientName, clientVersion, provider, document, cost } = summary
  const asked = {
    ...(clientName !== '' && {
      client: { name: clientName, version: clientVersion === '' ? null : clientVersion },
    }),
    ...(provider !== null && { token: { provider, ...claimsOf(identity) } }),
    ...(document !== '' && { document }),
  }
  return {
    ...(Object.keys(asked).length > 0 && { asked_by: asked }),
    ...(cost !== null && { cost }),
    ...(rateCounts.length > 0 && { rate_limits: rateCounts.flatMap(ratesOf) }),
  }
}

/** Returns the rates without their keys, since keys are addresses, or headers that may be secret. */
function ratesOf({ rules, waits }: RateCount): readonly TraceRateLimit[] {
  return rules.map(({ name }, index) => ({ name, exceeded: (waits[index] ?? 0) > 0 }))
}

function claimsOf(identity: Identity | null): { readonly issuer?: string; readonly subject?: string } {
  const text = (claim: unknown) =>
    typeof claim === 'string' && claim !== '' ? claim.slice(0, LONGEST_CLAIM) : null
  const [issuer, subject] = [text(identity?.claims['iss']), text(identity?.claims['sub'])]
  return { ...(issuer !== null && { issuer }), ...(subject !== null && { subject }) }
}
