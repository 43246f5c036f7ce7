/** Which operations use a graph: requests, errors and latency, or the same by client, flag and hour. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { BY, beginningOf, type By, DEFAULT_HOURS, sinceOf } from '../../parts/usage/choices.ts'
import { Coverage } from '../../parts/usage/coverage.tsx'
import { HourBars } from '../../parts/usage/hour-bars.tsx'
import { countText, errorsText, latencyText } from '../../parts/usage/numbers.ts'
import { ClientName, FlagName, type UsageGroup, UsageTable } from '../../parts/usage/usage-table.tsx'
import { WindowChoice } from '../../parts/usage/window-choice.tsx'

type Report = Read<'/v1/usage/{namespace}/{graph}'>

/** Time between two readings: routers tell each minute. */
const EVERY_MS = 20_000
const LIMIT = 200

const route = getRouteApi('/ns/$namespace/graphs/$graph/operations')

export function Operations() {
  const { namespace, graph } = route.useParams()
  const { hours = DEFAULT_HOURS, by = 'operation', search } = route.useSearch()
  const found = useDeferredValue(search)
  const from = beginningOf(hours)
  const report = useRead(
    '/v1/usage/{namespace}/{graph}',
    { path: { namespace, graph }, query: { from, group: by, search: found, limit: LIMIT } },
    { refetchInterval: EVERY_MS },
  )
  const words = ['switchyard', 'usage', graph, '--by', by, '--since', sinceOf(hours)]
  return (
    <div className="stack">
      <PageHead
        title="Operations"
        actions={
          <Link
            to="/ns/$namespace/graphs/$graph/unused"
            params={{ namespace, graph }}
            search={hours === DEFAULT_HOURS ? {} : { hours }}
            className="button"
          >
            What nobody asks for
          </Link>
        }
      >
        What clients asked of <Foreign text={graph} />, as its routers counted it.
      </PageHead>
      <Choices hours={hours} by={by} search={search ?? ''} />
      <Loaded of={report}>{(all) => <Shown report={all} by={by} hours={hours} from={from} />}</Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={[...words, '--namespace', namespace]} />
      </div>
    </div>
  )
}

function Choices({
  hours,
  by,
  search,
}: {
  readonly hours: number
  readonly by: By
  readonly search: string
}) {
  const navigate = route.useNavigate()
  const go = (change: { readonly hours?: number; readonly by?: By; readonly search?: string }) => {
    const next = { hours, by, search, ...change }
    void navigate({
      search: {
        ...(next.hours === DEFAULT_HOURS ? {} : { hours: next.hours }),
        ...(next.by === 'operation' ? {} : { by: next.by }),
        ...(next.search === '' ? {} : { search: next.search }),
      },
      replace: true,
    })
  }
  return (
    <div className="filters">
      <WindowChoice hours={hours} choose={(chosen) => go({ hours: chosen })} />
      <label className="labelled">
        <span>A line for each</span>
        <select
          className="field"
          value={by}
          onChange={({ target }) => {
            const chosen = BY.find((one) => one === target.value)
            // Words for operations find no client.
            if (chosen !== undefined) go({ by: chosen, search: '' })
          }}
        >
          {BY.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {by === 'hour' ? null : (
        <label className="labelled">
          <span>Only names with</span>
          <input
            className="field"
            type="search"
            maxLength={200}
            value={search}
            onChange={({ target }) => go({ search: target.value })}
          />
        </label>
      )}
    </div>
  )
}

const HEADS: Readonly<Record<By, string>> = {
  operation: 'Operation',
  client: 'Client',
  flag: 'Answered by',
  hour: 'Hour',
}
const HOUR = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

function Shown({
  report,
  by,
  hours,
  from,
}: {
  readonly report: Report
  readonly by: By
  readonly hours: number
  readonly from: number
}) {
  const { groups, totals } = report
  return (
    <section className="card" aria-labelledby="usage">
      <header>
        <h2 id="usage">
          {countText(totals.requests)} {totals.requests === 1 ? 'request' : 'requests'}
        </h2>
        <span className="quiet small">
          {errorsText(totals)} with errors · p50 {latencyText(totals.latencyMs.p50)} · p99{' '}
          {latencyText(totals.latencyMs.p99)}
        </span>
      </header>
      {groups.length === 0 ? (
        <Empty title="No router told of such a request">
          <p>
            Routers tell what they count each minute, so the first requests are shown after a minute or two.
          </p>
        </Empty>
      ) : (
        <>
          {by === 'hour' ? (
            <div className="inset">
              <HourBars groups={groups} from={from} hours={hours} />
            </div>
          ) : null}
          <UsageTable
            label="Usage"
            subject={HEADS[by]}
            groups={groups}
            name={(group) => <NameOf group={group} by={by} hours={hours} />}
          />
        </>
      )}
      <div className="inset">
        <Remarks report={report} hours={hours} />
        <Coverage of={report.coverage} />
      </div>
    </section>
  )
}

/** What the lines do not show. */
function Remarks({
  report: { leftOut, restRequests, retentionDays },
  hours,
}: {
  readonly report: Report
  readonly hours: number
}) {
  const remarks = [
    ...(leftOut === 0 ? [] : [`${countText(leftOut)} more lines are not listed.`]),
    ...(restRequests === 0
      ? []
      : [`${countText(restRequests)} requests were of operations that routers had no room to tell apart.`]),
    ...(hours > retentionDays * 24 ? [`Usage is kept for ${retentionDays} days only.`] : []),
  ]
  return remarks.map((remark) => (
    <p key={remark} className="quiet small">
      {remark}
    </p>
  ))
}

function NameOf({
  group,
  by,
  hours,
}: {
  readonly group: UsageGroup
  readonly by: By
  readonly hours: number
}) {
  const { namespace, graph } = route.useParams()
  if (by === 'client') return <ClientName of={group} />
  if (by === 'flag') return <FlagName of={group} />
  if (by === 'hour') return <>{HOUR.format(group.hour)}</>
  if (group.operation === undefined) return <span className="quiet">not told apart</span>
  const { hash, name, kind } = group.operation
  return (
    <>
      <Link
        to="/ns/$namespace/graphs/$graph/operations/$operation"
        params={{ namespace, graph, operation: hash }}
        search={hours === DEFAULT_HOURS ? {} : { hours }}
      >
        <Foreign text={name ?? `anonymous:${hash.slice(0, 8)}`} />
      </Link>{' '}
      {kind === 'query' ? null : <span className="quiet small">{kind}</span>}
    </>
  )
}
