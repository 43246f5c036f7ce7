/** The events of a subscription, the newest first, with the time of each. */
import { memo } from 'react'
import { usePlayground } from './context.ts'
import { missedSentence, MOST_EVENTS, type ReceivedEvent, type ReceivedEvents } from './event-log.ts'
import { useStore } from './store.ts'

export function EventsPanel() {
  const answer = useStore(usePlayground().answer)
  const events = answer?.events ?? null
  return (
    <section className="panel">
      <h2>Events</h2>
      {events === null || answer === null ? (
        <p>
          Run a <code>subscription</code>: its events appear here as they come.
        </p>
      ) : (
        <>
          <p role="status">{statusOf(events, answer.failure)}</p>
          {events.count > MOST_EVENTS && (
            <p>
              The list has the newest {MOST_EVENTS}. The {(events.count - MOST_EVENTS).toLocaleString('en')}{' '}
              before them are not kept.
            </p>
          )}
          <ol className="parts events" reversed>
            {events.kept.map((event) => (
              <Event key={event.number} event={event} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

/** Says how many events have come, and whether more will. */
function statusOf({ count, ended }: ReceivedEvents, failure: string | null): string {
  const counted = `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}.`
  const reason = failure ?? ended
  if (reason !== null) return `${counted} ${reason}`
  return count === 0 ? 'Waiting for the first event …' : `${counted} Waiting for more …`
}

const Event = memo(({ event }: { readonly event: ReceivedEvent }) => {
  const { number, at, text, hasErrors, missed } = event
  return (
    <li>
      {missed !== null && <p className="missed">{missedSentence(missed)}</p>}
      <h3>
        {number.toLocaleString('en')} · {timeOf(at)}
        {hasErrors && ' · with errors'}
      </h3>
      <pre>{text}</pre>
    </li>
  )
})
Event.displayName = 'Event'

/** The time of day, to the millisecond. */
function timeOf(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const seconds = `${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`
  return `${two(at.getHours())}:${two(at.getMinutes())}:${seconds}`
}

export function EventsIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M2 10h4l2-6 4 12 2-6h4" strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  )
}
