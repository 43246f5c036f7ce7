/** The log as people read it: who did what, when, why, and what it caused. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiError, Read } from '../../api/client.ts'
import { useApi, useRead } from '../../api/use-api.ts'
import { Actor } from '../../parts/actor.tsx'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { printable } from '@switchyard/values'
import { Empty, Problem } from '../../parts/states.tsx'
import './history.css'

type Log = Read<'/v1/log'>
type LogRecord = Log['records'][number]

const PAGE = 50
const route = getRouteApi('/history')

export function History() {
  const { namespace } = route.useSearch()
  const [words, setWords] = useState('')
  const log = useLog(namespace)
  const records = log.data?.pages.flatMap((page) => page.records)
  const found = records?.filter((record) => matches(record, words))
  return (
    <div className="stack">
      <PageHead title="History">Every change, newest first: who gave it, why, and what it led to.</PageHead>
      <Filters namespace={namespace} words={words} setWords={setWords} />
      {log.isError ? <Problem error={log.error} retry={() => void log.refetch()} /> : null}
      {found === undefined ? (
        log.isError ? null : (
          <p className="waiting">Reading the log …</p>
        )
      ) : (
        <section className="card" aria-label="Changes">
          {found.length === 0 ? <Nothing isFiltered={words !== '' || namespace !== undefined} /> : null}
          <ol className="changes">
            {found.map((record) => (
              <li key={record.sequence}>
                <Change record={record} />
              </li>
            ))}
          </ol>
          {log.hasNextPage ? (
            <p className="inset">
              <button
                type="button"
                className="button"
                disabled={log.isFetchingNextPage}
                onClick={() => void log.fetchNextPage()}
              >
                {log.isFetchingNextPage ? 'Reading …' : 'Show older changes'}
              </button>
            </p>
          ) : null}
        </section>
      )}
      <div className="labelled">
        <span>The same on the command line</span>
        <Command
          words={['switchyard', 'audit', ...(namespace === undefined ? [] : ['--namespace', namespace])]}
        />
      </div>
    </div>
  )
}

function useLog(namespace: string | undefined) {
  const api = useApi()
  return useInfiniteQuery<Log, ApiError, { pages: Log[] }, readonly unknown[], number | undefined>({
    queryKey: ['read', '/v1/log', { pages: true, namespace }],
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) =>
      api.read('/v1/log', { query: { order: 'newest', limit: PAGE, namespace, before: pageParam } }, signal),
    getNextPageParam: ({ more, last }) => (more ? last : undefined),
  })
}

/** Whether all words occur in what is shown of a change. */
function matches({ summary, reason = '', actor, apiKey, graphs }: LogRecord, words: string): boolean {
  const text = [summary, reason, actor, apiKey, ...(graphs ?? []).map(({ graph }) => graph)]
    .join(' ')
    .toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Filters({
  namespace,
  words,
  setWords,
}: {
  readonly namespace: string | undefined
  readonly words: string
  readonly setWords: (words: string) => void
}) {
  const navigate = route.useNavigate()
  const { data } = useRead('/v1/namespaces')
  const choose = (chosen: string) => {
    const search = chosen === '' ? {} : { namespace: chosen }
    void navigate({ search })
  }
  return (
    <div className="filters">
      <label className="labelled">
        <span>Namespace</span>
        <select className="field" value={namespace ?? ''} onChange={({ target }) => choose(target.value)}>
          <option value="">all</option>
          {data?.namespaces.map(({ name }) => (
            <option key={name} value={name}>
              {printable(name)}
            </option>
          ))}
        </select>
      </label>
      <label className="labelled">
        <span>Find in the changes shown</span>
        <input
          className="field"
          type="search"
          maxLength={200}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </label>
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="Nothing that was read fits">
      <p>Take words out of the filter, or show older changes.</p>
    </Empty>
  ) : (
    <Empty title="Nothing was changed yet" />
  )
}

function Change({ record }: { readonly record: LogRecord }) {
  const { time, summary, reason, namespace, events, sequence } = record
  return (
    <>
      <p className="quiet small change-time">
        <Moment at={time} />
      </p>
      <div className="change-what">
        <p>
          <Foreign text={summary} />
        </p>
        {reason === undefined ? null : (
          <blockquote>
            <Foreign text={reason} />
          </blockquote>
        )}
        <Caused record={record} />
        <details>
          <summary className="small">
            {events.length === 1 ? '1 event' : `${events.length} events`}
            <span className="unseen"> of change {sequence}</span>
          </summary>
          <pre className="events">{printable(JSON.stringify(events, null, 2))}</pre>
        </details>
      </div>
      <p className="quiet small change-who">
        <Actor {...record} />
        <br />
        {namespace === null ? null : (
          <>
            <Foreign text={namespace} />
            {' · '}
          </>
        )}
        change {sequence}
      </p>
    </>
  )
}

/** What a change led to: revisions of graphs. */
function Caused({ record: { namespace, graphs, graphCount } }: { readonly record: LogRecord }) {
  if (namespace === null) return null
  if (graphs === null) return <p className="quiet small">What it led to is not known any more.</p>
  if (graphs.length === 0) return null
  return (
    <ul className="row small">
      {graphs.map(({ graph, revisions }) => (
        <li key={graph}>
          <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph }}>
            <Foreign text={graph} />
          </Link>{' '}
          <span className="quiet">{revisionsOf(revisions)}</span>
        </li>
      ))}
      {graphCount > graphs.length ? (
        <li className="quiet">and {graphCount - graphs.length} more graphs</li>
      ) : null}
    </ul>
  )
}

function revisionsOf(revisions: NonNullable<LogRecord['graphs']>[number]['revisions']): string {
  if (revisions === null) return 'revision not known any more'
  if (revisions.length === 0) return 'no revision so far'
  return `revision ${revisions.map(({ revision }) => revision).join(', ')}`
}
