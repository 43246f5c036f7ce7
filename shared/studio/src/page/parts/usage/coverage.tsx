import type { Read } from '../../api/client.ts'
import { Foreign } from '../foreign.tsx'

type CoverageView = Read<'/v1/usage/{namespace}/{graph}'>['coverage']

/** How much of the time is known, and the reason if nothing may be called unused by it. */
export function Coverage({ of: { reportedMinutes, aliveMinutes, reason } }: { readonly of: CoverageView }) {
  return (
    <p className="quiet small">
      Known: {NUMBER.format(reportedMinutes)} of {NUMBER.format(aliveMinutes)} router minutes.
      {reason === null ? null : (
        <>
          {' '}
          Nothing may be called unused by it: <Foreign text={reason} />
        </>
      )}
    </p>
  )
}

const NUMBER = new Intl.NumberFormat('en')
