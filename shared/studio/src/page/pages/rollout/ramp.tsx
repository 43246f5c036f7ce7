/** The ramp of a rollout: its steps, what may stop it, and the figures that its guards judge by. */
import { describeJudgement, percentText, printEmergencyStop, printGuards } from '@switchyard/guards/sentences'
import type { Read } from '../../api/client.ts'
import { HEARTBEAT_MS, useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import type { Rollout } from '../../parts/rollouts/state.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { durationText } from './duration.ts'

type Ramp = NonNullable<Rollout['ramp']>
type FiguresView = Read<'/v1/rollouts/{namespace}/{name}/figures'>
type Group = FiguresView['inside']

export function RampSection({ rollout }: { readonly rollout: Rollout }) {
  const { ramp, namespace, name } = rollout
  return (
    <section className="card" aria-labelledby="ramp">
      <header>
        <h2 id="ramp">Ramp</h2>
        {ramp === null ? null : (
          <span className="quiet small">each step lasts {durationText(ramp.everyMs)}</span>
        )}
      </header>
      {ramp === null ? (
        <Empty title="It has no ramp">
          <p>A ramp raises the percentage step by step, and stops by itself where a guard says so:</p>
          <Command
            words={[
              ...'switchyard rollout ramp'.split(' '),
              name,
              '--steps',
              '1,5,25,50,95,100',
              '--every',
              '30m',
              '--guard',
              'errors=+1pt,p99=1.3x',
              '--stop',
              'errors=20%',
              '--namespace',
              namespace,
            ]}
          />
        </Empty>
      ) : (
        <div className="inset stack-close">
          <Steps ramp={ramp} status={rollout.status} />
          <Limits ramp={ramp} />
        </div>
      )}
    </section>
  )
}

function Steps({ ramp, status }: { readonly ramp: Ramp; readonly status: Rollout['status'] }) {
  const { steps, step, state, sinceTime, everyMs } = ramp
  const isRunning = state === 'running' && status === 'active'
  return (
    <>
      <ol className="ramp-steps">
        {steps.map((percent, index) => (
          <li key={percent} data-state={index < step ? 'past' : index === step ? 'now' : 'next'}>
            <b>{percent} %</b>
            <span className="small">
              {index < step ? 'done' : index === step ? stepWord(ramp, status) : ''}
            </span>
          </li>
        ))}
      </ol>
      <p className="small quiet">
        Step {step + 1} of {steps.length} began <Moment at={sinceTime} />
        {isRunning ? (
          <>
            {' '}
            and ends <Moment at={sinceTime + everyMs} />
          </>
        ) : null}
        .{ramp.attempt > 1 ? ` It is its attempt number ${ramp.attempt}.` : ''}
      </p>
    </>
  )
}

function stepWord({ state }: Ramp, status: Rollout['status']): string {
  if (status !== 'active') return status
  return state === 'running' ? 'now' : state
}

function Limits({ ramp: { guards, stop, judgement, emergency } }: { readonly ramp: Ramp }) {
  return (
    <>
      <p>
        <span className="quiet">Guards:</span>{' '}
        {guards === undefined ? 'none' : <code>{printGuards(guards)}</code>}
        <span className="quiet"> · emergency stop:</span>{' '}
        {stop === undefined ? 'none' : <code>{printEmergencyStop(stop)}</code>}
      </p>
      {emergency === null ? null : <Stopped emergency={emergency} />}
      {judgement === null ? null : (
        <div>
          <p className="small quiet">The last judgement that decided something:</p>
          <JudgementLines of={judgement} />
        </div>
      )}
    </>
  )
}

/** The figures at which the emergency stop acted. */
export function Stopped({
  emergency: { errors, requests },
}: {
  readonly emergency: { readonly errors: number; readonly requests: number }
}) {
  return (
    <p>
      Stopped by the emergency stop: {errors} of {requests} requests inside failed within ten seconds.
    </p>
  )
}

export function JudgementLines({ of }: { readonly of: Parameters<typeof describeJudgement>[0] }) {
  return (
    <ul className="judgement">
      {describeJudgement(of).map((sentence) => (
        <li key={sentence}>
          <Foreign text={sentence} />
        </li>
      ))}
    </ul>
  )
}

/** The figures of the step, which guards judge by. */
export function Figures({ rollout: { namespace, name } }: { readonly rollout: Rollout }) {
  const figures = useRead(
    '/v1/rollouts/{namespace}/{name}/figures',
    { path: { namespace, name } },
    { refetchInterval: HEARTBEAT_MS },
  )
  return (
    <section className="card" aria-labelledby="figures">
      <header>
        <h2 id="figures">Figures of the step</h2>
        <Loaded of={figures}>{(all) => <Reported figures={all} />}</Loaded>
      </header>
      {figures.data === undefined ? null : <Totals figures={figures.data} />}
      <div className="inset">
        <Command words={['switchyard', 'rollout', 'figures', name, '--namespace', namespace]} />
      </div>
    </section>
  )
}

function Reported({ figures: { routers, step } }: { readonly figures: FiguresView }) {
  if (step === null) return null
  const { living, silent, stopped } = routers
  if (step.state !== 'running')
    return <span className="quiet small">what routers had counted when it was {step.state}</span>
  return (
    <span className="small">
      {living - silent.length} of {living} routers have reported
      {stopped.length === 0 ? null : (
        <>
          {' '}
          <Pill tone="bad">stopped by {stopped.length === 1 ? 'a router' : `${stopped.length} routers`}</Pill>
        </>
      )}
    </span>
  )
}

function Totals({
  figures: { step, inside, control, operations, judgement },
}: {
  readonly figures: FiguresView
}) {
  if (step === null) {
    return (
      <Empty title="Nothing is counted">
        <p>Routers count while a ramp with guards or an emergency stop runs.</p>
      </Empty>
    )
  }
  return (
    <>
      <TableScroll label="Figures of the step">
        <table className="table">
          <thead>
            <tr>
              <th>Figure</th>
              <th className="number">Inside (flag)</th>
              <th className="number">Outside (base)</th>
            </tr>
          </thead>
          <tbody>
            <Counted figures={{ inside, control, operations }} />
          </tbody>
        </table>
      </TableScroll>
      {judgement === null ? null : (
        <div className="inset">
          <h3>Judgement of these figures</h3>
          <JudgementLines of={judgement} />
        </div>
      )}
    </>
  )
}

function Counted({
  figures: { inside, control, operations },
}: {
  readonly figures: Pick<FiguresView, 'inside' | 'control' | 'operations'>
}) {
  const codes = [...new Set([...inside.codes, ...control.codes].map(({ code }) => code))]
  const errorsOf = (group: Group, code: string) => group.codes.find((one) => one.code === code)?.errors ?? 0
  return (
    <>
      <Line name="Requests" inside={inside.requests} control={control.requests} />
      <Line name="Errors" inside={errorsText(inside)} control={errorsText(control)} />
      {(['p50', 'p90', 'p95', 'p99'] as const).map((quantile) => (
        <Line
          key={quantile}
          name={quantile}
          inside={millisecondsText(inside.latencyMs[quantile])}
          control={millisecondsText(control.latencyMs[quantile])}
        />
      ))}
      {codes.map((code) => (
        <Line
          key={`code ${code}`}
          name={`errors ${code}`}
          inside={errorsOf(inside, code)}
          control={errorsOf(control, code)}
        />
      ))}
      {operations.map((operation) => (
        <Line
          key={`operation ${operation.name}`}
          name={`${operation.name}: errors of requests`}
          inside={`${operation.inside.errors} of ${operation.inside.requests}`}
          control={`${operation.control.errors} of ${operation.control.requests}`}
        />
      ))}
    </>
  )
}

function Line({
  name,
  inside,
  control,
}: {
  readonly name: string
  readonly inside: number | string
  readonly control: number | string
}) {
  return (
    <tr>
      <th scope="row">
        <Foreign text={name} />
      </th>
      <td className="number">{inside}</td>
      <td className="number">{control}</td>
    </tr>
  )
}

function errorsText({ requests, errors }: Group): string {
  return requests === 0 ? String(errors) : `${errors} (${percentText(errors / requests)})`
}

function millisecondsText(milliseconds: number | null): string {
  return milliseconds === null ? '–' : `${Number(milliseconds.toPrecision(3))} ms`
}
