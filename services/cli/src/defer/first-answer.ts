/** Checks that a router answers the probe at all. If not, an error says who answered instead, and what. */
import { PROBE_HEADER, ProbeRefusal } from '@switchyard/contracts'
import { Interrupted, ProbeRefused, ProbeUnanswered } from '../run/errors.ts'
import { parseJson } from '../registry/transport.ts'
import type { ProbeSettings, Examination } from './examine.ts'
import type { Examined } from './faults.ts'

/** Throws ProbeRefused or ProbeUnanswered. */
export function expectProbe(examination: Examination, { url, signal, token }: ProbeSettings): Examined {
  if (signal.aborted) throw new Interrupted('Interrupted before everything was measured.')
  if (examination.kind !== 'examined') {
    const happened = examination.kind === 'timeout' ? 'gives' : 'cannot be reached:'
    const { reason } = examination
    throw new ProbeUnanswered(`${url.href} ${happened} ${reason}${reason.endsWith('?') ? '' : '.'}`)
  }
  const { examined } = examination
  // Refused because of the Accept header that arrived: the router is there.
  if (examined.received !== null) return examined
  throw explainAnswer(examined, url, token)
}

function explainAnswer({ recording, body, answer }: Examined, url: URL, token: string | null): Error {
  const { status, headers } = recording
  const json = parseJson(body.toString())
  const refusal = ProbeRefusal.safeParse(json).data?.errors[0]
  if (refusal?.extensions.code === 'DEFER_PROBE_NOT_ALLOWED') {
    const hint = token === null ? ' Give the token with --token.' : ''
    return new ProbeRefused(`The router at ${url.href} does not answer: ${refusal.message}${hint}`)
  }
  if (refusal !== undefined && status !== 200)
    return new ProbeUnanswered(
      `${url.href} answered HTTP ${status} ${refusal.extensions.code}: ${refusal.message}`,
    )
  const shown = `HTTP ${status} (${headers['content-type'] ?? 'no Content-Type'})`
  if (status >= 300 && status < 400)
    return new ProbeUnanswered(
      `${url.href} answered ${shown} and points to ${headers.location ?? 'nowhere'}: probe that URL.`,
    )
  if (status === 401 || status === 403 || status === 407) {
    return new ProbeUnanswered(
      `${url.href} answered ${shown}: something in between wants to know who asks. Send what it wants with --header.`,
    )
  }
  if (status === 200 && (isGraphQL(json) || answer.parts.some((part) => isGraphQL(part.json)))) {
    return new ProbeUnanswered(
      `${url.href} answered the operation of the probe, and not the probe: the header ${PROBE_HEADER} did not reach a Switchyard router. ` +
        'A hop takes it away, the router is older than this command, or it is another GraphQL server.',
    )
  }
  return new ProbeUnanswered(
    `${url.href} answered ${shown}, which no router says to a probe. Is it the URL of its GraphQL endpoint?`,
  )
}

function isGraphQL(json: unknown): boolean {
  return typeof json === 'object' && json !== null && ('data' in json || 'errors' in json)
}
