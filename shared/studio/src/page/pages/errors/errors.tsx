/** Composition errors: each at its places in the sources of the subgraphs, with advice. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { printable } from '@switchyard/values'
import { ScrolledList } from '../../parts/scrolled-list.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { ErrorDetail } from './error-detail.tsx'
import './errors.css'
import type { Errors } from './sources.ts'

const ROW = 64
const PATH = '/ns/$namespace/graphs/$graph/errors'
const route = getRouteApi(PATH)

export function CompositionErrors() {
  const { namespace, graph } = route.useParams()
  const { featureFlag } = route.useSearch()
  const errors = useRead('/v1/graphs/{namespace}/{name}/errors', {
    path: { namespace, name: graph },
    query: { featureFlag },
  })
  return (
    <div className="stack">
      <PageHead title="Composition errors" actions={<FlagChoice />}>
        Why the subgraphs of <Foreign text={graph} /> do not fit together
        {featureFlag === undefined ? null : (
          <>
            {' '}
            with the flag <Foreign text={featureFlag} />
          </>
        )}
        . Routers go on with what was composed last.
      </PageHead>
      <Loaded of={errors}>{(found) => <Found found={found} />}</Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'federated-graph', 'get', graph, '--namespace', namespace]} />
      </div>
    </div>
  )
}

/** The choice of base or a flag, with what their newest compositions came to. */
function FlagChoice() {
  const { namespace, graph } = route.useParams()
  const { featureFlag } = route.useSearch()
  const navigate = useNavigate()
  const detail = useRead('/v1/graphs/{namespace}/{name}', { path: { namespace, name: graph } })
  const reports = detail.data?.compositions ?? []
  const names = new Set([...reports.map((report) => report.featureFlag), featureFlag ?? null])
  const textOf = (name: string | null) => {
    const report = reports.find((one) => one.featureFlag === name)
    const count = report?.errorCount ?? 0
    const said = count === 0 ? '' : ` (${count} ${count === 1 ? 'error' : 'errors'})`
    return `${name === null ? 'base' : `flag ${printable(name)}`}${said}`
  }
  return (
    <label className="labelled">
      <span>Composition</span>
      <select
        className="field"
        value={featureFlag ?? ''}
        onChange={({ target: { value } }) =>
          void navigate({
            to: PATH,
            params: { namespace, graph },
            search: value === '' ? {} : { featureFlag: value },
          })
        }
      >
        {[...names].map((name) => (
          <option key={name ?? ''} value={name ?? ''}>
            {textOf(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Found({ found: { errors, advice, sources } }: { readonly found: Errors }) {
  const { namespace, graph } = route.useParams()
  const { featureFlag, error: asked = 1 } = route.useSearch()
  if (errors.length === 0) {
    return (
      <section className="card">
        <Empty title="There are no errors">
          <p>The newest composition succeeded: the subgraphs fit together.</p>
        </Empty>
      </section>
    )
  }
  const chosen = Math.min(asked, errors.length) - 1
  const error = errors[chosen]
  return (
    <div className="split">
      <section className="card" aria-labelledby="all-errors">
        <header>
          <h2 id="all-errors">{errors.length === 1 ? 'One error' : `${errors.length} errors`}</h2>
        </header>
        <ScrolledList
          label="Errors"
          count={errors.length}
          rowHeight={ROW}
          chosen={chosen}
          row={(index, tabIndex) => (
            <Link
              to={PATH}
              params={{ namespace, graph }}
              search={{ ...(featureFlag === undefined ? {} : { featureFlag }), error: index + 1 }}
              replace
              resetScroll={false}
              tabIndex={tabIndex}
              aria-current={index === chosen}
            >
              <code className="error-code">{errors[index]?.code}</code>
              <span className="two-lines small">
                <Foreign text={errors[index]?.message ?? ''} />
              </span>
            </Link>
          )}
        />
      </section>
      {error === undefined ? null : (
        <ErrorDetail
          key={chosen}
          namespace={namespace}
          error={error}
          advice={advice?.[error.code] ?? null}
          sources={sources}
        />
      )}
    </div>
  )
}
