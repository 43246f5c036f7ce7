/**
 * The desired state of a namespace, brought about at once: the events of all its parts become one record, so
 * that each graph is composed once, of the whole. Each part is judged by the rule of the command that it
 * stands for, on the state that the parts before it leave. All that is wrong is said together, and then
 * nothing is changed.
 */
import { problem, type RegistryEvent } from '@switchyard/contracts'
import { applyEvents } from '../state/apply-event.ts'
import type {
  CommandOf,
  DesiredGraph,
  DesiredFeatureFlag,
  DesiredFeatureSubgraph,
  DesiredRollout,
  DesiredSubgraph,
} from './command.ts'
import { type NamespaceState, sortedByName } from '../state/namespace-state.ts'
import { decided, type Decision, refused, unchanged } from './decision.ts'
import {
  createFeatureFlag,
  deleteFeatureFlag,
  switchFeatureFlag,
  updateFeatureFlag,
} from './feature-flags.ts'
import { rolloutsOf } from '../state/rollouts.ts'
import { createRollout, switchRollout, updateRollout } from './rollouts.ts'
import { createFederatedGraph, deleteFederatedGraph, updateFederatedGraph } from './federated-graphs.ts'
import {
  createFeatureSubgraph,
  createSubgraph,
  deleteSubgraph,
  publishSchema,
  updateSubgraph,
} from './subgraphs.ts'

export function applyDesiredState(before: NamespaceState, desired: CommandOf<'apply'>): Decision {
  const plan = new Plan(before)
  if (desired.prune) prune(plan, desired)
  for (const graph of plan.once('Federated graph', desired.graphs)) applyGraph(plan, graph)
  const names = new Set(desired.subgraphs.map(({ name }) => name))
  const doubtful = new Set<string>()
  for (const subgraph of plan.once('Subgraph', desired.subgraphs)) {
    if (!applySubgraph(plan, subgraph)) doubtful.add(subgraph.name)
  }
  for (const subgraph of plan.once('Feature subgraph', desired.featureSubgraphs, names)) {
    // What follows from a fault that was named already is no second one.
    const isDoubtful = subgraph.base !== undefined && doubtful.has(subgraph.base)
    if (isDoubtful || !applyFeatureSubgraph(plan, subgraph)) doubtful.add(subgraph.name)
  }
  for (const flag of plan.once('Feature flag', desired.featureFlags)) {
    if (!flag.featureSubgraphs?.some((name) => doubtful.has(name))) applyFeatureFlag(plan, flag)
  }
  applyRollouts(plan, desired)
  return plan.decision()
}

/** The decisions about the parts so far: the state that they lead to, and their problems. */
class Plan {
  state: NamespaceState
  readonly #before: NamespaceState
  readonly #events: RegistryEvent[] = []
  readonly #problems: string[] = []

  constructor(before: NamespaceState) {
    this.#before = before
    this.state = before
  }

  /**
   * Takes over the decision about a part. Returns false if the part is refused. `about` names the part where
   * the refusal is a list that does not name it.
   */
  take(decision: Decision, about = ''): boolean {
    switch (decision.kind) {
      case 'events':
        this.#events.push(...decision.events)
        this.state = applyEvents(this.state, decision.events)
        return true
      case 'unchanged':
        return true
      case 'refused': {
        const { detail, problems } = decision.problem
        return this.refuse(...(problems?.map((text) => `${about}${text}`) ?? [detail]))
      }
      default:
        return decision satisfies never
    }
  }

  refuse(...problems: readonly string[]): false {
    this.#problems.push(...problems)
    return false
  }

  /**
   * Keeps the first item of each name, and refuses those that use a name a second time. `taken` are the names
   * of another list that share their namespace.
   */
  once<Item extends { readonly name: string }>(
    kind: string,
    items: readonly Item[],
    taken: ReadonlySet<string> = new Set(),
  ): readonly Item[] {
    const seen = new Set(taken)
    return items.filter(({ name }) => {
      if (seen.has(name)) return this.refuse(`${kind} "${name}" stands twice, or under another kind, too.`)
      seen.add(name)
      return true
    })
  }

  decision(): Decision {
    if (this.#problems.length > 0) {
      return refused(
        problem(
          'DESIRED_STATE_INVALID',
          `The namespace "${this.#before.namespace}" cannot be brought into this state, and nothing was changed: ${this.#problems.length} problem${this.#problems.length === 1 ? '' : 's'}.`,
          { problems: this.#problems },
        ),
      )
    }
    if (this.#events.length > 0) return decided(this.#before, ...this.#events)
    return unchanged(`Namespace "${this.#before.namespace}" is like this already`)
  }
}

/** Brings rollouts about, and puts those of each graph into the order of the list. */
function applyRollouts(plan: Plan, { rollouts = [], freshSalt = '' }: CommandOf<'apply'>): void {
  const named = plan.once('Rollout', rollouts)
  for (const rollout of named) applyRollout(plan, rollout, freshSalt)
  const graphs = new Map<string, string[]>()
  for (const { name } of named) {
    const graph = plan.state.rollouts.get(name)?.graph
    if (graph !== undefined) graphs.set(graph, [...(graphs.get(graph) ?? []), name])
  }
  for (const [graph, order] of graphs) {
    // Those that the list does not name come after it.
    for (const [index, name] of order.entries()) {
      const before = rolloutsOf(plan.state, graph)[index]?.name
      if (before === undefined || before === name) continue
      plan.take(updateRollout(plan.state, { type: 'update-rollout', name, before }))
    }
  }
}

function applyRollout(plan: Plan, rollout: DesiredRollout, freshSalt: string): void {
  const { name, graph, flag, salt, ...properties } = rollout
  const known = plan.state.rollouts.get(name)
  const about = `Rollout "${name}": `
  if (known === undefined) {
    if (graph === undefined || flag === undefined) {
      plan.refuse(
        `There is no rollout "${name}" yet: its graph and its feature flag are needed to create it.`,
      )
      return
    }
    const created = { name, graph, flag, salt, freshSalt, ...properties }
    plan.take(createRollout(plan.state, { type: 'create-rollout', ...created }), about)
    return
  }
  const fixed = { graph, flag, salt }
  for (const member of ['graph', 'flag', 'salt'] as const) {
    const wanted = fixed[member]
    if (wanted !== undefined && wanted !== known[member])
      plan.refuse(
        `The ${member} of rollout "${name}" is "${known[member]}" and cannot become "${wanted}": delete the rollout, or choose another name.`,
      )
  }
  plan.take(updateRollout(plan.state, { type: 'update-rollout', name, ...properties }), about)
}

/** Deletes first the things that use others, then those that are used. */
function prune(plan: Plan, desired: CommandOf<'apply'>): void {
  const { graphs, subgraphs, flags, rollouts } = plan.state
  const kept = (...lists: readonly (readonly { readonly name: string }[])[]) =>
    new Set(lists.flat().map(({ name }) => name))
  const gone = <Item extends { readonly name: string }>(items: Iterable<Item>, names: ReadonlySet<string>) =>
    sortedByName(items).filter(({ name }) => !names.has(name))
  if (desired.rollouts !== undefined) {
    for (const { name } of gone(rollouts.values(), kept(desired.rollouts)))
      plan.take(switchRollout(plan.state, { type: 'delete-rollout', name }))
  }
  for (const { name } of gone(flags.values(), kept(desired.featureFlags))) {
    plan.take(deleteFeatureFlag(plan.state, name))
  }
  const left = gone(subgraphs.values(), kept(desired.subgraphs, desired.featureSubgraphs))
  for (const kind of ['feature-subgraph', 'subgraph'] as const) {
    for (const subgraph of left) {
      if (subgraph.kind === kind) plan.take(deleteSubgraph(plan.state, subgraph.name))
    }
  }
  for (const { name } of gone(graphs.values(), kept(desired.graphs))) {
    plan.take(deleteFederatedGraph(plan.state, name))
  }
}

function applyGraph(plan: Plan, { name, labelMatchers, ...rest }: DesiredGraph): void {
  if (plan.state.graphs.has(name)) {
    const command = { type: 'update-federated-graph', name, labelMatchers, ...rest } as const
    plan.take(updateFederatedGraph(plan.state, command))
  } else {
    const created = { name, labelMatchers: labelMatchers ?? [], ...rest }
    plan.take(createFederatedGraph(plan.state, { type: 'create-federated-graph', ...created }))
  }
}

function applySubgraph(plan: Plan, { name, routingUrl, labels, schema }: DesiredSubgraph): boolean {
  const known = plan.state.subgraphs.get(name)
  if (known?.kind === 'feature-subgraph') {
    return plan.refuse(`"${name}" is a feature subgraph that replaces "${known.base}", not a subgraph.`)
  }
  if (known === undefined) {
    if (routingUrl === undefined) {
      return plan.refuse(`There is no subgraph "${name}" yet: its routing URL is needed to create it.`)
    }
    const command = { type: 'create-subgraph', name, routingUrl, labels: labels ?? [] } as const
    if (!plan.take(createSubgraph(plan.state, command))) return false
  } else {
    const changes = {
      ...(routingUrl === undefined ? {} : { routingUrl }),
      ...(labels === undefined ? {} : { labels }),
    }
    if (!plan.take(updateSubgraph(plan.state, { type: 'update-subgraph', name, ...changes }))) return false
  }
  return publish(plan, name, schema)
}

function applyFeatureSubgraph(
  plan: Plan,
  { name, base, routingUrl, schema }: DesiredFeatureSubgraph,
): boolean {
  const known = plan.state.subgraphs.get(name)
  if (known?.kind === 'subgraph') return plan.refuse(`"${name}" is a subgraph, not a feature subgraph.`)
  if (known === undefined) {
    if (base === undefined || routingUrl === undefined) {
      return plan.refuse(
        `There is no feature subgraph "${name}" yet: the subgraph that it replaces and its routing URL are needed to create it.`,
      )
    }
    const command = { type: 'create-feature-subgraph', name, routingUrl, base } as const
    if (!plan.take(createFeatureSubgraph(plan.state, command))) return false
  } else if (base !== undefined && base !== known.base) {
    return plan.refuse(
      `The feature subgraph "${name}" replaces "${known.base}", not "${base}", which cannot be changed: delete it, or choose another name.`,
    )
  } else if (routingUrl !== undefined) {
    if (!plan.take(updateSubgraph(plan.state, { type: 'update-subgraph', name, routingUrl }))) return false
  }
  return publish(plan, name, schema)
}

function publish(plan: Plan, name: string, schema: DesiredSubgraph['schema']): boolean {
  if (schema === undefined) return true
  const { sha256, bytes } = schema
  return plan.take(publishSchema(plan.state, { type: 'publish-schema', name, schema: sha256, bytes }))
}

function applyFeatureFlag(plan: Plan, { name, labels, featureSubgraphs, enabled }: DesiredFeatureFlag): void {
  const about = `Feature flag "${name}": `
  if (!plan.state.flags.has(name)) {
    if (featureSubgraphs === undefined) {
      plan.refuse(`There is no feature flag "${name}" yet: its feature subgraphs are needed to create it.`)
      return
    }
    const created = { name, labels: labels ?? [], featureSubgraphs, enabled: enabled ?? true }
    plan.take(createFeatureFlag(plan.state, { type: 'create-feature-flag', ...created }), about)
    return
  }
  const changes = {
    ...(labels === undefined ? {} : { labels }),
    ...(featureSubgraphs === undefined ? {} : { featureSubgraphs }),
  }
  const command = { type: 'update-feature-flag', name, ...changes } as const
  if (!plan.take(updateFeatureFlag(plan.state, command), about) || enabled === undefined) return
  plan.take(switchFeatureFlag(plan.state, name, enabled))
}
