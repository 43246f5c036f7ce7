/** The last changes of one thing, as the log has them. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Empty, Loaded } from '../states.tsx'
import { ChangeLine, type LogRecord } from './change-line.tsx'

export type LogEvent = LogRecord['events'][number]

/** Records that are looked through. */
const LOOKED_AT = 500
const MOST_SHOWN = 12

/** Reads the newest records of a namespace. */
export function useLog(namespace: string) {
  return useRead('/v1/log', { query: { namespace, order: 'newest', limit: LOOKED_AT } })
}

/** Whether an event is about something: its type begins with the kind, and it has the name. */
export function isAbout(event: LogEvent, kind: 'feature-flag' | 'rollout', name: string): boolean {
  return event.type.startsWith(`${kind}.`) && event['name'] === name
}

export function ChangesOf({
  namespace,
  kind,
  name,
  details,
}: {
  readonly namespace: string
  readonly kind: 'feature-flag' | 'rollout'
  readonly name: string
  /** Returns what an event tells beside the summary of its record. */
  readonly details?: (event: LogEvent) => ReactNode
}) {
  const log = useLog(namespace)
  return (
    <section className="card" aria-labelledby="changes-of">
      <header>
        <h2 id="changes-of">Changes</h2>
        <Link to="/history" search={{ namespace }} className="small">
          All changes of the namespace
        </Link>
      </header>
      <Loaded of={log}>
        {({ records, more }) => {
          const found = records.filter(({ events }) => events.some((event) => isAbout(event, kind, name)))
          return (
            <>
              {found.length === 0 ? (
                <Empty title={more ? `Not among the last ${LOOKED_AT} changes` : 'Nothing was changed'} />
              ) : (
                <ol className="lines">
                  {found.slice(0, MOST_SHOWN).map((record) => (
                    <li key={record.sequence} className="line">
                      <ChangeLine record={record} />
                      {details === undefined
                        ? null
                        : record.events.filter((event) => isAbout(event, kind, name)).map(details)}
                    </li>
                  ))}
                </ol>
              )}
              {found.length > MOST_SHOWN || more ? (
                <p className="inset quiet small">Older changes are in the history of the namespace.</p>
              ) : null}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
