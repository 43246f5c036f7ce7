import { useLiveState } from '../api/use-live.ts'

const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: false })

/** Tells whether pages show changes as they happen. */
export function Liveness() {
  const state = useLiveState()
  return (
    <p className="liveness small" role="status" data-state={state.kind}>
      {
        {
          live: 'Live',
          connecting: 'Connecting …',
          'signed-out': 'Not live: nobody is signed in',
          reconnecting: 'Reconnecting',
        }[state.kind]
      }
      {state.kind === 'reconnecting' ? `: not live since ${CLOCK.format(state.since)}` : ''}
    </p>
  )
}
