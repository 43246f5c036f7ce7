/** The feature flags of a namespace: what each replaces, its stage, and where it is served. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { useFleetInterval } from '../../api/use-fleet-interval.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { LastNamed } from '../../parts/flags/last-named.tsx'
import { type Flag, type Router, routersOf, stageOf, toneOfState } from '../../parts/flags/stages.ts'

const route = getRouteApi('/ns/$namespace/feature-flags')

export function Flags() {
  const { namespace } = route.useParams()
  const path = { namespace }
  const live = { refetchInterval: useFleetInterval() }
  const flags = useRead('/v1/feature-flags/{namespace}', { path }, live)
  const routers = useRead('/v1/routers', { query: { namespace } }, live)
  const subgraphs = useRead('/v1/subgraphs/{namespace}', { path })
  const replacedBy = new Map(subgraphs.data?.subgraphs.map(({ name, base }) => [name, base]))
  return (
    <div className="stack">
      <PageHead title="Flags">
        Feature flags of the namespace <Foreign text={namespace} />. Each replaces subgraphs, for the requests
        that name it and for those that a rollout gives it to.
      </PageHead>
      <Loaded of={flags}>
        {({ featureFlags }) => (
          <section className="card" aria-label="Feature flags">
            {featureFlags.length === 0 ? (
              <NoFlag namespace={namespace} />
            ) : (
              <ul className="entries">
                {featureFlags.map((flag) => (
                  <li key={flag.name}>
                    <FlagEntry flag={flag} routers={routers.data?.routers} replacedBy={replacedBy} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        )}
      </Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'feature-flag', 'list', '--namespace', namespace]} />
      </div>
    </div>
  )
}

function NoFlag({ namespace }: { readonly namespace: string }) {
  return (
    <Empty title="There is no feature flag">
      <p>A flag needs a feature subgraph, which replaces a subgraph. These two commands make one of each:</p>
      <Command
        words={[
          ...'switchyard feature-subgraph publish products-prices --subgraph products --schema products-prices.graphql --namespace'.split(
            ' ',
          ),
          namespace,
        ]}
      />
      <Command
        words={[
          ...'switchyard feature-flag create prices --feature-subgraph products-prices --namespace'.split(
            ' ',
          ),
          namespace,
        ]}
      />
    </Empty>
  )
}

function FlagEntry({
  flag,
  routers,
  replacedBy,
}: {
  readonly flag: Flag
  /** Undefined until they are known. */
  readonly routers: readonly Router[] | undefined
  readonly replacedBy: ReadonlyMap<string, string | null>
}) {
  const { namespace, name, featureSubgraphs, graphs } = flag
  const { tone, text } = stageOf(flag)
  return (
    <>
      <div className="row">
        <strong>
          <Link to="/ns/$namespace/feature-flags/$flag" params={{ namespace, flag: name }}>
            <Foreign text={name} />
          </Link>
        </strong>
        <Pill tone={tone}>{text}</Pill>
        <span className="quiet small">
          last named: <LastNamed flag={flag} />
        </span>
      </div>
      <p className="small">
        <span className="quiet">Replaces</span> <Replaced names={featureSubgraphs} by={replacedBy} />
      </p>
      {graphs.length === 0 ? (
        <p className="quiet small">Its labels choose no graph, so it is served nowhere.</p>
      ) : (
        <ul className="row small">
          {graphs.map(({ graph, state }) => {
            const count = routers === undefined ? null : routersOf(routers, graph, name)
            return (
              <li key={graph} className="row">
                <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph }}>
                  <Foreign text={graph} />
                </Link>
                {flag.enabled ? (
                  <Pill tone={toneOfState(state)}>
                    <Foreign text={state} />
                  </Pill>
                ) : null}
                {count === null ? null : (
                  <span className="quiet">
                    on {count.serving} of {count.total} routers
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

function Replaced({
  names,
  by,
}: {
  readonly names: readonly string[]
  readonly by: ReadonlyMap<string, string | null>
}) {
  if (names.length === 0) return <span className="quiet">nothing: it has no feature subgraph</span>
  return names.map((name, index) => (
    <span key={name}>
      {index === 0 ? '' : ', '}
      <Foreign text={by.get(name) ?? 'an unknown subgraph'} mono /> <span className="quiet">by</span>{' '}
      <Foreign text={name} mono />
    </span>
  ))
}
