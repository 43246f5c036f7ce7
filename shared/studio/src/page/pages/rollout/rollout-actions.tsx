/** The commands about a rollout, each with what it affects. */
import { type ReactNode, useState } from 'react'
import { useRefusal, withReason } from '../../api/commands.ts'
import { useWrite } from '../../api/use-api.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import type { Rollout } from '../../parts/rollouts/state.ts'
import { reasonsAgainst, type Verb } from './possible.ts'

type Props = { readonly rollout: Rollout }

export function RolloutActions({ rollout }: Props) {
  const { ramp } = rollout
  const isLast = ramp !== null && ramp.step + 1 >= ramp.steps.length
  return (
    <>
      <Abort rollout={rollout} />
      <Resume rollout={rollout} />
      {ramp === null ? null : (
        <>
          <Pause rollout={rollout} />
          {isLast ? <EndRamp rollout={rollout} /> : <Advance rollout={rollout} />}
        </>
      )}
      <Complete rollout={rollout} />
    </>
  )
}

function words(verb: string, { namespace, name }: Rollout, ...more: readonly string[]): readonly string[] {
  return ['switchyard', 'rollout', verb, name, ...more, '--namespace', namespace]
}

function pathOf({ namespace, name }: Rollout) {
  return { path: { namespace, name } }
}

/** The reason why a command cannot be given: the session may not, or it would change nothing. */
function useReason(verb: Verb, rollout: Rollout): string | null {
  const permission = verb === 'abort' || verb === 'pause' ? 'abort' : 'rollout'
  const refusal = useRefusal(rollout.namespace, permission)
  return reasonsAgainst(rollout)[verb] ?? refusal
}

/** Says what a share of the audience gets. */
function gets({ mode, flag }: Rollout, share: string): ReactNode {
  return mode === 'shadow' ? (
    <>
      {share} answers of its audience are compared with those of flag <Foreign text={flag} />.
    </>
  ) : (
    <>
      {share} of its audience gets flag <Foreign text={flag} />.
    </>
  )
}

function Abort({ rollout }: Props) {
  const abort = useWrite('post', '/v1/rollouts/{namespace}/{name}/abort')
  const { inForce, graph, mode } = rollout
  return (
    <Confirmed
      label="Abort"
      kind="danger"
      refusal={useReason('abort', rollout)}
      title={`Abort ${rollout.name}`}
      affected={[
        mode === 'shadow' ? (
          <>Nothing more is compared. No client gets anything else than now.</>
        ) : (
          <>
            Requests to <Foreign text={graph} /> that it gives its flag now, which is {inForce} % of its
            audience, get base at once.
          </>
        ),
        <>Its percentage is kept, so that it can be resumed.</>,
      ]}
      command={words('abort', rollout)}
      act={(reason) => abort.mutateAsync({ address: pathOf(rollout), body: withReason({}, reason) })}
    />
  )
}

function Resume({ rollout }: Props) {
  const resume = useWrite('post', '/v1/rollouts/{namespace}/{name}/resume')
  const { percent, ramp } = rollout
  return (
    <Confirmed
      label="Resume"
      kind="main"
      refusal={useReason('resume', rollout)}
      title={`Resume ${rollout.name}`}
      affected={[
        gets(rollout, `${percent} %`),
        ...(ramp === null || ramp.state === 'ended'
          ? []
          : [<>Step {ramp.step + 1} of its ramp begins anew, and counts from nothing.</>]),
      ]}
      command={words('resume', rollout)}
      act={(reason) => resume.mutateAsync({ address: pathOf(rollout), body: withReason({}, reason) })}
    />
  )
}

function Pause({ rollout }: Props) {
  const pause = useWrite('post', '/v1/rollouts/{namespace}/{name}/pause')
  return (
    <Confirmed
      label="Pause"
      refusal={useReason('pause', rollout)}
      title={`Pause the ramp of ${rollout.name}`}
      affected={[
        <>It stays at {rollout.percent} % until it is resumed. No request gets anything else than now.</>,
        <>Routers stop counting, so neither guards nor the emergency stop act meanwhile.</>,
      ]}
      command={words('pause', rollout)}
      act={(reason) => pause.mutateAsync({ address: pathOf(rollout), body: withReason({}, reason) })}
    />
  )
}

function Advance({ rollout }: Props) {
  const advance = useWrite('post', '/v1/rollouts/{namespace}/{name}/advance')
  const { ramp, percent } = rollout
  const next = ramp?.steps[ramp.step + 1]
  return (
    <Confirmed
      label="Next step"
      refusal={useReason('advance', rollout)}
      title={`Go on to the next step of ${rollout.name}`}
      affected={[
        <>
          {next ?? 0} % of its audience get the flag instead of {percent} %, before the step has ended.
        </>,
        <>No guard judges the step that is left.</>,
      ]}
      command={words('advance', rollout)}
      act={(reason) =>
        advance.mutateAsync({ address: pathOf(rollout), body: withReason({ since: ramp?.since }, reason) })
      }
    />
  )
}

function EndRamp({ rollout }: Props) {
  const end = useWrite('post', '/v1/rollouts/{namespace}/{name}/end-ramp')
  return (
    <Confirmed
      label="End the ramp"
      refusal={useReason('end-ramp', rollout)}
      title={`End the ramp of ${rollout.name}`}
      affected={[
        <>It stays at {rollout.percent} %, and no guard and no emergency stop watches it any more.</>,
      ]}
      command={words('end-ramp', rollout)}
      act={(reason) =>
        end.mutateAsync({
          address: pathOf(rollout),
          body: withReason({ since: rollout.ramp?.since }, reason),
        })
      }
    />
  )
}

function Complete({ rollout }: Props) {
  const complete = useWrite('post', '/v1/rollouts/{namespace}/{name}/complete')
  return (
    <Confirmed
      label="Complete"
      refusal={useReason('complete', rollout)}
      title={`Complete ${rollout.name}`}
      affected={[
        gets(rollout, 'All'),
        ...(rollout.ramp?.state === 'running'
          ? [<>Its ramp ends without its guards having judged the steps that are left.</>]
          : []),
        <>Its percentage of {rollout.percent} % is kept, so that it can be resumed.</>,
      ]}
      command={words('complete', rollout)}
      act={(reason) => complete.mutateAsync({ address: pathOf(rollout), body: withReason({}, reason) })}
    />
  )
}

const PERCENT = /^\d{1,3}(?:\.\d{1,2})?$/

/** The percentage as a field, and the button that puts it in force. */
export function SetPercentage({ rollout }: Props) {
  const update = useWrite('patch', '/v1/rollouts/{namespace}/{name}')
  const [text, setText] = useState(String(rollout.percent))
  const reason = useReason('percent', rollout)
  const percent = PERCENT.test(text) && Number(text) <= 100 ? Number(text) : null
  const isSame = percent === rollout.percent
  return (
    <div className="row">
      <label className="row">
        <span className="small">Set it to</span>
        <input
          className="field percent-field"
          inputMode="decimal"
          maxLength={6}
          value={text}
          disabled={reason !== null}
          aria-invalid={percent === null}
          onChange={({ target }) => setText(target.value.trim())}
        />
        <span className="small">%</span>
      </label>
      <Confirmed
        label="Set"
        size="small"
        refusal={
          reason ??
          (percent === null
            ? 'From 0 to 100, with at most two decimals.'
            : isSame
              ? 'It is so already.'
              : null)
        }
        title={`Set ${rollout.name} to ${text} %`}
        affected={[
          gets(rollout, `${percent ?? 0} %`),
          <>It was {rollout.percent} %.</>,
          ...(rollout.key.length === 0 && percent !== 0 && percent !== 100
            ? [<>It has no key, so that only 0 and 100 are possible: the registry refuses this.</>]
            : []),
        ]}
        command={words('update', rollout, '--percent', text)}
        act={(given) =>
          update.mutateAsync({ address: pathOf(rollout), body: withReason({ percent }, given) })
        }
      />
      {reason === null ? null : <span className="quiet small">{reason}</span>}
    </div>
  )
}
