/** A report for people. */
import { alignedLines } from '@switchyard/lab'
import type { Failure, FailureKind, LoadReport, Percentiles } from './load-report.ts'
import { describeTime } from './times.ts'

const KINDS: Readonly<Record<FailureKind, string>> = {
  connection: 'no connection, or it ended before an answer began',
  timeout: 'no complete answer in time',
  'http-status': 'an HTTP status other than 200',
  'graphql-errors': 'an answer with errors',
  'wrong-data': 'other data than expected',
  'cut-stream': 'an answer that began and did not end',
  'not-sent': 'not sent: too many others were waiting for their answers',
}

/** Delays in milliseconds above which the load generator itself distorts the measurements. */
const LATE_SENDING = 10
const LATE_EVENT_LOOP = 25

export function describeReport(report: LoadReport): string {
  return [
    `${report.seconds.toFixed(1)} s of ${paceOf(report)} on ${report.urls.join(', ')}`,
    '',
    `${report.requests} requests, ${report.perSecond.toFixed(1)} sent a second, ${report.failed} failed`,
    ...failuresOf(report),
    '',
    ...alignedLines({
      head: ['', 'requests', 'failed', 'p50', 'p90', 'p99', 'p99.9', 'max'],
      rows: [
        ['all', String(report.requests), String(report.failed), ...cells(report.latency)],
        ...report.byRequest.map(({ name, requests, failed, latency }) => [
          name,
          String(requests),
          String(failed),
          ...cells(latency),
        ]),
        ...(report.firstPart === null ? [] : [['first parts', '', '', ...cells(report.firstPart)]]),
      ],
    }),
    report.pace.kind === 'rate'
      ? 'Times count from when a request was due, so that a server that stands still shows in all that it holds up.'
      : 'Times count from when a client was free: a server that stands still shows in one request of each client. --rate tells what others would notice.',
    '',
    ...generatorOf(report),
    ...report.routers.map(
      ({ url, reads, failedReads, longestDelay, highestP99 }) =>
        `router ${url}: event loop late by ${timeOf(longestDelay)} at most, p99 of its worst second ${timeOf(highestP99)} (${reads} readings, ${failedReads} failed)`,
    ),
  ].join('\n')
}

function paceOf({ pace }: LoadReport): string {
  if (pace.kind === 'rate') return `${pace.perSecond} requests a second`
  return `${pace.count} client${pace.count === 1 ? '' : 's'} in a row`
}

function failuresOf({ failures }: LoadReport): readonly string[] {
  return Object.values(failures).flatMap(({ count, examples }) => {
    const [first] = examples
    if (first === undefined) return []
    return [`  ${count} × ${first.kind}: ${KINDS[first.kind]}`, ...examples.map(exampleOf)]
  })
}

function exampleOf({ at, request, url, message, after, sentAt }: Failure): string {
  return `      ${at} ${request} at ${url} after ${describeTime(after)}${sentAt === null ? ', never sent' : ''}: ${message}`
}

function cells(latency: Percentiles | null): readonly string[] {
  if (latency === null) return ['–', '–', '–', '–', '–']
  const { p50, p90, p99, p999, max } = latency
  return [p50, p90, p99, p999, max].map(describeTime)
}

function generatorOf({ generator, seconds }: LoadReport): readonly string[] {
  const { eventLoopDelay, sendDelay, cpuSeconds } = generator
  const told = `load generator: event loop late by p99 ${timeOf(eventLoopDelay?.p99)}, at most ${timeOf(eventLoopDelay?.max)}; requests sent p99 ${timeOf(sendDelay?.p99)} after they were due; ${cpuSeconds.toFixed(1)} s of CPU in ${seconds.toFixed(1)} s`
  const isLate = (sendDelay?.p99 ?? 0) > LATE_SENDING || (eventLoopDelay?.p99 ?? 0) > LATE_EVENT_LOOP
  if (!isLate) return [told]
  return [
    told,
    '  The load generator itself was late, so that times are partly its own. Ask for less, or from several machines.',
  ]
}

function timeOf(milliseconds: number | null | undefined): string {
  return milliseconds === null || milliseconds === undefined ? 'unknown' : describeTime(milliseconds)
}
