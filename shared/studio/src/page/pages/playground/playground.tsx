/** Operations are tried on the routers of a graph: with flags, deferred parts, two answers, plans and traces. */
import { AnswerComparison } from '@switchyard/operation-views/views'
import '@switchyard/operation-views/style.css'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command, Copy } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Loaded, Problem } from '../../parts/states.tsx'
import { MAX_FRAGMENT, fragmentOf, readFragment, type Shared } from './address.ts'
import { type Asking, Controls } from './controls.tsx'
import { Editors } from './editors.tsx'
import { PlanCard, TraceCard } from './plan-and-trace.tsx'
import './playground.css'
import { curlWords, questionOf, type Written } from './question.ts'
import { Side } from './side.tsx'
import { type Playground as Runs, usePlayground } from './use-playground.ts'

const PATH = '/ns/$namespace/graphs/$graph/playground'
const route = getRouteApi(PATH)
const NOTHING: Shared = { query: '{\n  __typename\n}\n', variables: '', flag: null, compare: undefined }
/** The URL in commands for a graph whose URL nobody said. */
const ANY_URL = 'http://localhost:4000/graphql'
const MAX_COMMAND = 20_000

export function Playground() {
  const { namespace, graph } = route.useParams()
  const detail = useRead('/v1/graphs/{namespace}/{name}', { path: { namespace, name: graph } })
  return (
    <div className="stack">
      <PageHead title="Playground">
        Try operations on the routers of <Foreign text={graph} />. This browser asks them directly.
      </PageHead>
      <Loaded of={detail}>
        {({ publicUrl, featureFlags }) => (
          <Tried
            key={`${namespace}/${graph}`}
            place={{ namespace, graph, url: publicUrl }}
            flags={featureFlags.map(({ name }) => name)}
          />
        )}
      </Loaded>
    </div>
  )
}

type Place = { readonly namespace: string; readonly graph: string; readonly url: string | null }

function Tried({ place, flags }: { readonly place: Place; readonly flags: readonly string[] }) {
  const fragment = useLocation({ select: ({ hash }) => hash })
  const [start] = useState(() => readFragment(fragment) ?? NOTHING)
  const [written, setWritten] = useState<Written>({ ...start, headers: '' })
  const [asking, setAsking] = useState<Asking>({
    flag: start.flag,
    compare: start.compare,
    trace: false,
    vendor: 'VENDOR',
  })
  const runs = usePlayground({ ...place, url: place.url ?? ANY_URL })
  const share = useAddress(place)
  const run = () => {
    if (place.url === null || runs.isRunning) return
    share({ ...written, ...asking })
    void runs.run(written, asking)
  }
  return (
    <>
      <section className="card" aria-label="Request">
        <div className="pg-body">
          <Controls asking={asking} flags={flags} onChange={setAsking} />
          <Editors place={place} flag={asking.flag} written={written} onChange={setWritten} onRun={run} />
          {place.url === null ? (
            <NoUrl place={place} written={written} asking={asking} />
          ) : (
            <div className="row">
              <button
                type="button"
                className="button"
                data-kind="main"
                onClick={runs.isRunning ? runs.stop : run}
              >
                {runs.isRunning ? 'Stop' : 'Run'}
              </button>
              <CopyAddress shared={{ ...written, ...asking }} />
              <span className="quiet small">
                Ctrl-Enter runs it at <Foreign text={place.url} mono />
              </span>
            </div>
          )}
          <Problems runs={runs} />
        </div>
      </section>
      {place.url === null ? null : <Results runs={runs} url={place.url} />}
    </>
  )
}

/** Returns what writes the operation into the address, so that it can be sent to others. */
function useAddress({ namespace, graph }: Place): (shared: Shared) => void {
  const navigate = useNavigate()
  return (shared) =>
    void navigate({
      to: PATH,
      params: { namespace, graph },
      hash: fragmentOf(shared) ?? '',
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
}

function CopyAddress({ shared }: { readonly shared: Shared }) {
  const fragment = fragmentOf(shared)
  if (fragment === null)
    return <span className="quiet small">Too long for an address ({MAX_FRAGMENT} characters).</span>
  return <Copy text={`${location.origin}${location.pathname}#${fragment}`} label="Copy a link" />
}

/** The command for a browser that does not know where the routers are. */
function NoUrl({
  place: { namespace, graph },
  written,
  asking,
}: {
  readonly place: Place
  readonly written: Written
  readonly asking: Asking
}) {
  return (
    <div className="notice" data-tone="warn">
      <p>
        Nobody has said where browsers reach the routers of this graph. Say it, and this page asks them; the
        routers have to allow <Foreign text={location.origin} mono /> in <code>cors.origins</code>.
      </p>
      <Command
        words={[
          'switchyard',
          'graph',
          'update',
          graph,
          '--public-url',
          'https://graph.example.com/graphql',
          '--namespace',
          namespace,
        ]}
      />
      <p>Or ask a router from where you reach it:</p>
      <Curl written={written} asking={asking} />
    </div>
  )
}

function Curl({ written, asking }: { readonly written: Written; readonly asking: Asking }) {
  const words = wordsOf(written, asking)
  return typeof words === 'string' ? <p className="quiet">{words}</p> : <Command words={words} />
}

function wordsOf(written: Written, { flag }: Asking): readonly string[] | string {
  try {
    const words = curlWords(questionOf(ANY_URL, written, flag, null))
    return words.join(' ').length > MAX_COMMAND ? 'The operation is too long for a command.' : words
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function Problems({ runs: { problem, warnings } }: { readonly runs: Runs }) {
  return (
    <>
      {problem === null ? null : problem instanceof ApiError ? (
        <Problem error={problem} />
      ) : (
        <div className="notice" data-tone="bad" role="alert">
          <p>
            <Foreign text={problem.message} />
          </p>
        </div>
      )}
      {warnings.map((warning) => (
        <div key={warning} className="notice" data-tone="warn">
          <p>
            <Foreign text={warning} />
          </p>
        </div>
      ))}
    </>
  )
}

function Results({ runs: { first, second, traces }, url }: { readonly runs: Runs; readonly url: string }) {
  if (first.state === null) return null
  const [one, other] = [first.state, second.state]
  const [trace, otherTrace] = [traces[0].state, traces[1].state]
  const areBothThere = (one.answer?.parts.length ?? 0) > 0 && (other?.answer?.parts.length ?? 0) > 0
  const areOver = !one.isRunning && other?.isRunning === false
  return (
    <>
      <div className="pg-results" data-columns={other !== null || trace.kind === 'read'}>
        <Side run={one} url={url} />
        {other === null ? <PlanCard name={one.name} slot={trace} /> : <Side run={other} url={url} />}
      </div>
      {areBothThere && areOver && one.answer !== null && other?.answer != null ? (
        <section className="card" aria-label="Difference">
          <header>
            <h2>Difference</h2>
          </header>
          <div className="pg-body">
            <AnswerComparison answers={[one.answer, other.answer]} names={[one.name, other.name]} />
          </div>
        </section>
      ) : null}
      {other === null ? null : (
        <div className="pg-results" data-columns={otherTrace.kind === 'read'}>
          <PlanCard name={one.name} slot={trace} />
          <PlanCard name={other.name} slot={otherTrace} />
        </div>
      )}
      <TraceCard first={trace} second={otherTrace} />
    </>
  )
}
