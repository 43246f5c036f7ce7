/** What nobody asked for, if that can be known; if not, the reason. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Read } from '../../api/client.ts'
import { useReadOptions } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { beginningOf, DEFAULT_HOURS, sinceOf } from '../../parts/usage/choices.ts'
import { Coverage } from '../../parts/usage/coverage.tsx'
import { countText } from '../../parts/usage/numbers.ts'
import { useSettled } from '../../parts/use-settled.ts'
import { WindowChoice } from '../../parts/usage/window-choice.tsx'
import './operation.css'

type Answer = Read<'/v1/usage/{namespace}/{graph}/unused'>

/** Names that are read and shown at once. */
const MOST_SHOWN = 500
const route = getRouteApi('/ns/$namespace/graphs/$graph/unused')

export function Unused() {
  const { namespace, graph } = route.useParams()
  const { hours = DEFAULT_HOURS } = route.useSearch()
  const navigate = route.useNavigate()
  const [words, setWords] = useState('')
  const search = useSettled(words)
  const read = useReadOptions()('/v1/usage/{namespace}/{graph}/unused', {
    path: { namespace, graph },
    query: { from: beginningOf(hours), limit: MOST_SHOWN, ...(search === '' ? {} : { search }) },
  })
  // The field that is typed in stays.
  const answer = useQuery({ ...read, placeholderData: keepPreviousData })
  return (
    <div className="stack">
      <PageHead title="Asked for by nobody">
        Fields, arguments, types and values of <Foreign text={graph} /> that no operation used.{' '}
        <Link to="/ns/$namespace/graphs/$graph/operations" params={{ namespace, graph }}>
          All operations
        </Link>
      </PageHead>
      <div className="filters">
        <WindowChoice
          hours={hours}
          choose={(chosen) => void navigate({ search: chosen === DEFAULT_HOURS ? {} : { hours: chosen } })}
        />
      </div>
      <Loaded of={answer}>{(found) => <Found answer={found} words={words} onWords={setWords} />}</Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command
          words={[
            ...'switchyard usage'.split(' '),
            graph,
            '--unused',
            '--since',
            sinceOf(hours),
            '--namespace',
            namespace,
          ]}
        />
      </div>
    </div>
  )
}

function Found({
  answer: { unused, reason, total, coverage },
  words,
  onWords,
}: {
  readonly answer: Answer
  /** What is sought, as it is typed. */
  readonly words: string
  readonly onWords: (words: string) => void
}) {
  if (unused === null) {
    return (
      <div className="notice" data-tone="warn">
        <p>
          <strong>Nobody knows what is unused in this time.</strong>{' '}
          {reason === null ? null : <Foreign text={reason} />}
        </p>
        <Coverage of={{ ...coverage, reason: null }} />
      </div>
    )
  }
  return (
    <section className="card" aria-labelledby="unused">
      <header>
        <h2 id="unused">
          {countText(total)} {total === 1 ? 'name' : 'names'}
        </h2>
        <Coverage of={coverage} />
      </header>
      {unused.length === 0 && words === '' ? (
        <Empty title="Everything is used" />
      ) : (
        <div className="inset stack-close">
          <label className="labelled">
            <span>Find</span>
            <input
              className="field"
              type="search"
              maxLength={200}
              value={words}
              onChange={({ target }) => onWords(target.value)}
            />
          </label>
          <ul className="coordinates">
            {unused.map((one) => (
              <li key={one}>
                <Foreign text={one} mono />
              </li>
            ))}
          </ul>
          {total > unused.length ? (
            <p className="quiet small">{countText(total - unused.length)} more fit.</p>
          ) : null}
        </div>
      )}
    </section>
  )
}
