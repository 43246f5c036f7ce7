/** The subgraphs of a namespace, or of one graph: where each is, and what replaces it. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill } from '../../parts/pill.tsx'
import { printable } from '@switchyard/values'
import { ScrolledList } from '../../parts/scrolled-list.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import './subgraphs.css'

type SubgraphView = Read<'/v1/subgraphs/{namespace}'>['subgraphs'][number]

const ROW = 68
const PATH = '/ns/$namespace/subgraphs'
const route = getRouteApi(PATH)

export function Subgraphs() {
  const { namespace } = route.useParams()
  const { graph, search = '' } = route.useSearch()
  const subgraphs = useRead('/v1/subgraphs/{namespace}', { path: { namespace } })
  const graphs = useRead('/v1/graphs/{namespace}', { path: { namespace } })
  const of = graphs.data?.graphs.find(({ name }) => name === graph)
  return (
    <div className="stack">
      <PageHead title="Subgraphs">
        {graph === undefined ? 'All' : 'Those of one graph,'} in the namespace <Foreign text={namespace} />.
      </PageHead>
      <Choice graphs={graphs.data?.graphs.map(({ name }) => name) ?? []} />
      <Loaded of={subgraphs}>
        {({ subgraphs: all }) => (
          <List
            found={all.filter(
              (one) =>
                isOf(one, of?.subgraphs, graph) && one.name.toLowerCase().includes(search.toLowerCase()),
            )}
            isEmpty={all.length === 0}
          />
        )}
      </Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'subgraph', 'list', '--namespace', namespace]} />
      </div>
    </div>
  )
}

/** Whether a subgraph takes part in a graph, by itself or in the place of another one. */
function isOf({ name, base }: SubgraphView, those: readonly string[] | undefined, graph: string | undefined) {
  if (graph === undefined || those === undefined) return true
  return those.includes(name) || (base !== null && those.includes(base))
}

function Choice({ graphs }: { readonly graphs: readonly string[] }) {
  const { namespace } = route.useParams()
  const { graph, search } = route.useSearch()
  const navigate = useNavigate()
  const go = (asked: { readonly graph?: string | undefined; readonly search?: string | undefined }) => {
    const { graph: of, search: text } = { graph, search, ...asked }
    void navigate({
      to: PATH,
      params: { namespace },
      search: { ...(of ? { graph: of } : {}), ...(text ? { search: text } : {}) },
      replace: true,
      resetScroll: false,
    })
  }
  const names = new Set(graph === undefined ? graphs : [graph, ...graphs])
  return (
    <div className="choices">
      <label className="labelled">
        <span>Name</span>
        <input
          className="field"
          type="search"
          value={search ?? ''}
          onChange={({ target }) => go({ search: target.value })}
        />
      </label>
      <label className="labelled">
        <span>Graph</span>
        <select className="field" value={graph ?? ''} onChange={({ target }) => go({ graph: target.value })}>
          <option value="">all of the namespace</option>
          {[...names].toSorted().map((name) => (
            <option key={name} value={name}>
              {printable(name)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function List({ found, isEmpty }: { readonly found: readonly SubgraphView[]; readonly isEmpty: boolean }) {
  const { namespace } = route.useParams()
  const { graph } = route.useSearch()
  if (found.length === 0) {
    return (
      <section className="card">
        {isEmpty ? (
          <Empty title="There is no subgraph yet">
            <p>A subgraph is there once its schema was published:</p>
            <Command
              words={['switchyard', 'subgraph', 'publish', 'products', '--schema', 'products.graphql']}
            />
          </Empty>
        ) : (
          <Empty title="No subgraph is called so">
            <p>Another name, or all graphs of the namespace, may have one.</p>
          </Empty>
        )}
      </section>
    )
  }
  return (
    <section className="card" aria-label={`${found.length} subgraphs`}>
      <ScrolledList
        label="Subgraphs"
        count={found.length}
        rowHeight={ROW}
        chosen={null}
        row={(index, tabIndex) => {
          const one = found[index]
          return one === undefined ? null : (
            <Link
              to="/ns/$namespace/subgraphs/$subgraph"
              params={{ namespace, subgraph: one.name }}
              search={graph === undefined ? {} : { graph }}
              tabIndex={tabIndex}
            >
              <Row of={one} />
            </Link>
          )
        }}
      />
    </section>
  )
}

function Row({ of: { name, base, published, routingUrl, labels } }: { readonly of: SubgraphView }) {
  return (
    <>
      <span className="row">
        <strong>
          <Foreign text={name} />
        </strong>
        {base === null ? null : (
          <span className="quiet small">
            replaces <Foreign text={base} /> in flags
          </span>
        )}
        {published ? null : <Pill tone="warn">no schema yet</Pill>}
      </span>
      <span className="row quiet small">
        <Foreign text={routingUrl === '' ? 'without a routing URL' : routingUrl} />
        {labels.length === 0 ? null : <Foreign text={labels.join(' ')} mono />}
      </span>
    </>
  )
}
