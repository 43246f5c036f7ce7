/** The figures of a rollout's step, as the API shows them. */
import type { RolloutFigures, RouterHeartbeat } from '@switchyard/contracts'
import type { Ramp, Rollout } from '@switchyard/domain'
import { addFigures, type GroupFigures, judgeStep, quantilesOf, type StepFigures } from '@switchyard/guards'

/** A guarded ramp, and what was heard of the step that it is at. */
export type CountedStep = { readonly ramp: Ramp; readonly figures: StepFigures }

/** `counted` is null for a rollout without a guarded ramp. `routers` are all of its graph. */
export function rolloutFigures(
  namespace: string,
  { name, graph, flag }: Pick<Rollout, 'name' | 'graph' | 'flag'>,
  counted: CountedStep | null,
  routers: readonly RouterHeartbeat[],
): RolloutFigures {
  const living = routers.filter(({ state }) => state === 'serving')
  const { inside, control, operations } = counted?.figures.sum ?? addFigures([])
  const isRunning = counted?.ramp.state === 'running'
  return {
    namespace,
    rollout: name,
    graph,
    flag,
    step: counted === null ? null : stepView(counted.ramp),
    routers: {
      living: living.length,
      silent: isRunning ? [...counted.figures.silentOf(living)] : [],
      stopped: isRunning ? [...counted.figures.stoppedOf(living)] : [],
    },
    inside: groupView(inside),
    control: groupView(control),
    operations: operations.map((operation) => ({
      name: operation.name,
      inside: requestsAndErrors(operation.inside),
      control: requestsAndErrors(operation.control),
    })),
    judgement: judgementOf(counted),
  }
}

function stepView(ramp: Ramp): NonNullable<RolloutFigures['step']> {
  const { step, steps, since, sinceTime, everyMs, state } = ramp
  const percent = steps[step] ?? 0
  return { step, steps: steps.length, percent, since, sinceTime, endTime: sinceTime + everyMs, state }
}

function groupView(group: GroupFigures): RolloutFigures['inside'] {
  const codes = group.codes.map(([code, errors]) => ({ code, errors }))
  return { requests: group.requests, errors: group.errors, codes, latencyMs: quantilesOf(group) }
}

function requestsAndErrors([requests, errors]: readonly [number, number]): {
  readonly requests: number
  readonly errors: number
} {
  return { requests, errors }
}

/** Returns the judgement of the record that ended the step; while it runs, that of its figures by now. */
function judgementOf(counted: CountedStep | null): RolloutFigures['judgement'] {
  if (counted === null) return null
  const { ramp, figures } = counted
  return ramp.state === 'running' ? judgeStep(figures.sum, ramp) : ramp.judgement
}
