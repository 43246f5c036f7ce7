/** Previews: compositions that end by themselves, for whoever knows their names. */
import { isDeepStrictEqual } from 'node:util'
import {
  didYouMean,
  isPreviewUrl,
  MAX_NAME_LENGTH,
  MAX_PREVIEWS_PER_GRAPH,
  MAX_SUBGRAPHS_PER_PREVIEW,
  problem,
  type PreviewSubgraph,
  type RegistryEvent,
} from '@switchyard/contracts'
import { applyEvents } from '../state/apply-event.ts'
import { type NamespaceState, type Preview, sortedByName } from '../state/namespace-state.ts'
import { previewApplies, previewSubgraphName } from '../state/previews.ts'
import type { Command, CommandOf } from './command.ts'
import { decided, type Decision, invalid, notFound, refused, sameSet, unchanged } from './decision.ts'

/** A command about one preview, or about where previews may be. */
export type PreviewCommand = CommandOf<
  'set-preview-hosts' | 'create-preview' | 'update-preview' | 'delete-preview' | 'expire-preview'
>

export function isPreviewCommand(command: Command): command is PreviewCommand {
  return command.type === 'set-preview-hosts' || command.type.endsWith('-preview')
}

/** Decides a command about previews. */
export function decidePreview(state: NamespaceState, command: PreviewCommand): Decision {
  switch (command.type) {
    case 'set-preview-hosts':
      return setPreviewHosts(state, command)
    case 'create-preview':
      return createPreview(state, command)
    case 'update-preview':
      return updatePreview(state, command)
    case 'delete-preview':
      if (!state.previews.has(command.name)) return noPreview(state, command.name)
      return decided(state, { type: 'preview.deleted', name: command.name })
    case 'expire-preview':
      return expirePreview(state, command)
    default:
      return command satisfies never
  }
}

/** Sets the hosts. A preview at a host that is not allowed any more ends at once. */
function setPreviewHosts(state: NamespaceState, { hosts }: CommandOf<'set-preview-hosts'>): Decision {
  if (sameSet(hosts, state.previewHosts)) {
    return unchanged(`Namespace "${state.namespace}" allows previews at these hosts already`)
  }
  const gone = sortedByName(state.previews.values()).filter(
    ({ subgraphs }) => !subgraphs.every(({ routingUrl }) => isPreviewUrl(routingUrl, hosts)),
  )
  const deletions = gone.map(({ name }) => ({ type: 'preview.deleted', name }) as const)
  return decided(state, { type: 'namespace.preview-hosts-set', hosts: [...hosts] }, ...deletions)
}

function createPreview(state: NamespaceState, command: CommandOf<'create-preview'>): Decision {
  const { name, now, ttlSeconds, freshSalt, orUpdate } = command
  const known = state.previews.get(name)
  if (known !== undefined && !isOver(known, now)) {
    if (orUpdate) return updatePreview(state, { ...command, type: 'update-preview' })
    return refused(
      problem(
        'ALREADY_EXISTS',
        `There is a preview "${name}" in namespace "${state.namespace}" already, which ends at ${known.expires}. Nothing was changed; update it, or delete it first.`,
      ),
    )
  }
  const expired: readonly RegistryEvent[] = known === undefined ? [] : [{ type: 'preview.expired', name }]
  return judged(
    state,
    [
      ...expired,
      {
        type: 'preview.created',
        name,
        flag: `${name}-${freshSalt}`,
        subgraphs: [...command.subgraphs],
        expires: timeAfter(now, ttlSeconds),
      },
    ],
    { name, now, outcome: `Preview "${name}" was not created`, problems: repeated(command.subgraphs) },
  )
}

function updatePreview(state: NamespaceState, command: CommandOf<'update-preview'>): Decision {
  const { name, now, subgraphs = [], without = [], ttlSeconds } = command
  const preview = state.previews.get(name)
  if (preview === undefined || isOver(preview, now)) return noPreview(state, name)
  const replaced = new Set([...subgraphs.map(({ base }) => base), ...without])
  const kept = preview.subgraphs.filter(({ base }) => !replaced.has(base))
  const next = [...kept, ...subgraphs]
  const bases = new Set(preview.subgraphs.map(({ base }) => base))
  const problems = [
    ...repeated(subgraphs),
    ...without
      .filter((base) => !bases.has(base))
      .map((base) => `The preview does not replace "${base}".${didYouMean(base, bases)}`),
    ...(next.length === 0 ? ['The preview would replace no subgraph any more: delete it instead.'] : []),
  ]
  const expires = ttlSeconds === undefined ? preview.expires : timeAfter(now, ttlSeconds)
  const change = {
    ...(problems.length > 0 || sameSubgraphs(next, preview.subgraphs) ? {} : { subgraphs: next }),
    ...(expires === preview.expires ? {} : { expires }),
  }
  if (problems.length === 0 && Object.keys(change).length === 0) {
    return unchanged(`Preview "${name}" is like this already`)
  }
  return judged(state, [{ type: 'preview.updated', name, ...change }], {
    name,
    now,
    outcome: `Preview "${name}" was not updated`,
    problems,
  })
}

function expirePreview(state: NamespaceState, { flag, now }: CommandOf<'expire-preview'>): Decision {
  const preview = [...state.previews.values()].find((one) => one.flag === flag)
  if (preview === undefined) return unchanged('The preview has ended already')
  if (!isOver(preview, now)) return unchanged(`Preview "${preview.name}" ends at ${preview.expires}`)
  return decided(state, { type: 'preview.expired', name: preview.name })
}

/** Whether the time of a preview is over. */
export function isOver({ expires }: Pick<Preview, 'expires'>, now: number): boolean {
  return Date.parse(expires) <= now
}

type Judgement = {
  readonly name: string
  readonly now: number
  /** A sentence without its end. */
  readonly outcome: string
  /** Problems of the command itself. What it would lead to is not looked at then. */
  readonly problems: readonly string[]
}

/** Refuses the events if the preview that they lead to breaks a rule. */
function judged(
  state: NamespaceState,
  events: readonly RegistryEvent[],
  { name, now, outcome, problems: found }: Judgement,
): Decision {
  const after = applyEvents(state, events)
  const preview = after.previews.get(name)
  const problems =
    preview === undefined || found.length > 0
      ? found
      : [...hostProblems(state, preview), ...partProblems(after, preview, now)]
  return problems.length === 0 ? decided(state, ...events) : invalid('PREVIEW_INVALID', outcome, problems)
}

function hostProblems({ namespace, previewHosts }: NamespaceState, { subgraphs }: Preview): string[] {
  if (previewHosts.length === 0) {
    return [
      `Namespace "${namespace}" allows no host for previews. Whoever may deploy there allows some: switchyard namespace update ${namespace} --preview-hosts '*.previews.internal'`,
    ]
  }
  return subgraphs.flatMap(({ base, routingUrl }) =>
    isPreviewUrl(routingUrl, previewHosts)
      ? []
      : [
          `The routing URL ${routingUrl} for "${base}" is at none of the hosts that namespace "${namespace}" allows for previews: ${previewHosts.join(', ')}.`,
        ],
  )
}

/** The faults of the subgraphs that it replaces, and of the graphs that have them. */
function partProblems(state: NamespaceState, preview: Preview, now: number): readonly string[] {
  const { subgraphs, flag } = preview
  const problems = subgraphs.flatMap(({ base }) => baseProblems(state, base, flag))
  if (subgraphs.length > MAX_SUBGRAPHS_PER_PREVIEW) {
    problems.push(
      `The preview would replace ${subgraphs.length} subgraphs; the limit is ${MAX_SUBGRAPHS_PER_PREVIEW}.`,
    )
  }
  if (problems.length > 0) return problems
  const graphs = sortedByName(state.graphs.values()).filter((graph) => previewApplies(state, graph, preview))
  if (graphs.length === 0) {
    const bases = subgraphs.map(({ base }) => `"${base}"`).join(' and ')
    return [
      `No federated graph of namespace "${state.namespace}" contains ${bases} with a published schema, so that nobody could see the preview.`,
    ]
  }
  const others = [...state.previews.values()].filter((one) => one !== preview && !isOver(one, now))
  return graphs.flatMap((graph) => {
    const count = others.filter((one) => previewApplies(state, graph, one)).length
    if (count < MAX_PREVIEWS_PER_GRAPH) return []
    return [
      `Federated graph "${graph.name}" has ${count} previews, and ${MAX_PREVIEWS_PER_GRAPH} is the limit. Delete those that nobody looks at any more.`,
    ]
  })
}

function baseProblems(state: NamespaceState, base: string, flag: string): string[] {
  const subgraph = state.subgraphs.get(base)
  if (subgraph === undefined) {
    return [
      `There is no subgraph "${base}" in namespace "${state.namespace}".${didYouMean(base, state.subgraphs.keys())}`,
    ]
  }
  if (subgraph.kind === 'feature-subgraph') {
    return [`"${base}" is a feature subgraph. Name the subgraph that it replaces: "${subgraph.base}".`]
  }
  if (previewSubgraphName(base, flag).length <= MAX_NAME_LENGTH) return []
  return [`The name of subgraph "${base}" is too long for a preview, which adds 17 characters to it.`]
}

function repeated(subgraphs: readonly PreviewSubgraph[]): string[] {
  const bases = subgraphs.map(({ base }) => base)
  const twice = new Set(bases.filter((base, at) => bases.indexOf(base) !== at))
  return [...twice].map((base) => `Subgraph "${base}" is replaced more than once.`)
}

function sameSubgraphs(one: readonly PreviewSubgraph[], other: readonly PreviewSubgraph[]): boolean {
  const byBase = (list: readonly PreviewSubgraph[]) =>
    new Map(list.map((subgraph) => [subgraph.base, subgraph]))
  return isDeepStrictEqual(byBase(one), byBase(other))
}

function noPreview(state: NamespaceState, name: string): Decision {
  return notFound(state, `preview "${name}"`, { name, known: state.previews.keys() })
}

function timeAfter(now: number, seconds: number): string {
  return new Date(now + seconds * 1000).toISOString()
}
