import type { LiveState } from '../api/live/live-connection.ts'
import { useLiveState } from '../api/use-live.ts'
import { Foreign } from '../parts/foreign.tsx'

const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: false })

/** Tells whether pages show changes as they happen. */
export function Liveness() {
  const state = useLiveState()
  return (
    <p className="liveness small" role="status" data-state={state.kind}>
      <Foreign text={textOf(state)} />
    </p>
  )
}

function textOf(state: LiveState): string {
  switch (state.kind) {
    case 'live':
      return 'Live'
    case 'connecting':
      return 'Connecting …'
    case 'signed-out':
      return 'Not live: nobody is signed in'
    case 'reconnecting': {
      const since = `not live since ${CLOCK.format(state.since)}`
      return state.refusal === null ? `Reconnecting: ${since}` : `Refused, ${since}: ${state.refusal}`
    }
    default:
      return state satisfies never
  }
}
