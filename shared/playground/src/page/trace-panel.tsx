/** The trace of the last request: the page of `switchyard trace open`, inside this one. */
import { responseErrorsIn } from '@switchyard/request-trace/response-errors'
import { mountTrace } from '@switchyard/trace-viewer/mount'
import '@switchyard/trace-viewer/style.css'
import { useEffect, useRef } from 'react'
import type { PlaygroundState } from '../state.ts'
import type { PlaygroundAnswer } from './answer.ts'
import { usePlayground } from './context.ts'
import { useStore } from './store.ts'

export function TracePanel() {
  const playground = usePlayground()
  const { tracing } = useStore(playground.state)
  const { trace: isAskedFor } = useStore(playground.choices)
  const answer = useStore(playground.answer)
  const dialog = useRef<HTMLDialogElement>(null)
  const trace = answer?.trace ?? null
  if (answer === null || trace === null) {
    return (
      <section className="panel">
        <h2>Trace</h2>
        <p>{whyNone(tracing, isAskedFor, answer)}</p>
      </section>
    )
  }
  return (
    <section className="panel">
      <div className="panel-head">
        <h2>Trace</h2>
        <button type="button" onClick={() => dialog.current?.showModal()}>
          Enlarge
        </button>
        <button type="button" onClick={() => save(trace)}>
          Save as JSON
        </button>
      </div>
      <MountedTrace answer={answer} />
      <dialog ref={dialog} className="large" aria-label="Trace">
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
        <MountedTrace answer={answer} />
      </dialog>
    </section>
  )
}

function MountedTrace({ answer }: { readonly answer: PlaygroundAnswer }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null || answer.trace === null) return undefined
    const { unmount } = mountTrace(host.current, {
      trace: answer.trace,
      errors: answer.parts.flatMap(({ body }) => responseErrorsIn(body)),
    })
    return unmount
  }, [answer])
  return <div ref={host} />
}

/** Says why there is no trace. */
export function whyNone(
  tracing: PlaygroundState['tracing'],
  isAskedFor: boolean,
  answer: PlaygroundAnswer | null,
): string {
  if (tracing === null) return 'This router gives no traces: engine.enable_request_tracing is off.'
  if (!isAskedFor)
    return 'Switch on “Trace” above, and run an operation: what the router did for it appears here.'
  if (answer === null) return 'Run an operation: what the router did for it appears here.'
  if (answer.events !== null) return 'Subscriptions have no traces: they would grow with each event.'
  if (answer.failure !== null) return answer.failure
  return tracing.needsToken
    ? 'The answer has no trace. This router gives one only to those who show a token; “switchyard router trace-token” makes one.'
    : 'The answer has no trace: it came before “Trace” was switched on, or something other than the router answered.'
}

/** In the form that `switchyard trace open` reads. */
function save(trace: unknown): void {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify({ extensions: { trace } })], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = 'trace.json'
  link.click()
  URL.revokeObjectURL(url)
}

export function TraceIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M3 4h6M6 10h8M10 16h7" strokeLinecap="round" />
    </svg>
  )
}
