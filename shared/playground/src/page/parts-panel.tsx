/** The parts of an answer on a line of time, and the answer with what each of them added. */
import { AnswerParts } from '@switchyard/operation-views/views'
import { usePlayground } from './context.ts'
import { useStore } from './store.ts'

export function PartsPanel() {
  const answer = useStore(usePlayground().answer)
  return (
    <section className="panel">
      <h2>Parts of the answer</h2>
      {answer === null ? (
        <p>
          Each part of an answer appears here as it comes. An operation with <code>@defer</code> has several.
        </p>
      ) : null}
      {answer === null || answer.merged === null ? null : (
        <AnswerParts answer={answer.merged} label="the answer" isWaiting={answer.hasNext} />
      )}
      {answer !== null && answer.failure !== null && <p role="status">{answer.failure}</p>}
      {answer?.hasNext === true && <p role="status">More parts are to come …</p>}
    </section>
  )
}

export function PartsIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M3 4h9M3 10h14M3 16h6M16 3v2M13 15v2" />
    </svg>
  )
}
