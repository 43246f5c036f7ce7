/** The revisions that routers were given, newest first. */
import { Actor } from '../../parts/actor.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Empty } from '../../parts/states.tsx'
import type { GraphDetail, Revision } from './types.ts'
import { RollBack } from './pinning.tsx'

const MOST_CHANGES = 3

export function Revisions({
  graph,
  revisions,
  limit,
}: {
  readonly graph: GraphDetail
  readonly revisions: readonly Revision[]
  readonly limit: number
}) {
  return (
    <section className="card" aria-labelledby="revisions">
      <header>
        <h2 id="revisions">Revisions</h2>
        {revisions.length < limit ? null : <span className="quiet small">the last {limit}</span>}
      </header>
      {revisions.length === 0 ? (
        <Empty title="Routers were given nothing yet">
          <p>The first revision is published when base was composed for the first time.</p>
        </Empty>
      ) : (
        <ol className="revisions">
          {revisions.map((revision, index) => (
            <li key={`${revision.epoch}/${revision.revision}`}>
              <div className="revision-number">
                <strong>{revision.revision}</strong>
                {revision.revision === graph.pinnedRevision ? <Pill tone="warn">held</Pill> : null}
                {index === 0 && graph.pinnedRevision === null ? <Pill tone="good">newest</Pill> : null}
              </div>
              <div className="revision-what">
                <Changes revision={revision} />
                <p className="quiet small">
                  <Moment at={revision.createdAt} />
                  {revision.featureFlags.length === 0 ? null : (
                    <>
                      {' '}
                      · with <Foreign text={revision.featureFlags.join(', ')} />
                    </>
                  )}
                </p>
              </div>
              {index === 0 || revision.revision === graph.pinnedRevision ? null : (
                <RollBack graph={graph} to={revision} />
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Changes({ revision: { changes, changeCount, reason } }: { readonly revision: Revision }) {
  if (changes === null || changes === undefined || changes.length === 0) return <p>{reason}</p>
  const more = (changeCount ?? changes.length) - Math.min(changes.length, MOST_CHANGES)
  return (
    <ul>
      {changes.slice(-MOST_CHANGES).map((change) => (
        <li key={change.sequence}>
          <Foreign text={change.summary} />{' '}
          <span className="quiet">
            by <Actor {...change} />
            {change.reason === undefined ? null : (
              <>
                {' '}
                — <Foreign text={change.reason} />
              </>
            )}
          </span>
        </li>
      ))}
      {more > 0 ? <li className="quiet small">and {more} more commands</li> : null}
    </ul>
  )
}
