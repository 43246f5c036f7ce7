/** What nobody asked for, if that can be known; if not, the reason. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { beginningOf, DEFAULT_HOURS, sinceOf } from '../../parts/usage/choices.ts'
import { Coverage } from '../../parts/usage/coverage.tsx'
import { countText } from '../../parts/usage/numbers.ts'
import { WindowChoice } from '../../parts/usage/window-choice.tsx'
import './operation.css'

type Answer = Read<'/v1/usage/{namespace}/{graph}/unused'>

const MOST_SHOWN = 500
const route = getRouteApi('/ns/$namespace/graphs/$graph/unused')

export function Unused() {
  const { namespace, graph } = route.useParams()
  const { hours = DEFAULT_HOURS } = route.useSearch()
  const navigate = route.useNavigate()
  const answer = useRead('/v1/usage/{namespace}/{graph}/unused', {
    path: { namespace, graph },
    query: { from: beginningOf(hours) },
  })
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
      <Loaded of={answer}>{(found) => <Found answer={found} />}</Loaded>
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

function Found({ answer: { unused, reason, total, coverage } }: { readonly answer: Answer }) {
  const [words, setWords] = useState('')
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
  const found = unused.filter((one) => one.toLowerCase().includes(words.toLowerCase()))
  return (
    <section className="card" aria-labelledby="unused">
      <header>
        <h2 id="unused">
          {countText(total)} {total === 1 ? 'name' : 'names'}
        </h2>
        <Coverage of={coverage} />
      </header>
      {unused.length === 0 ? (
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
              onChange={({ target }) => setWords(target.value)}
            />
          </label>
          <ul className="coordinates">
            {found.slice(0, MOST_SHOWN).map((one) => (
              <li key={one}>
                <Foreign text={one} mono />
              </li>
            ))}
          </ul>
          {found.length > MOST_SHOWN ? (
            <p className="quiet small">{countText(found.length - MOST_SHOWN)} more fit.</p>
          ) : null}
        </div>
      )}
    </section>
  )
}
