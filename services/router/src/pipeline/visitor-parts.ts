/** The parts that tell visitors by cookies, for every route whose answers may set one. */
import type { IncomingHttpHeaders } from 'node:http'
import type { DecidingParts } from '../concerns/rollouts/stage.ts'
import { VisitorCookies } from '../concerns/rollouts/visitor-cookie.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { AnswerHeaders } from './answers/answer-headers.ts'

/** Makes the parts from the settings, and from the headers of the answers that set cookies. */
export function visitorParts(
  { rollouts: { visitorKey }, overrideLabels, tls }: RouterConfig,
  headers: AnswerHeaders,
): Pick<DecidingParts, 'visitors' | 'areVisitorsTold'> {
  const areVisitorsTold = overrideLabels.key.includes('visitor_cookie')
  if (visitorKey === null) return { visitors: null, areVisitorsTold }
  const areKept = (request: IncomingHttpHeaders): boolean => headers.areCookiesKept(request)
  return {
    visitors: new VisitorCookies({ key: visitorKey, isSecure: tls !== null, areKept }),
    areVisitorsTold,
  }
}
