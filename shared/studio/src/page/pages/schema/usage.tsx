/** Who asks for a field, as far as routers told, and whether that is all that is known. */
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSchemaAddress } from './use-schema-address.ts'

type Report = Read<'/v1/usage/{namespace}/{graph}'>

const CLIENTS = 20

export function Usage({ coordinate }: { readonly coordinate: string }) {
  const {
    params: { namespace, graph },
    composition,
  } = useSchemaAddress()
  const flag = /^flag:(.+)$/s.exec(composition)?.[1]
  const usage = useRead('/v1/usage/{namespace}/{graph}', {
    path: { namespace, graph },
    query: { group: 'client', coordinate, limit: CLIENTS, schemaOf: flag },
  })
  return (
    <div className="usage" role="group" aria-label={`Who asks for ${coordinate}`}>
      <h4>Who asks for it</h4>
      <Loaded of={usage}>{(report) => <Asking report={report} />}</Loaded>
      <Command words={['switchyard', 'usage', graph, '--field', coordinate, '--namespace', namespace]} />
    </div>
  )
}

function Asking({
  report: { totals, groups, leftOut, from, coverage, restRequests },
}: {
  readonly report: Report
}) {
  return (
    <>
      <p>
        <Sentence requests={totals.requests} isEvidence={coverage.isEvidence} /> The time that was looked at
        began <Moment at={from} />; it is that of all compositions of the graph together.
      </p>
      {coverage.reason === null ? null : (
        <p className="quiet">
          This is no evidence: <Foreign text={coverage.reason} />
        </p>
      )}
      {groups.length === 0 ? null : (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>Client</th>
                <th>Version</th>
                <th className="number">Requests</th>
                <th className="number">With errors</th>
                <th>Last</th>
              </tr>
            </thead>
            <tbody>
              {groups.map(({ client, requests, errors, lastSeen }) => (
                <tr key={`${client?.name}\n${client?.version}`}>
                  <td>{client?.name == null ? 'gave no name' : <Foreign text={client.name} />}</td>
                  <td>{client?.version == null ? '–' : <Foreign text={client.version} />}</td>
                  <td className="number">{requests}</td>
                  <td className="number">{errors}</td>
                  <td>
                    <Moment at={lastSeen} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {leftOut > 0 ? <p className="quiet small">{leftOut} more clients asked for it less often.</p> : null}
      {restRequests > 0 ? (
        <p className="quiet small">
          {restRequests} requests were of operations that routers had no room to tell apart.
        </p>
      ) : null}
    </>
  )
}

function Sentence({ requests, isEvidence }: { readonly requests: number; readonly isEvidence: boolean }) {
  if (requests > 0)
    return (
      <>
        <strong>{requests === 1 ? 'One request' : `${requests} requests`}</strong> used it.
      </>
    )
  return isEvidence ? (
    <>
      <strong>Nobody asked for it.</strong>
    </>
  ) : (
    <>No request for it is known.</>
  )
}
