/** Figures of a process, as its heartbeats tell them. */
import type { Read } from '../../api/client.ts'
import { Moment } from '../../parts/moment.tsx'

export type ProcessLoad = NonNullable<Read<'/v1/services'>['services'][number]['load']>

export function Load({ load }: { readonly load: ProcessLoad }) {
  return (
    <>
      <div>
        <dt>Memory</dt>
        <dd>{Math.round(load.residentBytes / 1e6)} MB</dd>
      </div>
      <div>
        <dt>Event loop</dt>
        <dd>
          {Math.round(load.eventLoopUtilization * 100)} % busy
          <small>late by {load.eventLoopDelayMs.toFixed(1)} ms (p99)</small>
        </dd>
      </div>
      <div>
        <dt>Running</dt>
        <dd>
          <Moment at={load.startedAt} />
        </dd>
      </div>
    </>
  )
}

/** When a process was heard, of seconds. */
export function heard(ageSeconds: number): string {
  return ageSeconds < 1 ? 'just now' : `${Math.round(ageSeconds)} s ago`
}
