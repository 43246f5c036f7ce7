/** One error: what it says, how to mend it, and its places in the sources. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Code } from '../../parts/code/code.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Loaded } from '../../parts/states.tsx'
import { type CompositionError, type Errors, placesOf, type PlacesInSource } from './sources.ts'

/** Sources that are shown before somebody asks for more. */
const SOURCES = 4
const MOST_REASONS = 20

export function ErrorDetail({
  namespace,
  error,
  advice,
  sources,
}: {
  readonly namespace: string
  readonly error: CompositionError
  readonly advice: string | null
  readonly sources: Errors['sources']
}) {
  const [shown, setShown] = useState(SOURCES)
  const all = placesOf(error, sources)
  return (
    <section className="card" aria-labelledby="the-error">
      <header>
        <h2 id="the-error">
          <code>{error.code}</code>
        </h2>
      </header>
      <div className="inset stack">
        <p className="error-text">
          <Foreign text={error.message} />
        </p>
        {advice === null ? null : (
          <div className="notice">
            <h3>Advice</h3>
            <p className="error-text">
              <Foreign text={advice} />
            </p>
          </div>
        )}
        <Unreachable error={error} />
        {sources === null ? (
          <p className="quiet">
            Something was published since, and is being composed. The sources of this error are shown when its
            composition is the newest one.
          </p>
        ) : null}
        <div className="sources">
          {all.slice(0, shown).map((one) => (
            <Source key={one.subgraph} namespace={namespace} source={one} />
          ))}
        </div>
        {all.length > shown ? (
          <p>
            <button type="button" className="button" onClick={() => setShown(shown + SOURCES)}>
              Show {Math.min(SOURCES, all.length - shown)} more of {all.length} subgraphs
            </button>
          </p>
        ) : null}
      </div>
    </section>
  )
}

/** A path through the graph that nothing can answer: the operation that takes it, its steps, and why not. */
function Unreachable({
  error: { operation, path = [], reasons = [] },
}: {
  readonly error: CompositionError
}) {
  if (operation === undefined && path.length === 0 && reasons.length === 0) return null
  return (
    <div className="stack-close">
      {operation === undefined ? null : <Code title="An operation that it breaks" text={operation} />}
      {path.length === 0 ? null : (
        <ol className="path" aria-label="Steps of the operation">
          {path.map(({ coordinate, subgraph }) => (
            <li key={coordinate}>
              <Foreign text={coordinate} mono />{' '}
              <span className="quiet small">
                {subgraph === null ? (
                  'no subgraph can go on here'
                ) : (
                  <>
                    from <Foreign text={subgraph} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {reasons.length === 0 ? null : (
        <ul className="reasons">
          {reasons.slice(0, MOST_REASONS).map(({ subgraph, target, reason }) => (
            <li key={`${subgraph} ${target} ${reason}`}>
              <strong>
                <Foreign text={target === null ? subgraph : `${subgraph} → ${target}`} />
              </strong>{' '}
              <Foreign text={reason} />
            </li>
          ))}
          {reasons.length > MOST_REASONS ? (
            <li className="quiet">and {reasons.length - MOST_REASONS} more reasons</li>
          ) : null}
        </ul>
      )}
    </div>
  )
}

function Source({
  namespace,
  source: { subgraph, sha256, places },
}: {
  readonly namespace: string
  readonly source: PlacesInSource
}) {
  return (
    <div className="stack-close">
      <h3 className="row">
        <Link
          to="/ns/$namespace/subgraphs/$subgraph"
          params={{ namespace, subgraph }}
          search={sha256 === null ? {} : { version: sha256 }}
        >
          <Foreign text={subgraph} />
        </Link>
        <span className="quiet small">
          <Foreign text={whereOf(places)} />
        </span>
      </h3>
      {sha256 === null || places.length === 0 ? null : (
        <SourceText namespace={namespace} subgraph={subgraph} sha256={sha256} places={places} />
      )}
    </div>
  )
}

function whereOf(places: PlacesInSource['places']): string {
  if (places.length === 0) return 'no line of it in particular'
  const lines = [...new Set(places.map(({ line }) => line))]
  const [first] = places
  if (lines.length > 1) return `lines ${lines.slice(0, 8).join(', ')}`
  return `line ${first?.line}${first?.label === undefined ? '' : `: ${first.label}`}`
}

function SourceText({
  namespace,
  subgraph,
  sha256,
  places,
}: {
  readonly namespace: string
  readonly subgraph: string
  readonly sha256: string
  readonly places: PlacesInSource['places']
}) {
  const schema = useRead('/v1/subgraphs/{namespace}/{name}/schema', {
    path: { namespace, name: subgraph },
    query: { sha256 },
  })
  return (
    <Loaded of={schema}>{({ sdl }) => <Code title={`${subgraph}.graphql`} text={sdl} lit={places} />}</Loaded>
  )
}
