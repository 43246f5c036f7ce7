/** How answers of a flag differ from those of base, as routers found when they compared them. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Read } from '../../api/client.ts'
import { HEARTBEAT_MS, useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { TableScroll } from '../../parts/table-scroll.tsx'
import './differences.css'

type Differences = Read<'/v1/rollouts/{namespace}/{name}/differences'>
type Row = Differences['differences'][number]
type Side = Row['base']

const MOST_SHOWN = 200
const route = getRouteApi('/ns/$namespace/rollouts/$rollout/differences')

export function DifferencesPage() {
  const { namespace, rollout: name } = route.useParams()
  const differences = useRead(
    '/v1/rollouts/{namespace}/{name}/differences',
    { path: { namespace, name } },
    { refetchInterval: HEARTBEAT_MS },
  )
  return (
    <div className="stack">
      <PageHead title={`Differences of ${name}`}>
        What routers found when they compared answers of the flag with those of base.{' '}
        <Link to="/ns/$namespace/rollouts/$rollout" params={{ namespace, rollout: name }}>
          Back to the rollout
        </Link>
      </PageHead>
      <Loaded of={differences}>
        {(found) =>
          found.routers === 0 ? (
            <section className="card">
              <Empty title="No router has told results yet">
                <p>They come with the first requests that are compared, every two seconds.</p>
              </Empty>
            </section>
          ) : (
            <>
              <Operations found={found} />
              <Rows found={found} />
              <LeftOut found={found} />
            </>
          )
        }
      </Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'rollout', 'differences', name, '--namespace', namespace]} />
      </div>
    </div>
  )
}

function Operations({ found: { operations, since, routers } }: { readonly found: Differences }) {
  return (
    <section className="card" aria-labelledby="compared">
      <header>
        <h2 id="compared">Compared</h2>
        <span className="quiet small">
          by {routers} {routers === 1 ? 'router' : 'routers'}
          {since === null ? null : (
            <>
              , counted since <Moment at={since} />
            </>
          )}
        </span>
      </header>
      <TableScroll label="Compared operations">
        <table className="table">
          <thead>
            <tr>
              <th>Operation</th>
              <th className="number">Compared</th>
              <th className="number">Equal</th>
              <th className="number">Different</th>
              <th className="number">Clearly slower</th>
              <th className="number">Base, on average</th>
              <th className="number">Flag, on average</th>
              <th>Not compared</th>
            </tr>
          </thead>
          <tbody>
            {operations.map((one) => (
              <tr key={one.operation}>
                <td>
                  <Foreign text={one.operation} />
                </td>
                <td className="number">{one.compared}</td>
                <td className="number">
                  {one.equal}
                  {one.reordered === 0 ? '' : ` + ${one.reordered} but for order`}
                </td>
                <td className="number">{one.different}</td>
                <td className="number">{one.slower}</td>
                <td className="number">{meanOf(one.baseMs, one.compared)}</td>
                <td className="number">{meanOf(one.flagMs, one.compared)}</td>
                <td>
                  <Foreign text={notCompared(one)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

function notCompared({ unanswerable, notComparable }: Differences['operations'][number]): string {
  const reasons = Object.entries(notComparable).map(([reason, count]) => `${count} ${reason}`)
  if (unanswerable > 0) reasons.unshift(`${unanswerable} that the flag cannot answer`)
  return reasons.join(', ')
}

function meanOf(milliseconds: number, count: number): string {
  return count === 0 ? '–' : `${(milliseconds / count).toFixed(1)} ms`
}

function Rows({ found: { differences } }: { readonly found: Differences }) {
  return (
    <section className="card" aria-labelledby="differences">
      <header>
        <h2 id="differences">What differs</h2>
        <span className="quiet small">the samples are those that were seen last</span>
      </header>
      {differences.length === 0 ? (
        <Empty title="No differences are known">
          <p>All answers that were compared are equal.</p>
        </Empty>
      ) : (
        <ul className="entries">
          {differences.slice(0, MOST_SHOWN).map((row) => (
            <li key={JSON.stringify([row.operation, row.path, row.cause, row.code])}>
              <DifferenceEntry row={row} />
            </li>
          ))}
        </ul>
      )}
      {differences.length > MOST_SHOWN ? (
        <p className="inset quiet small">{differences.length - MOST_SHOWN} more are told by the command.</p>
      ) : null}
    </section>
  )
}

const CAUSES: Readonly<Record<Row['cause'], string>> = {
  value: 'another value',
  type: 'another type',
  null: 'null instead of a value',
  'not-null': 'a value instead of null',
  missing: 'a member is missing',
  extra: 'a member more',
  length: 'another length',
  order: 'another order',
  error: 'an error',
  'no-error': 'no error any more',
}

function DifferenceEntry({ row }: { readonly row: Row }) {
  const { operation, path, cause, code, count, first, last, base, flag } = row
  return (
    <>
      <div className="row">
        <strong>
          <Foreign text={path === '' ? 'the whole answer' : path} mono />
        </strong>
        <Pill tone="warn">{CAUSES[cause]}</Pill>
        {code === null ? null : (
          <code>
            <Foreign text={code} />
          </code>
        )}
        <span className="quiet small">
          in <Foreign text={operation} />, {count} {count === 1 ? 'answer' : 'answers'}, first{' '}
          <Moment at={first} />, last <Moment at={last} />
        </span>
      </div>
      <div className="sides">
        <SideValue name="Base" side={base} />
        <SideValue name="Flag" side={flag} />
      </div>
    </>
  )
}

function SideValue({ name, side: { value, type } }: { readonly name: string; readonly side: Side }) {
  return (
    <div className="side-value">
      <span className="quiet small">{name}</span>
      {value === undefined ? (
        <span>
          of type <Foreign text={type} mono />
        </span>
      ) : (
        <Foreign text={value} mono />
      )}
    </div>
  )
}

function LeftOut({ found: { dropped, leftOut, noise, differences } }: { readonly found: Differences }) {
  const isWithoutValues = differences.some(
    ({ base, flag }) => base.value === undefined && flag.value === undefined,
  )
  const sentences = [
    ...(isWithoutValues
      ? ['Values are not told, since shadow.keep_values is off in routers: they show types only.']
      : []),
    ...(dropped === 0 ? [] : [`${dropped} samples were not taken, since routers had other things to do.`]),
    ...(leftOut === 0 ? [] : [`${leftOut} operations and paths are not listed, since there are too many.`]),
    ...noise
      .slice(0, 20)
      .map(
        ({ operation, path }) => `Base differs from itself in ${operation} at ${path || 'the whole answer'}.`,
      ),
  ]
  if (sentences.length === 0) return null
  return (
    <ul className="quiet small">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <Foreign text={sentence} />
        </li>
      ))}
    </ul>
  )
}
