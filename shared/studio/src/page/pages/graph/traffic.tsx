/** Requests, errors and latency of a graph in the last hour, and what routers tell at this moment. */
import { useMemo } from 'react'
import { useLiveFigures } from '../../api/use-live.ts'
import { useRead } from '../../api/use-api.ts'
import { Chart, formatted } from '../../parts/chart/chart.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type GraphFigures, type Line, linesOf } from './figures.ts'

const MINUTES = 60
const AGAIN_MS = 30_000

export function Traffic({ namespace, graph }: { readonly namespace: string; readonly graph: string }) {
  const now = useLiveFigures(namespace, graph)
  const figures = useRead(
    '/v1/figures/{namespace}/{graph}',
    { path: { namespace, graph }, query: { minutes: MINUTES } },
    { refetchInterval: AGAIN_MS },
  )
  return (
    <section className="card" aria-labelledby="traffic">
      <header>
        <h2 id="traffic">Traffic of the last hour</h2>
        {now === null ? null : (
          <span className="quiet small">
            now {formatted(now.requestsPerSecond)} requests and {formatted(now.errorsPerSecond)} errors a
            second
          </span>
        )}
      </header>
      <Loaded of={figures}>{(told) => <Charts figures={told} />}</Loaded>
    </section>
  )
}

function Charts({ figures }: { readonly figures: GraphFigures }) {
  const { times, requests, errors, latency, leftOut } = useMemo(() => linesOf(figures), [figures])
  if (times.length === 0) {
    return (
      <Empty title="Routers have told of no requests in this hour">
        <p>
          They tell each minute, and the registry that you are connected to has heard of none. It keeps these
          figures in memory, so it knows nothing from before its start.
        </p>
      </Empty>
    )
  }
  const series = { times }
  return (
    <div className="inset stack-close">
      <div className="charts">
        <Chart
          {...series}
          title="Requests"
          unit="a second"
          series={requests}
          summary={mostOf(requests, 'a second')}
        />
        <Chart
          {...series}
          title="Errors"
          unit="a second"
          series={errors}
          summary={mostOf(errors, 'a second')}
        />
        <Chart {...series} title="Latency" unit="ms" series={latency} summary={mostOf(latency, 'ms')} />
      </div>
      {leftOut === 0 ? null : (
        <p className="quiet small">{leftOut} flags with fewer requests are not shown.</p>
      )}
    </div>
  )
}

/** Says the highest value, and of which line it is. */
function mostOf(lines: readonly Line[], unit: string): string {
  let most: { readonly value: number; readonly label: string } | null = null
  for (const { label, values } of lines)
    for (const value of values) if (value !== null && value > (most?.value ?? 0)) most = { value, label }
  return most === null ? 'none' : `at most ${formatted(most.value)} ${unit} (${most.label})`
}
