/** The command line of the load generator: its options, and the messages about wrong ones. */
import { Command, InvalidArgumentError } from 'commander'
import { parseTime } from './times.ts'

export type Values = {
  readonly rate?: number
  readonly connections?: number
  readonly duration?: number
  readonly requests?: string
  readonly query?: string
  readonly header?: Readonly<Record<string, string>>
  readonly timeout?: number
  readonly maxInFlight?: number
  readonly traceToken?: string
  readonly traceVendor?: string
  readonly metrics?: readonly string[]
  readonly json?: true
}

export const DEFAULT_RATE = 50

export function declareCommand(): Command {
  return new Command('node infra/bench/load.ts')
    .description(
      'Asks a GraphQL endpoint steadily, checks every answer, and tells what its users would have noticed.',
    )
    .argument('<url...>', 'one endpoint or several, asked in turn; without a path it is /graphql', addUrl)
    .option(
      '-r, --rate <number>',
      `requests a second, sent when they are due even if none is answered (default: ${DEFAULT_RATE})`,
      positive,
    )
    .option(
      '-c, --connections <number>',
      'instead: so many clients, each of which asks again once it was answered',
      wholeNumber,
    )
    .option('-d, --duration <time>', '500ms, 30s, 5m, 1h (default: until Ctrl-C)', time)
    .option(
      '-f, --requests <file>',
      'what to ask, as YAML or JSON, with the data to expect (default: { __typename }, in three ways)',
    )
    .option('-q, --query <text>', 'what to ask, if it is one query')
    .option('-H, --header <name: value>', 'for every request; can be given several times', header)
    .option('-t, --timeout <time>', 'within which an answer must be complete (default: 10s)', time)
    .option(
      '--max-in-flight <number>',
      'requests without an answer at a time; beyond that they wait, which counts (default: 2000)',
      wholeNumber,
    )
    .option(
      '--trace-token <token>',
      'for requests with "traced: true", which are left out without it (also: the variable LOAD_TRACE_TOKEN)',
    )
    .option('--trace-vendor <name>', 'the setting tracing.vendor of the router (default: VENDOR)')
    .option(
      '-m, --metrics <url>',
      "a router's metrics, for its event-loop delay; can be given several times",
      metricsUrl,
    )
    .option('--json', 'the report as JSON')
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride()
}

const EXAMPLES = `
Examples:
  node infra/bench/load.ts http://localhost:4000                                  until Ctrl-C, 50 requests a second
  node infra/bench/load.ts -r 500 -d 1m -q '{ products { name } }' http://localhost:4000/graphql
  node infra/bench/load.ts -r 200 -f infra/bench/requests/shop.yaml http://localhost:4000
  node infra/bench/load.ts -c 32 -d 30s -m http://localhost:9464 --json http://localhost:4000 > report.json

Exit code: 0 every answer was right, 1 something failed, 2 the command line or the file of requests is wrong.
Ctrl-C ends it with a report, a second one without. What the numbers mean: docs/load.md.`

const HIGHEST_RATE = 100_000
const MOST_AT_ONCE = 20_000

function positive(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= HIGHEST_RATE) return value
  throw new InvalidArgumentError(`Expected a number of requests a second, up to ${HIGHEST_RATE}.`)
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value <= MOST_AT_ONCE) return value
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_AT_ONCE}.`)
}

function time(text: string): number {
  const milliseconds = parseTime(text)
  if (milliseconds !== null && milliseconds > 0) return milliseconds
  throw new InvalidArgumentError('Expected a number with a unit: 500ms, 30s, 5m or 1h.')
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)$/

function header(text: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = HEADER.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Expected a name, a colon and a value: "X-Feature-Flag: next".')
  return { ...others, [name]: value }
}

function httpUrl(text: string): string {
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href
  throw new InvalidArgumentError('Expected a URL with http:// or https://.')
}

function addUrl(text: string, others: readonly string[] = []): readonly string[] {
  return [...others, httpUrl(text)]
}

function metricsUrl(text: string, others: readonly string[] = []): readonly string[] {
  const url = new URL(httpUrl(text))
  if (url.pathname === '/') url.pathname = '/metrics'
  return [...others, url.href]
}
