/** The plan of the last operation, as its trace has it. */
import { PlanView } from '@switchyard/operation-views/views'
import { usePlayground } from './context.ts'
import { useStore } from './store.ts'
import { whyNone } from './trace-panel.tsx'

export function PlanPanel() {
  const playground = usePlayground()
  const { tracing } = useStore(playground.state)
  const { trace: isAskedFor } = useStore(playground.choices)
  const answer = useStore(playground.answer)
  const trace = answer?.trace ?? null
  return (
    <section className="panel">
      <h2>Plan</h2>
      {trace === null ? (
        <p>{whyNone(tracing, isAskedFor, answer)}</p>
      ) : (
        <PlanView trace={trace} label="the plan" />
      )}
    </section>
  )
}

export function PlanIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M2 7h5v6H2zM13 2h5v5h-5zM13 13h5v5h-5zM7 10h3M10 4.5v11M10 4.5h3M10 15.5h3" />
    </svg>
  )
}
