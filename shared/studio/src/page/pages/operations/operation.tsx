/** One operation: its document, who asks for it, which flags answered it, and when. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { printable } from '@switchyard/values'
import { Empty, Loaded } from '../../parts/states.tsx'
import { beginningOf, DEFAULT_HOURS } from '../../parts/usage/choices.ts'
import { Coverage } from '../../parts/usage/coverage.tsx'
import { HourBars } from '../../parts/usage/hour-bars.tsx'
import { countText, errorsText, latencyText } from '../../parts/usage/numbers.ts'
import { ClientName, FlagName, UsageTable } from '../../parts/usage/usage-table.tsx'
import { WindowChoice } from '../../parts/usage/window-choice.tsx'
import './operation.css'

type Used = Read<'/v1/usage/{namespace}/{graph}/operations/{hash}'>

/** Coordinates that are shown. */
const MOST_COORDINATES = 300
const route = getRouteApi('/ns/$namespace/graphs/$graph/operations/$operation')

export function OperationPage() {
  const { namespace, graph, operation: hash } = route.useParams()
  const { hours = DEFAULT_HOURS } = route.useSearch()
  const navigate = route.useNavigate()
  const from = beginningOf(hours)
  const used = useRead('/v1/usage/{namespace}/{graph}/operations/{hash}', {
    path: { namespace, graph, hash },
    query: { from },
  })
  const title = used.data?.name ?? `anonymous:${hash.slice(0, 8)}`
  const address = `${location.origin}/v1/usage/${encodeURIComponent(namespace)}/${encodeURIComponent(graph)}/operations/${hash}`
  return (
    <div className="stack">
      <PageHead title={title}>
        {used.data === undefined ? 'An operation' : `A ${used.data.kind}`} of clients of{' '}
        <Link to="/ns/$namespace/graphs/$graph/operations" params={{ namespace, graph }}>
          <Foreign text={graph} />
        </Link>
        .
      </PageHead>
      <div className="filters">
        <WindowChoice
          hours={hours}
          choose={(chosen) => void navigate({ search: chosen === DEFAULT_HOURS ? {} : { hours: chosen } })}
        />
      </div>
      <Loaded of={used}>
        {(found) => (
          <>
            <Totals used={found} from={from} hours={hours} />
            <Askers used={found} />
            <Document used={found} />
            <Coordinates used={found} />
          </>
        )}
      </Loaded>
      <div className="labelled">
        <span>The same by the management API</span>
        <Command words={['curl', address, '-H', 'authorization: Bearer <an API key>']} />
      </div>
    </div>
  )
}

function Askers({ used: { clients, flags } }: { readonly used: Used }) {
  return (
    <>
      <section className="card" aria-labelledby="clients">
        <header>
          <h2 id="clients">Clients</h2>
        </header>
        <UsageTable
          label="Clients"
          subject="Client"
          groups={clients}
          name={(group) => <ClientName of={group} />}
        />
      </section>
      <section className="card" aria-labelledby="flags">
        <header>
          <h2 id="flags">Answered by</h2>
        </header>
        <UsageTable label="Flags" subject="Flag" groups={flags} name={(group) => <FlagName of={group} />} />
      </section>
    </>
  )
}

function Totals({
  used: { totals, hours: groups, coverage },
  from,
  hours,
}: {
  readonly used: Used
  readonly from: number
  readonly hours: number
}) {
  return (
    <section className="card" aria-label="Requests">
      <dl className="inset facts">
        <div>
          <dt>Requests</dt>
          <dd>{countText(totals.requests)}</dd>
        </div>
        <div>
          <dt>With errors</dt>
          <dd>{errorsText(totals)}</dd>
        </div>
        <div>
          <dt>p50</dt>
          <dd>{latencyText(totals.latencyMs.p50)}</dd>
        </div>
        <div>
          <dt>p99</dt>
          <dd>{latencyText(totals.latencyMs.p99)}</dd>
        </div>
      </dl>
      <div className="inset stack-close">
        <HourBars groups={groups} from={from} hours={hours} />
        <Coverage of={coverage} />
      </div>
    </section>
  )
}

function Document({ used: { document, hash } }: { readonly used: Used }) {
  return (
    <section className="card" aria-labelledby="document">
      <header>
        <h2 id="document">Document</h2>
        <span className="quiet small">literals are taken out</span>
      </header>
      {document === null ? (
        <Empty title="Its text is not known">
          <p>It is too long, or routers keep texts to themselves. Its hash is:</p>
          <p>
            <code className="hash">{hash}</code>
          </p>
        </Empty>
      ) : (
        <pre className="inset document">{printable(document)}</pre>
      )}
    </section>
  )
}

function Coordinates({ used: { coordinates } }: { readonly used: Used }) {
  return (
    <section className="card" aria-labelledby="coordinates">
      <header>
        <h2 id="coordinates">What it uses</h2>
        {coordinates === null ? null : <span className="quiet small">{countText(coordinates.length)}</span>}
      </header>
      {coordinates === null ? (
        <Empty title="Not known">
          <p>It uses too much to be told, or no router has told it yet. It may use everything.</p>
        </Empty>
      ) : (
        <ul className="inset coordinates">
          {coordinates.slice(0, MOST_COORDINATES).map((one) => (
            <li key={one}>
              <Foreign text={one} mono />
            </li>
          ))}
          {coordinates.length > MOST_COORDINATES ? (
            <li className="quiet small">and {countText(coordinates.length - MOST_COORDINATES)} more</li>
          ) : null}
        </ul>
      )}
    </section>
  )
}
