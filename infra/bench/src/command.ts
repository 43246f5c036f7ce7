/** The command line of the load generator. */
import { type Command, CommanderError } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import { declareCommand, DEFAULT_RATE, type Values } from './command-line.ts'
import { describeReport } from './describe-report.ts'
import { DEFAULT_REQUESTS } from './default-requests.ts'
import type { LoadReport } from './load-report.ts'
import type { LoadOptions, LoadRequest } from './load-options.ts'
import type { Pace } from './pace.ts'
import { readRequests, RequestsFileError } from './requests-file.ts'
import { type Load, startLoad } from './start-load.ts'
import { describeTime } from './times.ts'

const EXIT = { good: 0, failed: 1, wrongArguments: 2 } as const

/** Resolves to the exit code, after the report was written. */
export async function runLoadCommand(args: readonly string[]): Promise<number> {
  const program = declareCommand()
  try {
    program.parse(args, { from: 'user' })
    const { json, ...values } = program.opts<Values>()
    const load = startLoad(await optionsOf(program, program.args, values))
    const report = await untilOver(load)
    process.stdout.write(`${json === true ? JSON.stringify(report, null, 2) : describeReport(report)}\n`)
    return report.failed === 0 ? EXIT.good : EXIT.failed
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.wrongArguments
    if (!(error instanceof RequestsFileError)) throw error
    process.stderr.write(`error: ${error.message}\n`)
    return EXIT.wrongArguments
  }
}

async function optionsOf(
  program: Command,
  urls: readonly string[],
  values: Omit<Values, 'json'>,
): Promise<LoadOptions> {
  const {
    rate,
    connections,
    requests: file,
    query,
    header: headers = {},
    metrics: metricsUrls = [],
    ...rest
  } = values
  if (rate !== undefined && connections !== undefined)
    program.error(
      'error: --rate and --connections exclude each other: requests are due at a rate, or follow answers.',
    )
  if (file !== undefined && query !== undefined)
    program.error('error: --query and --requests exclude each other: put the query into the file.')
  const pace: Pace =
    connections === undefined
      ? { kind: 'rate', perSecond: rate ?? DEFAULT_RATE }
      : { kind: 'connections', count: connections }
  const requests = file === undefined ? requestsOf(query) : await readRequests(file)
  const traceToken = rest.traceToken ?? process.env['LOAD_TRACE_TOKEN']
  const traced = requests.filter(({ traced }) => traced === true).length
  if (traceToken === undefined && traced > 0) {
    process.stderr.write(
      `${traced} of ${requests.length} requests are traced, and left out without --trace-token.\n`,
    )
    if (traced === requests.length) program.error('error: There is nothing else to ask.')
  }
  return {
    ...rest,
    urls: urls.map(endpointOf),
    pace,
    headers,
    metricsUrls,
    requests,
    ...(traceToken === undefined ? {} : { traceToken }),
  }
}

function requestsOf(query: string | undefined): readonly LoadRequest[] {
  return query === undefined ? DEFAULT_REQUESTS : [{ name: 'query', query }]
}

/** Ends with the load's time, or with Ctrl-C, of which the second one ends the process as ever. */
async function untilOver(load: Load): Promise<LoadReport> {
  const over = new AbortController()
  const stop = (): void => {
    process.stderr.write(
      'Waiting for the answers that are missing; Ctrl-C again to leave without a report.\n',
    )
    void load.stop()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  if (process.stderr.isTTY) void tellProgress(load, over.signal)
  const report = await load.finished
  over.abort()
  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
  return report
}

const PROGRESS_EVERY_MS = 5000

async function tellProgress(load: Load, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(PROGRESS_EVERY_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const { seconds, requests, failed, latency } = load.report
    const p99 = latency === null ? '' : `, p99 ${describeTime(latency.p99)}`
    process.stderr.write(`${seconds.toFixed(0)} s: ${requests} requests, ${failed} failed${p99}\n`)
  }
}

/** Returns the URL with the default path of routers, `/graphql`, if it has no path. */
function endpointOf(text: string): string {
  const url = new URL(text)
  if (url.pathname === '/') url.pathname = '/graphql'
  return url.href
}
