/** The commands about a flag, each with what it affects. */
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRefusal, withReason } from '../../api/commands.ts'
import { useWrite } from '../../api/use-api.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import {
  failure,
  type FlagDetail,
  promoted,
  type Publication,
  rolloutsOf,
  type Snapshot,
  undone,
} from './affected.ts'

type Props = { readonly flag: FlagDetail; readonly snapshot: Snapshot }

export function FlagActions(props: Props) {
  return (
    <>
      {props.flag.enabled ? <Disable {...props} /> : <Enable {...props} />}
      {props.flag.launched === undefined ? <Promote {...props} /> : <Undo {...props} />}
      <Delete {...props} />
    </>
  )
}

function words(verb: string, { namespace, name }: FlagDetail, ...more: readonly string[]): readonly string[] {
  return ['switchyard', 'feature-flag', verb, name, ...more, '--namespace', namespace]
}

function pathOf({ namespace, name }: FlagDetail) {
  return { path: { namespace, name } }
}

function Enable({ flag, snapshot }: Props) {
  const enable = useWrite('post', '/v1/feature-flags/{namespace}/{name}/enable')
  const rollouts = rolloutsOf(snapshot, flag.name)
  return (
    <Confirmed
      label="Enable"
      kind="main"
      refusal={useRefusal(flag.namespace)}
      title={`Enable ${flag.name}`}
      affected={[
        <>Requests that name it get it from {graphsOf(flag)}, once it is composed there.</>,
        ...(rollouts.length === 0 ? [] : [<>So do the requests that rollouts select: {list(rollouts)}.</>]),
      ]}
      command={words('enable', flag)}
      act={(reason) => enable.mutateAsync({ address: pathOf(flag), body: withReason({}, reason) })}
    />
  )
}

function Disable({ flag, snapshot }: Props) {
  const disable = useWrite('post', '/v1/feature-flags/{namespace}/{name}/disable')
  const rollouts = rolloutsOf(snapshot, flag.name)
  return (
    <Confirmed
      label="Disable"
      kind="danger"
      refusal={useRefusal(flag.namespace)}
      title={`Disable ${flag.name}`}
      affected={[
        <>Requests that name it get base from {graphsOf(flag)}.</>,
        <LastDay key="day" flag={flag} />,
        ...(rollouts.length === 0
          ? []
          : [<>Rollouts of it give it to nobody meanwhile: {list(rollouts)}.</>]),
      ]}
      command={words('disable', flag)}
      act={(reason) => disable.mutateAsync({ address: pathOf(flag), body: withReason({}, reason) })}
    />
  )
}

function Promote({ flag, snapshot }: Props) {
  const promote = useWrite('post', '/v1/feature-flags/{namespace}/{name}/promote')
  const refusal = useRefusal(flag.namespace)
  const publications = promoted(snapshot, flag)
  return (
    <Confirmed
      label="Promote"
      kind="main"
      refusal={refusal ?? failure(flag) ?? (publications.length === 0 ? 'Base has all of it already.' : null)}
      title={`Promote ${flag.name}`}
      affected={[
        ...sentencesOf(publications),
        <>That is so in all graphs of the namespace, for everybody. The flag stays, and is served base.</>,
        <>
          Its compositions fit together now. Graphs that its labels do not choose are composed afterwards: one
          that fails keeps what it serves. The command line composes all of them first.
        </>,
        <>It can be undone until somebody changes these subgraphs.</>,
      ]}
      command={words('promote', flag)}
      act={(reason) =>
        promote.mutateAsync({
          address: pathOf(flag),
          body: withReason({ expectedSequence: snapshot.sequence }, reason),
        })
      }
    />
  )
}

function Undo({ flag, snapshot }: Props) {
  const undo = useWrite('delete', '/v1/feature-flags/{namespace}/{name}/promote')
  return (
    <Confirmed
      label="Undo the promotion"
      kind="danger"
      refusal={useRefusal(flag.namespace)}
      title={`Undo the promotion of ${flag.name}`}
      affected={[
        ...sentencesOf(undone(flag)),
        <>That is so in all graphs of the namespace, for everybody.</>,
        <>It is refused if somebody changed these subgraphs since.</>,
      ]}
      command={words('promote', flag, '--undo')}
      act={(reason) =>
        undo.mutateAsync({
          address: pathOf(flag),
          body: withReason({ expectedSequence: snapshot.sequence }, reason),
        })
      }
    />
  )
}

function Delete({ flag, snapshot }: Props) {
  const remove = useWrite('delete', '/v1/feature-flags/{namespace}/{name}')
  const navigate = useNavigate()
  const { namespace } = flag
  const rollouts = rolloutsOf(snapshot, flag.name)
  return (
    <Confirmed
      label="Delete"
      kind="danger"
      refusal={useRefusal(namespace)}
      title={`Delete ${flag.name}`}
      affected={[
        <>Requests that name it get base from {graphsOf(flag)}.</>,
        <LastDay key="day" flag={flag} />,
        ...(rollouts.length === 0 ? [] : [<>Rollouts are deleted with it: {list(rollouts)}.</>]),
        <>Its feature subgraphs stay.</>,
      ]}
      command={words('delete', flag)}
      act={async (reason) => {
        await remove.mutateAsync({ address: pathOf(flag), body: withReason({}, reason) })
        await navigate({ to: '/ns/$namespace/feature-flags', params: { namespace } })
      }}
    />
  )
}

function sentencesOf(publications: readonly Publication[]): readonly ReactNode[] {
  return publications.map(({ subgraph, content }) => (
    <>
      Subgraph <Foreign text={subgraph} mono /> gets <Foreign text={content} />.
    </>
  ))
}

/** Says how many requests got the flag of late, as far as that is known. */
function LastDay({ flag: { lastDay } }: { readonly flag: FlagDetail }) {
  if (lastDay === undefined) return <>How many requests got it in the last 24 hours is not known here.</>
  const requests = lastDay.reduce((sum, one) => sum + one.requests, 0)
  return <>It answered {requests} requests in the last 24 hours.</>
}

function graphsOf({ graphs }: FlagDetail): ReactNode {
  return graphs.length === 0
    ? 'no graph, since its labels choose none'
    : list(graphs.map(({ graph }) => graph))
}

function list(names: readonly string[]): ReactNode {
  return <Foreign text={names.join(', ')} />
}
