/** Puts the reasons why a subscription is refused, or ends with errors, in words. */
import { isRecord } from '@switchyard/values'
import { SubscriptionFailed, SubscriptionLost } from '../run/errors.ts'
import { MAX_EVENT_BYTES } from './subscription.ts'

const OTHER_PROTOCOL = 'Choose another --protocol: sse, ws or multipart.'
const SWITCH_ON =
  'Switch them on in the settings of the router, "subscriptions: { enabled: true }", and start it again.'

/** Advice on errors, by their codes. Others have to speak for themselves. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['SUBSCRIPTIONS_NOT_SUPPORTED', SWITCH_ON],
  ['WEBSOCKETS_NOT_SUPPORTED', SWITCH_ON],
  ['SUBSCRIPTION_BAD_HEADER', OTHER_PROTOCOL],
  ['UNAUTHENTICATED', 'Send a token with --header "Authorization: Bearer …".'],
  ['CSRF_PREVENTED', 'Leave headers of browsers out: Origin, Sec-Fetch-Site and the like.'],
])

/** After these the same subscription may be begun again at once, here or at another router. */
const PASSING: ReadonlySet<string> = new Set([
  'DRAINING',
  'SUBSCRIPTION_QUEUE_FULL',
  'SUBSCRIPTION_SCHEMA_CHANGED',
  'SUBSCRIPTION_SETTINGS_CHANGED',
])

/** Errors that are printed one by one. */
export const MOST_ERRORS = 20

/** Characters of the message of an error that are printed. */
const LONGEST = 2000

/** The reason why errors end a subscription. Its connection is lost if it may be begun again. */
export function endedByErrors(errors: unknown): SubscriptionFailed | SubscriptionLost {
  const listed = Array.isArray(errors) ? errors : []
  const told = listed.slice(0, MOST_ERRORS).map(sentenceOf)
  const codes = listed.slice(0, MOST_ERRORS).map(codeOf)
  const [only = 'It gave no reason.'] = told
  const advice = codes.flatMap((code) => (code === null ? [] : (ADVICE.get(code) ?? []))).slice(0, 1)
  const message =
    told.length > 1
      ? ['The server refuses this subscription, for several reasons.', ...advice].join(' ')
      : [`The server ended the subscription. ${only}`, ...advice].join(' ')
  return codes.some((code) => code !== null && PASSING.has(code))
    ? new SubscriptionLost(message)
    : new SubscriptionFailed(message, { problems: told })
}

/** Statuses with which a server or a proxy says that the same request may succeed later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * The reason why something else than events came. `body` is its JSON, if it has any. `otherwise` is the
 * advice where nothing better is known.
 */
export function refusedByAnswer(
  status: number,
  body: unknown,
  { location, otherwise }: { readonly location: string | undefined; readonly otherwise: string },
): SubscriptionFailed | SubscriptionLost {
  const errors: unknown = isRecord(body) ? body['errors'] : null
  const [first]: unknown[] = Array.isArray(errors) ? errors : []
  const code = codeOf(first)
  const said = isRecord(first) ? ` ${sentenceOf(first)}` : ''
  const message = [
    `The server answered ${status}.${said}`,
    ...(adviceFor(status, code, location) ?? [otherwise]),
  ].join(' ')
  return PASSING_STATUSES.has(status) ? new SubscriptionLost(message) : new SubscriptionFailed(message)
}

function adviceFor(
  status: number,
  code: string | null,
  location: string | undefined,
): readonly string[] | null {
  const known = code === null ? undefined : ADVICE.get(code)
  if (known !== undefined) return [known]
  if (status >= 300 && status < 400)
    return [location === undefined ? 'It is elsewhere.' : `It is at ${location}: name that URL.`]
  if (status === 401 || status === 403) return ['Send a token with --header "Authorization: Bearer …".']
  if (status === 406) return [OTHER_PROTOCOL]
  if (status === 404) return ['Is the path right? Routers answer at /graphql.']
  return code === null || code === 'BAD_REQUEST' ? null : []
}

/** The fault of a server whose event is larger than `MAX_EVENT_BYTES`. */
export function tooLarge(): SubscriptionFailed {
  return new SubscriptionFailed(`The server sent an event of more than ${MAX_EVENT_BYTES / 1024 / 1024} MiB.`)
}

/** An error of GraphQL as a sentence, with its code. */
export function sentenceOf(error: unknown): string {
  const message = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'no message'
  const code = codeOf(error)
  const shown = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message
  const sentence = /[.!?…]$/.test(shown) ? shown : `${shown}.`
  return code === null ? sentence : `${sentence} (${code})`
}

function codeOf(error: unknown): string | null {
  const extensions = isRecord(error) ? error['extensions'] : null
  return isRecord(extensions) && typeof extensions['code'] === 'string' ? extensions['code'] : null
}
