/** Rows of usage as a table: what each is about, and its counts. */
import type { ReactNode } from 'react'
import type { Read } from '../../api/client.ts'
import { Foreign } from '../foreign.tsx'
import { Moment } from '../moment.tsx'
import { TableScroll } from '../table-scroll.tsx'
import { clientText, countText, errorsText, latencyText } from './numbers.ts'

export type UsageGroup = Read<'/v1/usage/{namespace}/{graph}'>['groups'][number]

export function UsageTable({
  label,
  subject,
  groups,
  name,
}: {
  readonly label: string
  /** The head of the first column. */
  readonly subject: string
  readonly groups: readonly UsageGroup[]
  readonly name: (group: UsageGroup) => ReactNode
}) {
  return (
    <TableScroll label={label}>
      <table className="table">
        <thead>
          <tr>
            <th>{subject}</th>
            <th className="number">Requests</th>
            <th className="number">Errors</th>
            <th className="number">p50</th>
            <th className="number">p99</th>
            <th className="number">Last</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={JSON.stringify([group.operation?.hash, group.client, group.flag, group.hour])}>
              <td>{name(group)}</td>
              <td className="number">{countText(group.requests)}</td>
              <td className="number">{errorsText(group)}</td>
              <td className="number">{latencyText(group.latencyMs.p50)}</td>
              <td className="number">{latencyText(group.latencyMs.p99)}</td>
              <td className="number">{group.lastSeen === 0 ? '–' : <Moment at={group.lastSeen} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

export function ClientName({ of: { client } }: { readonly of: UsageGroup }) {
  const text = client === undefined ? null : clientText(client)
  return text === null ? <span className="quiet">gave no name</span> : <Foreign text={text} />
}

export function FlagName({ of: { flag } }: { readonly of: UsageGroup }) {
  return flag === undefined || flag === null ? <>base</> : <Foreign text={flag} />
}
