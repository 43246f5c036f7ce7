/** What the router did for the runs: the plan of the first, and their traces. */
import { PlanView } from '@switchyard/operation-views/views'
import { Foreign } from '../../parts/foreign.tsx'
import { TraceView } from '../../parts/traces/trace-view.tsx'
import type { SlotState } from '../../parts/traces/use-slot.ts'

export function PlanCard({ name, slot }: { readonly name: string; readonly slot: SlotState }) {
  if (slot.kind !== 'read') return null
  const label = `Plan of ${name}`
  return (
    <section className="card" aria-label={label}>
      <header>
        <h2>
          <Foreign text={label} />
        </h2>
      </header>
      <div className="pg-body">
        <PlanView trace={slot.response.trace} label={`the plan of ${name}`} />
      </div>
    </section>
  )
}

export function TraceCard({ first, second }: { readonly first: SlotState; readonly second: SlotState }) {
  return (
    <>
      {[first, second].map((slot) =>
        slot.kind === 'refused' ? (
          <div key={slot.name} className="notice" data-tone="bad" role="alert">
            <p>
              The trace of <Foreign text={slot.name} /> is not shown. <Foreign text={slot.message} />
            </p>
          </div>
        ) : null,
      )}
      {first.kind === 'read' ? <TraceView a={first} b={second.kind === 'read' ? second : null} /> : null}
    </>
  )
}
