/** Rollouts: who gets the composition of a flag without naming it. */
import { isDeepStrictEqual } from 'node:util'
import {
  groupsMatch,
  MAX_ROLLOUT_LENGTH,
  MAX_ROLLOUTS_LENGTH,
  MAX_ROLLOUTS_PER_GRAPH,
  problem,
  type RegistryEvent,
} from '@switchyard/contracts'
import { conditionProblem, printRolloutCondition } from '@switchyard/rollouts'
import { manifestRollout, rolloutsOf } from '../state/rollouts.ts'
import { applyEvents } from '../state/apply-event.ts'
import type { NamespaceState, Rollout } from '../state/namespace-state.ts'
import { lateness, moveRamp, rampRollout } from './ramps.ts'
import type { Command, CommandOf, RolloutProperties } from './command.ts'
import { decided, type Decision, existsAlready, invalid, notFound, refused, unchanged } from './decision.ts'

/** A command about one rollout. */
export type RolloutCommand = Extract<Command, { readonly type: `${string}-rollout` }>

type Created = Extract<RegistryEvent, { readonly type: 'rollout.created' }>
type Updated = Extract<RegistryEvent, { readonly type: 'rollout.updated' }>

export function isRolloutCommand(command: Command): command is RolloutCommand {
  return command.type.endsWith('-rollout')
}

/** Decides a command about a rollout. */
export function decideRollout(state: NamespaceState, command: RolloutCommand): Decision {
  switch (command.type) {
    case 'create-rollout':
      return createRollout(state, command)
    case 'update-rollout':
      return updateRollout(state, command)
    case 'ramp-rollout':
      return withRollout(state, command.name, (rollout) => rampRollout(state, rollout, command))
    case 'advance-rollout':
    case 'pause-rollout':
    case 'end-ramp-of-rollout':
      return withRollout(state, command.name, (rollout) => moveRamp(state, rollout, command))
    default:
      return switchRollout(state, command)
  }
}

export function createRollout(state: NamespaceState, command: CommandOf<'create-rollout'>): Decision {
  const { name, graph, flag, expires, shadow, before } = command
  if (state.rollouts.has(name)) return existsAlready(state, `a rollout "${name}"`)
  if (!state.graphs.has(graph))
    return notFound(state, `federated graph "${graph}"`, { name: graph, known: state.graphs.keys() })
  if (!state.flags.has(flag))
    return notFound(state, `feature flag "${flag}"`, { name: flag, known: state.flags.keys() })
  const event: Created = {
    type: 'rollout.created',
    name,
    graph,
    flag,
    mode: command.mode ?? 'serve',
    where: [...(command.where ?? [])],
    percent: command.percent ?? 0,
    key: [...(command.key ?? [])],
    salt: command.salt ?? `${name}-${command.freshSalt}`.slice(-MAX_SALT),
    ...(expires === undefined || expires === null ? {} : { expires }),
    ...(shadow === undefined || shadow === null ? {} : { shadow }),
    ...(before === undefined || before === null ? {} : { before }),
  }
  return judged(state, event, `Rollout "${name}" was not created`)
}

const MAX_SALT = 200

export function updateRollout(state: NamespaceState, command: CommandOf<'update-rollout'>): Decision {
  return withRollout(state, command.name, (rollout) => {
    const change = changeOf(state, rollout, command)
    const { percent, where, key, mode } = change
    if (percent !== undefined && rollout.status !== 'active') return notActive(rollout)
    const isOnRamp = rollout.ramp?.state === 'running' && rollout.status === 'active'
    if (isOnRamp && [percent, where, key, mode].some((member) => member !== undefined)) return onRamp(rollout)
    if (Object.keys(change).length === 0) return unchanged(`Rollout "${rollout.name}" is like this already`)
    const event: Updated = { type: 'rollout.updated', name: rollout.name, ...change }
    return judged(state, event, `Rollout "${rollout.name}" was not updated`)
  })
}

/** Aborts, resumes, completes or deletes a rollout. */
export function switchRollout(
  state: NamespaceState,
  command: CommandOf<'abort-rollout' | 'resume-rollout' | 'complete-rollout' | 'delete-rollout'>,
): Decision {
  const { name } = command
  return withRollout(state, name, (rollout) => {
    const { status, ramp } = rollout
    switch (command.type) {
      case 'abort-rollout': {
        if (status === 'aborted') return unchanged(`Rollout "${name}" is aborted already`)
        const { judgement, emergency } = command
        return (
          lateness(rollout, command) ??
          decided(state, {
            type: 'rollout.aborted',
            name,
            ...(judgement === undefined ? {} : { judgement }),
            ...(emergency === undefined ? {} : { emergency }),
          })
        )
      }
      case 'resume-rollout':
        return status === 'active' && ramp?.state !== 'paused'
          ? unchanged(`Rollout "${name}" is active already`)
          : decided(state, { type: 'rollout.resumed', name })
      case 'complete-rollout': {
        if (status === 'completed') return unchanged(`Rollout "${name}" is completed already`)
        const { judgement } = command
        const event = {
          type: 'rollout.completed',
          name,
          ...(judgement === undefined ? {} : { judgement }),
        } as const
        return lateness(rollout, command) ?? decided(state, event)
      }
      case 'delete-rollout':
        return decided(state, { type: 'rollout.deleted', name })
      default:
        return command satisfies never
    }
  })
}

/** Returns the properties that the command changes. */
function changeOf(
  state: NamespaceState,
  rollout: Rollout,
  { mode, where, percent, key, expires, shadow, before }: RolloutProperties,
): Omit<Updated, 'type' | 'name'> {
  return {
    ...(mode === undefined || mode === rollout.mode ? {} : { mode }),
    ...(where === undefined || isDeepStrictEqual(where, rollout.where) ? {} : { where: [...where] }),
    ...(percent === undefined || percent === rollout.percent ? {} : { percent }),
    ...(key === undefined || isDeepStrictEqual(key, rollout.key) ? {} : { key: [...key] }),
    ...(expires === undefined || expires === rollout.expires ? {} : { expires }),
    ...(shadow === undefined || isDeepStrictEqual(shadow, rollout.shadow) ? {} : { shadow }),
    ...(before === undefined || before === nextOf(state, rollout) ? {} : { before }),
  }
}

/** The name of the rollout that requests try right after this one; null if it is the last one. */
function nextOf(state: NamespaceState, { graph, place }: Rollout): string | null {
  return rolloutsOf(state, graph)[place + 1]?.name ?? null
}

/** Refuses the event if the rollout that it leads to breaks a rule. */
function judged(state: NamespaceState, event: Created | Updated, outcome: string): Decision {
  const after = applyEvents(state, [event])
  const rollout = after.rollouts.get(event.name)
  if (rollout === undefined) return decided(state, event)
  const problems = [
    ...(event.type === 'rollout.created' ? labelProblems(state, event) : []),
    ...ruleProblems(rollout),
    ...conditionProblems(event),
    ...limitProblems(after, rollout),
  ]
  const { before } = event
  const isKnown = (name: string) => name !== event.name && state.rollouts.get(name)?.graph === rollout.graph
  if (before !== undefined && before !== null && !isKnown(before)) {
    problems.push(`Federated graph "${rollout.graph}" has no other rollout "${before}" to come before.`)
  }
  return problems.length === 0 ? decided(state, event) : invalid('ROLLOUT_INVALID', outcome, problems)
}

/**
 * Flags and graphs may get other labels later. The rollout then selects nobody, and can be changed all the
 * same.
 */
function labelProblems(state: NamespaceState, { graph: graphName, flag: flagName }: Created) {
  const [graph, flag] = [state.graphs.get(graphName), state.flags.get(flagName)]
  if (graph === undefined || flag === undefined || groupsMatch(graph.labelGroups, flag.labels)) return []
  return [
    `Feature flag "${flagName}" does not apply to federated graph "${graphName}": its labels (${flag.labels.join(' ') || 'none'}) do not match those that the graph asks for.`,
  ]
}

function ruleProblems({ key, percent, mode }: Rollout): string[] {
  const problems: string[] = []
  if (mode === 'serve' && key.length === 0 && percent !== 0 && percent !== 100) {
    problems.push(
      `${percent} percent of whom? Without a key nobody is recognised, and then only 0 and 100 percent are possible. Name a key, such as claim:sub or cookie:visitor.`,
    )
  }
  return problems
}

/** Judges new conditions only, since routers pass over those of before that they do not understand. */
function conditionProblems({ where = [] }: Created | Updated): readonly string[] {
  return where.flatMap((condition) => {
    const why = conditionProblem(condition)
    if (why === null) return []
    return [`The condition "${printRolloutCondition(condition)}" would hold for nobody: ${why}.`]
  })
}

function limitProblems(state: NamespaceState, rollout: Rollout): readonly string[] {
  const all = rolloutsOf(state, rollout.graph)
  const lengths = all.map((one) => JSON.stringify(manifestRollout(one)).length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const own = lengths[rollout.place] ?? 0
  const advice =
    'Every router reads all of it for each configuration. Have your identity provider put a claim into tokens that says who belongs to the audience, and name that claim instead.'
  return [
    ...(all.length > MAX_ROLLOUTS_PER_GRAPH
      ? [
          `Federated graph "${rollout.graph}" has ${MAX_ROLLOUTS_PER_GRAPH} rollouts, which is as many as it can have. Delete those that are over.`,
        ]
      : []),
    ...(own > MAX_ROLLOUT_LENGTH
      ? [`The rollout has ${own} characters as JSON; the limit is ${MAX_ROLLOUT_LENGTH}. ${advice}`]
      : []),
    ...(total > MAX_ROLLOUTS_LENGTH
      ? [
          `The rollouts of federated graph "${rollout.graph}" would have ${total} characters as JSON; the limit is ${MAX_ROLLOUTS_LENGTH}. ${advice}`,
        ]
      : []),
  ]
}

function onRamp({ name }: Rollout): Decision {
  return refused(
    problem(
      'ROLLOUT_INVALID',
      `Rollout "${name}" is on a ramp, which compares the same groups over all of its step. Nothing was changed. Pause the ramp first.`,
    ),
  )
}

function notActive({ name, status, mode }: Rollout): Decision {
  const extent =
    mode === 'shadow'
      ? { aborted: 'compares nothing', completed: 'compares the answers to its whole audience' }
      : { aborted: 'selects nobody', completed: 'selects its whole audience' }
  const selects = status === 'aborted' ? extent.aborted : extent.completed
  return refused(
    problem(
      'ROLLOUT_INVALID',
      `Rollout "${name}" is ${status} and ${selects}, so that its percentage has no effect. Nothing was changed. Resume it first.`,
    ),
  )
}

function withRollout(
  state: NamespaceState,
  name: string,
  decision: (rollout: Rollout) => Decision,
): Decision {
  const rollout = state.rollouts.get(name)
  if (rollout !== undefined) return decision(rollout)
  return notFound(state, `rollout "${name}"`, { name, known: state.rollouts.keys() })
}
