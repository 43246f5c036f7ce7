/** The rollouts of a namespace, by graph, in the order in which requests try them. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { useFleetInterval } from '../../api/use-fleet-interval.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Meter } from '../../parts/meter.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill } from '../../parts/pill.tsx'
import { stateOf } from '../../parts/rollouts/state.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { Audience } from '../../parts/rollouts/audience.tsx'

type Rollout = Read<'/v1/rollouts/{namespace}'>['rollouts'][number]

const route = getRouteApi('/ns/$namespace/rollouts')

export function Rollouts() {
  const { namespace } = route.useParams()
  const rollouts = useRead(
    '/v1/rollouts/{namespace}',
    { path: { namespace } },
    { refetchInterval: useFleetInterval() },
  )
  return (
    <div className="stack">
      <PageHead title="Rollouts">
        They give flags to requests that name none, in the namespace <Foreign text={namespace} />.
      </PageHead>
      <Loaded of={rollouts}>
        {({ rollouts: all }) =>
          all.length === 0 ? (
            <NoRollout namespace={namespace} />
          ) : (
            [...Map.groupBy(all, ({ graph }) => graph)].map(([graph, own]) => (
              <section key={graph} className="card" aria-labelledby={`graph-${graph}`}>
                <header>
                  <h2 id={`graph-${graph}`}>
                    <Foreign text={graph} />
                  </h2>
                  <span className="quiet small">Requests try them in this order.</span>
                </header>
                <ol className="entries">
                  {own.map((rollout) => (
                    <li key={rollout.name}>
                      <RolloutEntry rollout={rollout} />
                    </li>
                  ))}
                </ol>
              </section>
            ))
          )
        }
      </Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'rollout', 'list', '--namespace', namespace]} />
      </div>
    </div>
  )
}

function NoRollout({ namespace }: { readonly namespace: string }) {
  return (
    <section className="card">
      <Empty title="There is no rollout">
        <p>
          Only requests that name a flag get it. This gives it to 5 % of the users, by a claim of their
          tokens:
        </p>
        <Command
          words={[
            ...'switchyard rollout create prices --graph shop --percent 5 --key claim:sub --namespace'.split(
              ' ',
            ),
            namespace,
          ]}
        />
      </Empty>
    </section>
  )
}

function RolloutEntry({ rollout }: { readonly rollout: Rollout }) {
  const { namespace, name, flag, mode, inForce } = rollout
  const { tone, text } = stateOf(rollout, Date.now())
  return (
    <>
      <div className="row">
        <strong>
          <Link to="/ns/$namespace/rollouts/$rollout" params={{ namespace, rollout: name }}>
            <Foreign text={name} />
          </Link>
        </strong>
        <Pill tone={tone}>{text}</Pill>
        <span className="quiet small">
          {mode === 'shadow' ? 'compares the flag ' : 'gives the flag '}
          <Link to="/ns/$namespace/feature-flags/$flag" params={{ namespace, flag }}>
            <Foreign text={flag} />
          </Link>
        </span>
      </div>
      <div>
        <p className="small">
          {inForce} % of <Audience where={rollout.where} />
        </p>
        <Meter value={inForce} total={100} tone={tone === 'bad' ? 'bad' : 'good'} />
      </div>
    </>
  )
}
