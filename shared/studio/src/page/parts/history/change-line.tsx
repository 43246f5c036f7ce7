/** One change of the log in a line: when, what, why, and who. */
import type { Read } from '../../api/client.ts'
import { Actor } from '../actor.tsx'
import { Foreign } from '../foreign.tsx'
import { Moment } from '../moment.tsx'

export type LogRecord = Read<'/v1/log'>['records'][number]

export function ChangeLine({ record }: { readonly record: LogRecord }) {
  return (
    <>
      <span className="quiet small line-time">
        <Moment at={record.time} />
      </span>
      <span className="line-text">
        <Foreign text={record.summary} />
        {record.reason === undefined ? null : (
          <span className="quiet">
            {' '}
            — <Foreign text={record.reason} />
          </span>
        )}
      </span>
      <span className="quiet small">
        by <Actor {...record} />
      </span>
    </>
  )
}
