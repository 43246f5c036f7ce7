/** A rollout: whom it gives its flag to, how its ramp goes, and what can be done with it. */
import type { Judgement } from '@switchyard/guards'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRefusal } from '../../api/commands.ts'
import { useRead } from '../../api/use-api.ts'
import { useFleetInterval } from '../../api/use-fleet-interval.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { ChangesOf, type LogEvent } from '../../parts/history/changes-of.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Refusal } from '../../parts/refusal.tsx'
import { Audience } from '../../parts/rollouts/audience.tsx'
import { type Rollout, stateOf } from '../../parts/rollouts/state.ts'
import { Loaded } from '../../parts/states.tsx'
import { Figures, JudgementLines, RampSection, Stopped } from './ramp.tsx'
import { RolloutActions, SetPercentage } from './rollout-actions.tsx'
import './rollout.css'

const route = getRouteApi('/ns/$namespace/rollouts/$rollout')

export function RolloutPage() {
  const { namespace, rollout: name } = route.useParams()
  const refusal = useRefusal(namespace, 'rollout')
  const rollout = useRead(
    '/v1/rollouts/{namespace}/{name}',
    { path: { namespace, name } },
    { refetchInterval: useFleetInterval() },
  )
  return (
    <div className="stack">
      <Loaded of={rollout}>
        {(found) => (
          <>
            <PageHead title={name} actions={<RolloutActions rollout={found} />}>
              {found.mode === 'shadow' ? 'Compares the answers of flag ' : 'Gives the flag '}
              <Link to="/ns/$namespace/feature-flags/$flag" params={{ namespace, flag: found.flag }}>
                <Foreign text={found.flag} />
              </Link>
              {found.mode === 'shadow' ? ' with those of base, for requests to ' : ' to requests to '}
              <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph: found.graph }}>
                <Foreign text={found.graph} />
              </Link>
              .
            </PageHead>
            <Refusal reason={refusal} />
            <AtAGlance rollout={found} />
            {found.mode === 'shadow' ? (
              <Shadow rollout={found} />
            ) : (
              <>
                <RampSection rollout={found} />
                {found.ramp === null ? null : <Figures rollout={found} />}
              </>
            )}
            <ChangesOf namespace={namespace} kind="rollout" name={name} details={detailsOf} />
          </>
        )}
      </Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'rollout', 'get', name, '--namespace', namespace]} />
      </div>
    </div>
  )
}

function AtAGlance({ rollout }: { readonly rollout: Rollout }) {
  const { inForce, percent, status, where, key, expires, routers, flagState } = rollout
  const { tone, text } = stateOf(rollout, Date.now())
  return (
    <section className="card" aria-label="At a glance">
      <div className="inset stack-close">
        <div className="spread">
          <p className="percentage">
            <b>{inForce} %</b> of <Audience where={where} />
          </p>
          <Pill tone={tone}>{text}</Pill>
        </div>
        <Meter value={inForce} total={100} tone={tone === 'bad' ? 'bad' : 'good'} />
        {status === 'active' ? null : (
          <p className="quiet small">{percent} % is what it had, and has again when it is resumed.</p>
        )}
        <SetPercentage key={percent} rollout={rollout} />
      </div>
      <dl className="inset facts">
        <div>
          <dt>The flag is</dt>
          <dd>
            <Foreign text={flagState ?? 'not served: its labels do not choose the graph'} />
          </dd>
        </div>
        <div>
          <dt>Routers that have it</dt>
          <dd>{routers.total === 0 ? 'none is running' : `${routers.serving} of ${routers.total}`}</dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            {key.length === 0 ? 'none' : <Foreign text={key.join(', ')} mono />}
            <small>tells requests apart</small>
          </dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>{expires === null ? 'not by itself' : <Moment at={expires} />}</dd>
        </div>
      </dl>
    </section>
  )
}

function Shadow({ rollout: { namespace, name, shadow } }: { readonly rollout: Rollout }) {
  const listed = (names: readonly string[] | undefined, otherwise: string) =>
    names === undefined || names.length === 0 ? otherwise : <Foreign text={names.join(', ')} mono />
  return (
    <section className="card" aria-labelledby="shadow">
      <header>
        <h2 id="shadow">Comparison</h2>
        <Link
          to="/ns/$namespace/rollouts/$rollout/differences"
          params={{ namespace, rollout: name }}
          className="button"
          data-size="small"
        >
          Show the differences
        </Link>
      </header>
      <dl className="inset facts">
        <div>
          <dt>Operations</dt>
          <dd>{listed(shadow?.operations, 'all queries')}</dd>
        </div>
        <div>
          <dt>Subgraphs that may be called once more</dt>
          <dd>{listed(shadow?.subgraphs, 'those that the flag replaces')}</dd>
        </div>
        <div>
          <dt>Lists whose order means nothing</dt>
          <dd>{listed(shadow?.unordered, 'none')}</dd>
        </div>
      </dl>
    </section>
  )
}

/** Shows the figures that a record of the log holds: those by which somebody or a guard decided. */
function detailsOf(event: LogEvent) {
  const judgement = event['judgement']
  const emergency = event['emergency']
  if (!isJudgement(judgement) && !isEmergency(emergency)) return null
  return (
    <div key={event.type} className="line-details small">
      {isEmergency(emergency) ? <Stopped emergency={emergency} /> : null}
      {isJudgement(judgement) ? <JudgementLines of={judgement} /> : null}
    </div>
  )
}

/** Whether a member of a record is a judgement: the registry checked all of it when it was written. */
function isJudgement(value: unknown): value is Judgement {
  return typeof value === 'object' && value !== null && 'guards' in value && 'outcome' in value
}

function isEmergency(value: unknown): value is { readonly errors: number; readonly requests: number } {
  return typeof value === 'object' && value !== null && 'failedClusters' in value
}
