/** The command `subscribe`, which prints the events of a subscription as they come. */
import { missingScheme } from '@switchyard/contracts'
import { localCommand } from '../command/make-command.ts'
import { endpoint, headerOption } from '../command/endpoint-options.ts'
import { NOUNS } from '../command/nouns.ts'
import { defaulted, optional, type OptionValues } from '../command/options.ts'
import { anyText, positiveNumber, type ValueType, wholeNumber } from '../command/value-types.ts'
import { readJsonOption } from '../files/json-option.ts'
import { printError } from '../output/print-error.ts'
import { styleFor } from '../output/style.ts'
import type { CliContext } from '../run/context.ts'
import { CliError, UsageError } from '../run/errors.ts'
import { EXIT, type ExitCode } from '../run/exit-codes.ts'
import { followSubscription, type Turn } from '../subscribe/follow-subscription.ts'
import { eventLine, printEvent } from '../subscribe/print-events.ts'
import { readOperation } from '../subscribe/read-operation.ts'
import type { EventResult, Subscribe } from '../subscribe/subscription.ts'

/** The protocols by the words that choose them, with what people call them. */
const PROTOCOLS = { sse: 'server-sent events', ws: 'WebSocket', multipart: 'multipart' } as const
type Protocol = keyof typeof PROTOCOLS

const COMPLETE = 'The server has completed the subscription.\n'
const FLAG_HEADER = 'x-feature-flag'

const protocol: ValueType<Protocol> = {
  parse: (word) => {
    if (isProtocol(word)) return word
    throw new UsageError(`--protocol takes one of ${Object.keys(PROTOCOLS).join(', ')}, not "${word}".`)
  },
  completion: Object.keys(PROTOCOLS),
}

/** A URL of HTTP or of WebSockets, without user name and password. */
const serverUrl: ValueType<URL> = {
  parse: (word) => {
    const isSocket = /^wss?:\/\//i.test(word)
    if (!isSocket && missingScheme(word) === null && !/^https?:/i.test(word))
      throw new UsageError(`"${word}" is no URL of a GraphQL server. Expected http, https, ws or wss.`)
    const url = endpoint.parse(isSocket ? word.replace(/^ws/i, 'http') : word)
    if (isSocket) url.protocol = url.protocol.replace('http', 'ws')
    return url
  },
}

const OPTIONS = {
  protocol: optional(
    '--protocol <protocol>',
    'sse, ws or multipart (default: ws for a URL of WebSockets, else sse)',
    protocol,
  ),
  variables: optional('--variables <json>', 'a JSON object, or @file', anyText),
  operationName: optional('--operation-name <name>', 'which operation of the document', anyText),
  flag: optional('--flag <name>', 'the feature flag that is to answer: X-Feature-Flag', anyText),
  header: headerOption({
    description: 'send this along: "name: value"',
    own: new Set([
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'sec-websocket-extensions',
      'sec-websocket-key',
      'sec-websocket-protocol',
      'sec-websocket-version',
      'transfer-encoding',
      'upgrade',
    ]),
    because: 'it belongs to the request',
  }),
  connectionInit: optional(
    '--connection-init <json>',
    'the payload of connection_init of a WebSocket: a JSON object, or @file',
    anyText,
  ),
  count: optional('--count <number>', 'end after so many events', positiveNumber('--count')),
  reconnect: defaulted(
    '--reconnect <seconds>',
    'how long to try again when the connection is lost; 0 ends at once',
    wholeNumber('--reconnect'),
    '60',
  ),
}
type SubscribeOptions = OptionValues<typeof OPTIONS>

export const command = localCommand({
  name: 'subscribe',
  ...NOUNS.subscribe,
  argument: { name: 'url', description: 'the GraphQL endpoint: http, https, ws or wss', type: serverUrl },
  words: { name: 'document', description: 'the operation, @file, or - for standard input' },
  options: OPTIONS,
  notes: `With --json each line is one result as the server sent it; everything else goes to stderr. Exit code 0: the server completed the
subscription, --count was reached, or Ctrl-C. 1: the server refused it, or ended it with an error. 3: nothing answers, or the connection
was lost for longer than --reconnect. Queries and mutations are sent as well; they are never sent twice.`,
  examples: [
    `subscribe http://127.0.0.1:4000/graphql 'subscription { orderChanged { id status } }'`,
    `subscribe http://127.0.0.1:4000/graphql @orders.graphql --variables '{"status":"PAID"}' --count 10 --json`,
    `subscribe http://127.0.0.1:4000/graphql @orders.graphql --protocol ws --flag new-pricing`,
    `subscribe http://127.0.0.1:4000/graphql - --header 'Authorization: Bearer abc' < orders.graphql`,
  ],
  run: ({ argument, words, options, json, context }) => run(argument, words, options, json, context),
})

async function run(
  url: URL,
  words: readonly string[],
  options: SubscribeOptions,
  json: boolean,
  context: CliContext,
): Promise<ExitCode> {
  const chosen = options.protocol ?? (url.protocol.startsWith('ws') ? 'ws' : 'sse')
  if (options.connectionInit !== undefined && chosen !== 'ws')
    throw new UsageError('--connection-init is for WebSockets: it needs --protocol ws, or a URL of one.')
  const { sent, isSubscription } = await readOperation({ ...options, words }, context)
  const connectionInit = await readJsonOption('--connection-init', options.connectionInit, context)
  const { flag, header } = options
  const subscription = {
    url: urlFor(chosen, url),
    operation: sent,
    headers: flag === undefined ? header : { ...header, [FLAG_HEADER]: flag },
    connectionInit,
    signal: context.signal,
  }
  const told = (turn: Turn): void =>
    context.stderr.write(`${sentenceAbout(turn, url, chosen, isSubscription)}\n`)
  const window = isSubscription ? options.reconnect * 1000 : 0
  const results = followSubscription(await protocolOf(chosen), subscription, { window, told })
  try {
    const isComplete = await print(results, options.count ?? Number.POSITIVE_INFINITY, json, context)
    if (isComplete && isSubscription && !context.signal.aborted) context.stderr.write(COMPLETE)
    return EXIT.done
  } catch (error) {
    if (context.signal.aborted) return EXIT.done
    // What is printed may be appended to a file, in which each line is a result.
    if (!json || !(error instanceof CliError)) throw error
    context.stderr.write(`${printError(error, styleFor(context.stderr, context.env))}\n`)
    return error.exitCode
  }
}

/** Returns true if the results have ended, and false if no more of them are wanted. */
async function print(
  results: AsyncIterable<EventResult>,
  most: number,
  json: boolean,
  context: CliContext,
): Promise<boolean> {
  const { stdout } = context
  let count = 0
  for await (const result of results) {
    if (json) stdout.writeData(eventLine(result))
    else stdout.write(printEvent(result, new Date(), context))
    count++
    await stdout.drained?.()
    if (count === most || stdout.isClosed === true) return false
  }
  return true
}

function sentenceAbout(turn: Turn, { href }: URL, chosen: Protocol, isSubscription: boolean): string {
  // A server says over a WebSocket what it refuses, and not what it accepts.
  const beginning = chosen === 'ws' ? 'Connected' : isSubscription ? 'Subscribed' : 'Sent'
  switch (turn.kind) {
    case 'opened':
      return `${beginning} to ${href} (${PROTOCOLS[chosen]}).${isSubscription ? ' Ctrl-C ends it.' : ''}`
    case 'lost':
      return `${turn.reason} Subscribing again in ${Math.max(1, Math.round(turn.pause / 1000))} s.`
    case 'reopened':
      return 'Subscribed again. Events in between are missing.'
    default:
      return turn satisfies never
  }
}

/** Loads one protocol only: the others bring libraries along. */
async function protocolOf(chosen: Protocol): Promise<Subscribe> {
  switch (chosen) {
    case 'sse':
      return (await import('../subscribe/over-event-stream.ts')).overEventStream
    case 'ws':
      return (await import('../subscribe/over-web-socket.ts')).overWebSocket
    case 'multipart':
      return (await import('../subscribe/over-multipart.ts')).overMultipart
    default:
      return chosen satisfies never
  }
}

function urlFor(chosen: Protocol, given: URL): URL {
  const url = new URL(given)
  const isSecure = /^(?:https|wss):$/.test(url.protocol)
  if (chosen === 'ws') url.protocol = isSecure ? 'wss:' : 'ws:'
  else url.protocol = isSecure ? 'https:' : 'http:'
  return url
}

function isProtocol(word: string): word is Protocol {
  return Object.hasOwn(PROTOCOLS, word)
}
