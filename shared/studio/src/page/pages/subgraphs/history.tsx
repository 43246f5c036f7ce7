/** The schemas that were published for a subgraph, newest first, and who published them. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Actor } from '../../parts/actor.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Loaded } from '../../parts/states.tsx'

type Version = Read<'/v1/subgraphs/{namespace}/{name}/history'>['versions'][number]

const FIRST = 10
const ALL = 200
const PATH = '/ns/$namespace/subgraphs/$subgraph'
const route = getRouteApi(PATH)

export function History({
  namespace,
  name,
  published,
}: {
  readonly namespace: string
  readonly name: string
  readonly published: string | null
}) {
  const [limit, setLimit] = useState(FIRST)
  const history = useRead('/v1/subgraphs/{namespace}/{name}/history', {
    path: { namespace, name },
    query: { limit },
  })
  return (
    <section className="card" aria-labelledby="history">
      <header>
        <h2 id="history">History</h2>
      </header>
      <Loaded of={history}>
        {({ versions, more }) => (
          <>
            <ol className="versions">
              {versions.map((version, index) => (
                <li key={version.sequence}>
                  <One
                    version={version}
                    before={versions[index + 1]}
                    isPublished={version.sha256 === published}
                  />
                </li>
              ))}
            </ol>
            {more && limit === ALL ? (
              <p className="inset quiet small">The registry keeps the last {ALL} schemas.</p>
            ) : null}
            {more && limit < ALL ? (
              <p className="inset">
                <button type="button" className="button" data-size="small" onClick={() => setLimit(ALL)}>
                  Show older ones
                </button>
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  )
}

type VersionProps = {
  readonly version: Version
  /** The version before it, if it is in the list. */
  readonly before: Version | undefined
  readonly isPublished: boolean
}

function One({ version, before, isPublished }: VersionProps) {
  const { sha256, time, summary, reason, bytes, ...by } = version
  return (
    <>
      <div className="version-what">
        <p>
          <Foreign text={summary} /> <span className="quiet">by </span>
          <Actor {...by} />
          {reason === undefined ? null : (
            <span className="quiet">
              {' '}
              — <Foreign text={reason} />
            </span>
          )}
        </p>
        <p className="row quiet small">
          <Moment at={time} />
          <code>{sha256.slice(0, 12)}</code>
          {bytes} bytes
          {isPublished ? <Pill tone="good">published</Pill> : null}
        </p>
      </div>
      <Ways version={version} before={before} isPublished={isPublished} />
    </>
  )
}

/** The ways from a version to what it says and what it changed. */
function Ways({ version: { sha256 }, before, isPublished }: VersionProps) {
  const params = route.useParams()
  const { graph } = route.useSearch()
  const place = graph === undefined ? {} : { graph }
  return (
    <div className="row">
      <Link
        to={PATH}
        params={params}
        search={{ ...place, version: sha256 }}
        className="button"
        data-size="small"
        resetScroll={false}
        aria-label={`Show schema ${sha256.slice(0, 12)}`}
      >
        Show
      </Link>
      {before === undefined || before.sha256 === sha256 ? null : (
        <Link
          to={PATH}
          params={params}
          search={{ ...place, version: sha256, compare: before.sha256 }}
          className="button"
          data-size="small"
          resetScroll={false}
          aria-label={`Changes that ${sha256.slice(0, 12)} made`}
        >
          Changes
        </Link>
      )}
      {isPublished ? null : (
        <Link
          to={PATH}
          params={params}
          search={{ ...place, compare: sha256 }}
          className="button"
          data-size="small"
          resetScroll={false}
          aria-label={`Compare with now: ${sha256.slice(0, 12)}`}
        >
          Compare with now
        </Link>
      )}
    </div>
  )
}
