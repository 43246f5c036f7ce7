/** What a check found: for each graph and flag whether it composes, what changes, and what is lost. */
import type { Written } from '../../api/client.ts'
import { ChangeCounts, ChangeText } from '../../parts/changes.tsx'
import { Code } from '../../parts/code/code.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'

type Check = Written<'/v1/checks/{namespace}/{name}', 'post'>
type Composition = Check['compositions'][number]

const STATES: Readonly<Record<Composition['status'], { readonly tone: Tone; readonly text: string }>> = {
  composed: { tone: 'good', text: 'composes' },
  unchanged: { tone: 'quiet', text: 'unchanged' },
  failed: { tone: 'bad', text: 'fails' },
  empty: { tone: 'warn', text: 'empty' },
  removed: { tone: 'warn', text: 'flag does not apply any more' },
}
const MOST_CHANGES = 200
const MOST_ERRORS = 20

export function Verdict({
  check,
  text,
  isOld,
}: {
  readonly check: Check
  /** The schema that was checked. */
  readonly text: string
  /** Whether somebody wrote on since. */
  readonly isOld: boolean
}) {
  const hasFailed = check.compositions.some(({ status }) => status === 'failed')
  return (
    <>
      <div className="notice" data-tone={check.passes ? 'good' : 'bad'}>
        <p>
          <Pill tone={check.passes ? 'good' : 'bad'}>{check.passes ? 'passes' : 'does not pass'}</Pill>{' '}
          <Foreign text={check.message} />
        </p>
        {isOld ? <p className="quiet">The schema was changed after this check.</p> : null}
        {check.warnings.map((warning) => (
          <p key={warning}>
            <Foreign text={warning} />
          </p>
        ))}
      </div>
      {check.compositions.length === 0 ? null : (
        <>
          <Compositions check={check} text={text} />
          <Changes changes={check.changes} hasFailed={hasFailed} />
          <Documents documents={check.documents} />
        </>
      )}
    </>
  )
}

function Compositions({
  check: { compositions, name },
  text,
}: {
  readonly check: Check
  readonly text: string
}) {
  const places = compositions
    .flatMap(({ errors }) => errors.flatMap(({ locations }) => locations))
    .filter(({ subgraph }) => subgraph === name)
  const unique = [...new Map(places.map((place) => [`${place.line}:${place.column}`, place])).values()]
  return (
    <section className="card" aria-labelledby="checked-compositions">
      <header>
        <h2 id="checked-compositions">Compositions</h2>
        <span className="quiet small">{compositions.length}</span>
      </header>
      <ul className="checked">
        {compositions.map((one) => (
          <li key={`${one.graph} ${one.featureFlag}`}>
            <One composition={one} />
          </li>
        ))}
      </ul>
      {unique.length === 0 ? null : (
        <div className="inset">
          <Code title={`${name}.graphql, as it was checked`} text={text} lit={unique} />
        </div>
      )}
    </section>
  )
}

function One({
  composition: { graph, featureFlag, status, failedBefore, errors, errorCount, hints, comparedWith },
}: {
  readonly composition: Composition
}) {
  const { tone, text } = STATES[status]
  return (
    <>
      <p className="row">
        <strong>
          <Foreign text={graph} />
        </strong>
        {featureFlag === null ? (
          <span className="quiet small">base</span>
        ) : (
          <span className="small">
            <span className="quiet">flag</span> <Foreign text={featureFlag} />
          </span>
        )}
        <Pill tone={tone}>{text}</Pill>
        {failedBefore ? <span className="quiet small">it failed before in the same way</span> : null}
        {comparedWith === 'nothing-served' ? (
          <span className="quiet small">nothing of it is served, so no change could be judged</span>
        ) : null}
        {hints.length === 0 ? null : <span className="quiet small">{hints.length} hints</span>}
      </p>
      {errors.length === 0 ? null : (
        <ul className="checked-errors">
          {errors.slice(0, MOST_ERRORS).map((error, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- errors have no other name
            <li key={index}>
              <code>{error.code}</code> <Foreign text={error.message} />
            </li>
          ))}
          {errorCount > MOST_ERRORS ? (
            <li className="quiet">{errorCount - MOST_ERRORS} more errors</li>
          ) : null}
        </ul>
      )}
    </>
  )
}

function Changes({
  changes: { changes, ...counts },
  hasFailed,
}: {
  readonly changes: Check['changes']
  /** Whether some composition failed, so that nobody knows its client schema. */
  readonly hasFailed: boolean
}) {
  const all = counts.breaking + counts.dangerous + counts.safe
  const shown = changes.slice(0, MOST_CHANGES)
  return (
    <section className="card" aria-labelledby="checked-changes">
      <header>
        <h2 id="checked-changes">Changes for clients</h2>
        <span className="quiet small">
          {all > shown.length ? `the first ${shown.length} of ${all}` : `${all}`}
        </span>
      </header>
      {all === 0 ? (
        <p className="inset quiet">
          {hasFailed
            ? 'None are known: compositions that fail cannot be compared.'
            : 'No client schema that is served would change.'}
        </p>
      ) : (
        <>
          <div className="inset">
            <ChangeCounts counts={counts} />
          </div>
          <ul className="checked">
            {shown.map((change) => (
              <li
                key={`${change.graph} ${change.featureFlag} ${change.type} ${change.path} ${change.message}`}
              >
                <ChangeText {...change}>
                  <span className="quiet small">
                    <Foreign
                      text={`${change.graph}${change.featureFlag === null ? '' : `, flag ${change.featureFlag}`}`}
                    />
                  </span>
                </ChangeText>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Documents({
  documents: { tried, unanswered, partlyAnswered, lost },
}: {
  readonly documents: Check['documents']
}) {
  return (
    <section className="card" aria-labelledby="checked-documents">
      <header>
        <h2 id="checked-documents">Documents of clients</h2>
        <span className="quiet small">{tried} tried</span>
      </header>
      <p className="inset quiet">
        {tried === 0
          ? 'None were tried. They are tried where documents are published and compositions succeed.'
          : `${unanswered} would not be answered any more, ${partlyAnswered} only by some compositions.`}
      </p>
      {lost.length === 0 ? null : (
        <ul className="checked">
          {lost.map(({ graph, id, operationName, clients, answeredElsewhere, compositions }) => (
            <li key={`${graph} ${id}`}>
              <p className="row">
                <strong>
                  <Foreign text={operationName ?? id} />
                </strong>
                <Pill tone={answeredElsewhere ? 'warn' : 'bad'}>
                  {answeredElsewhere ? 'lost in some compositions' : 'lost'}
                </Pill>
                <span className="quiet small">
                  <Foreign text={`${graph}: ${clients?.join(', ') ?? 'all clients'}`} />
                </span>
              </p>
              {compositions.map(({ featureFlag, message }) => (
                <p key={featureFlag ?? ''} className="small">
                  <span className="quiet">
                    <Foreign text={featureFlag === null ? 'base' : `flag ${featureFlag}`} />:
                  </span>{' '}
                  <Foreign text={message} />
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
