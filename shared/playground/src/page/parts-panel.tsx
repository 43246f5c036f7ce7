/** The parts of an answer in the order in which they came, with the time of each. */
import { isRecord } from '@switchyard/values'
import type { ReceivedPart } from './answer.ts'
import { usePlayground } from './context.ts'
import { useStore } from './store.ts'

/** Characters of one part that are shown. A browser lays out more of them slowly. */
const SHOWN = 100_000

export function PartsPanel() {
  const answer = useStore(usePlayground().answer)
  return (
    <section className="panel">
      <h2>Parts of the answer</h2>
      {answer === null ? (
        <p>
          Each part of an answer appears here as it comes. An operation with <code>@defer</code> has several.
        </p>
      ) : (
        <ol className="parts">
          {answer.parts.map((part) => (
            <li key={part.after}>
              <Part part={part} />
            </li>
          ))}
        </ol>
      )}
      {answer !== null && answer.failure !== null && <p role="status">{answer.failure}</p>}
      {answer?.hasNext === true && <p role="status">More parts are to come …</p>}
    </section>
  )
}

function Part({ part: { after, body } }: { readonly part: ReceivedPart }) {
  const text = JSON.stringify(withoutTrace(body), null, 2)
  return (
    <>
      <h3>after {Math.round(after).toLocaleString('en')} ms</h3>
      <pre>
        {text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… ${text.length - SHOWN} more characters` : text}
      </pre>
    </>
  )
}

/** The trace is shown in its own panel. */
function withoutTrace(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['extensions'])) return body
  const { trace, ...extensions } = body['extensions']
  if (trace === undefined) return body
  const { extensions: _, ...others } = body
  return Object.keys(extensions).length === 0 ? others : { ...others, extensions }
}

export function PartsIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M3 4h9M3 10h14M3 16h6M16 3v2M13 15v2" />
    </svg>
  )
}
