/** The difference of two compositions of a graph: client schemas, and plans of published operations. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { ChangeCounts, ChangeText } from '../../parts/changes.tsx'
import { Command } from '../../parts/command.tsx'
import { CompositionChoice, textOf } from '../../parts/composition-choice.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ScrolledList } from '../../parts/scrolled-list.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { differenceCommand } from './command.ts'
import './difference.css'
import { Plans } from './plans.tsx'

type Schema = Read<'/v1/graphs/{namespace}/{name}/difference'>['schema']

const ROW = 62
const PATH = '/ns/$namespace/graphs/$graph/difference'
const route = getRouteApi(PATH)

export function CompositionDifference() {
  const params = route.useParams()
  const { from = 'base', to = 'base' } = route.useSearch()
  return (
    <div className="stack">
      <PageHead title="Difference">
        What changes for clients of <Foreign text={params.graph} /> between two compositions of it.
      </PageHead>
      <Choice />
      {from === to ? (
        <section className="card">
          <Empty title="Choose two compositions">
            <p>
              Base and a flag show what the flag changes; two revisions show what was changed between them.
            </p>
          </Empty>
        </section>
      ) : (
        <Compared from={from} to={to} />
      )}
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={differenceCommand(params, from, to)} />
      </div>
    </div>
  )
}

function Choice() {
  const params = route.useParams()
  const { from = 'base', to = 'base' } = route.useSearch()
  const navigate = useNavigate()
  const go = (chosen: { readonly from?: string; readonly to?: string }) =>
    void navigate({ to: PATH, params, search: { from, to, ...chosen }, replace: true, resetScroll: false })
  return (
    <div className="row compared">
      <CompositionChoice {...params} label="From" value={from} onChoose={(name) => go({ from: name })} />
      <CompositionChoice {...params} label="To" value={to} onChoose={(name) => go({ to: name })} />
      <button
        type="button"
        className="button"
        disabled={from === to}
        onClick={() => go({ from: to, to: from })}
      >
        Swap
      </button>
    </div>
  )
}

function Compared({ from, to }: { readonly from: string; readonly to: string }) {
  const { namespace, graph } = route.useParams()
  const difference = useRead('/v1/graphs/{namespace}/{name}/difference', {
    path: { namespace, name: graph },
    query: { from, to },
  })
  return (
    <Loaded of={difference}>
      {(found) => (
        <>
          <SchemaChanges schema={found.schema} from={from} to={to} />
          <Plans plans={found.plans} from={from} to={to} />
        </>
      )}
    </Loaded>
  )
}

function SchemaChanges({
  schema: { changes, ...counts },
  from,
  to,
}: {
  readonly schema: Schema
  readonly from: string
  readonly to: string
}) {
  const all = counts.breaking + counts.dangerous + counts.safe
  if (all === 0) {
    return (
      <section className="card">
        <Empty title="The client schema is the same">
          <p>
            Clients see the same types and fields in {textOf(from)} and {textOf(to)}.
          </p>
        </Empty>
      </section>
    )
  }
  return (
    <section className="card" aria-labelledby="changes">
      <header>
        <h2 id="changes">Client schema</h2>
        <span className="quiet small">
          {all > changes.length ? `the first ${changes.length} of ${all} changes` : `${all} changes`}
        </span>
      </header>
      <div className="inset">
        <ChangeCounts counts={counts} />
      </div>
      <div className="change-list">
        <ScrolledList
          label="Changes"
          count={changes.length}
          rowHeight={ROW}
          chosen={null}
          row={(index, tabIndex) => {
            const change = changes[index]
            return change === undefined ? null : (
              <ToSchema change={change} from={from} to={to} tabIndex={tabIndex} />
            )
          }}
        />
      </div>
    </section>
  )
}

/** A change, which leads to its place in the schema that has it. */
function ToSchema({
  change,
  from,
  to,
  tabIndex,
}: {
  readonly change: Schema['changes'][number]
  readonly from: string
  readonly to: string
  readonly tabIndex: 0 | -1
}) {
  const params = route.useParams()
  const [type, field] = change.path.split('.')
  return (
    <Link
      to="/ns/$namespace/graphs/$graph/schema"
      params={params}
      search={{
        composition: change.type.endsWith('REMOVED') ? from : to,
        ...(type === '' ? {} : { type }),
        ...(field === undefined ? {} : { field }),
      }}
      tabIndex={tabIndex}
    >
      <ChangeText {...change} />
    </Link>
  )
}
