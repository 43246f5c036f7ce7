/** Rule: directives of events stand on root fields that they fit, and say where the events are. */
import { Kind, valueFromASTUntyped, type ConstDirectiveNode } from 'graphql'
import {
  eventDirective,
  isAboutEvents,
  PUBLISH_RESULT,
  ROOTS,
  SUBSCRIPTION_FILTER,
} from '../../../events/event-directives.ts'
import { argument } from '../../../federation/federation-link.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { coordinateOf } from '../../checked/elements.ts'
import type { AppliedEvent } from './applied-event.ts'
import { filterFindings } from './filters.ts'
import { subjectFindings } from './subjects.ts'

/** Finds such directives where they mean nothing, and those that say nothing that can be used. */
export const eventFields: Rule = function* eventFields(subgraph) {
  const { names, elements } = subgraph
  for (const element of elements) {
    const about = element.directives.filter(({ name }) => isAboutEvents(name.value))
    if (about.length === 0 || element.member === null || element.argument !== null) continue
    const root = names.type(element.type)
    const field = coordinateOf(element)
    yield* misplaced(about, root, field)
    const type = subgraph.model.types.get(root)
    const model = type?.kind === 'object' ? type.fields.get(element.member) : undefined
    if (model === undefined) continue
    for (const node of about) {
      const directive = eventDirective(node.name.value)
      if (directive === null) {
        if (root === ROOTS.subscribe) yield* filterFindings(subgraph, model, node, field)
      } else if (ROOTS[directive.operation] === root)
        yield* ofDirective({ subgraph, model, node, directive, field })
    }
  }
}

function* misplaced(
  about: readonly ConstDirectiveNode[],
  root: string,
  field: string,
): Iterable<SubgraphFinding> {
  const sources = about.flatMap((node) => {
    const directive = eventDirective(node.name.value)
    return directive === null ? [] : [{ node, directive }]
  })
  for (const { node, directive } of sources)
    if (ROOTS[directive.operation] !== root)
      yield finding(
        'EVENT_DIRECTIVE_INVALID',
        { kind: 'wrong-root', directive: directive.name, field, root: ROOTS[directive.operation] },
        [{ node }],
      )
  const [first, ...others] = sources
  for (const { node, directive } of others)
    yield finding(
      'EVENT_DIRECTIVE_INVALID',
      { kind: 'second', directive: directive.name, field, first: first?.directive.name ?? '' },
      [{ node }],
    )
  const isSubscription = root === ROOTS.subscribe && first !== undefined
  for (const node of about)
    if (node.name.value === SUBSCRIPTION_FILTER && !isSubscription)
      yield finding(
        'EVENT_DIRECTIVE_INVALID',
        { kind: 'no-subscription', directive: SUBSCRIPTION_FILTER, field },
        [{ node }],
      )
}

function* ofDirective(applied: AppliedEvent): Iterable<SubgraphFinding> {
  const wrong = [...wrongArguments(applied)]
  yield* wrong
  if (wrong.length === 0) yield* subjectFindings(applied)
  yield* wrongType(applied)
}

const PROVIDER = /^[\w-]{1,64}$/

function* wrongArguments({ node, directive, field }: AppliedEvent): Iterable<SubgraphFinding> {
  const { name, subjects, isList, system, operation } = directive
  const on = { directive: name, field }
  const isStreaming = system === 'nats' && operation === 'subscribe'
  const known = new Set([subjects, 'providerId', ...(isStreaming ? ['streamConfiguration'] : [])])
  for (const one of node.arguments ?? [])
    if (!known.has(one.name.value))
      yield finding(
        'EVENT_DIRECTIVE_INVALID',
        { kind: 'unknown-argument', ...on, argument: one.name.value },
        [{ node: one }],
      )
  const given = argument(node, subjects)
  if (given === undefined)
    yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'missing-argument', ...on, argument: subjects }, [
      { node },
    ])
  else {
    const values = isList && given.kind === Kind.LIST ? given.values : [given]
    if (values.length === 0 || values.some(({ kind }) => kind !== Kind.STRING))
      yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'no-text', ...on, argument: subjects }, [
        { node: given },
      ])
  }
  const provider = argument(node, 'providerId')
  if (provider !== undefined && !(provider.kind === Kind.STRING && PROVIDER.test(provider.value)))
    yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'no-provider', ...on }, [{ node: provider }])
  const stream = argument(node, 'streamConfiguration')
  if (isStreaming && stream !== undefined && stream.kind !== Kind.NULL && !isStream(valueOf(stream)))
    yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'no-stream', ...on }, [{ node: stream }])
}

function valueOf(node: NonNullable<ReturnType<typeof argument>>): unknown {
  return node.kind === Kind.OBJECT ? valueFromASTUntyped(node) : null
}

const STREAM_MEMBERS: ReadonlySet<string> = new Set([
  'streamName',
  'consumerName',
  'consumerInactiveThreshold',
])
const LONGEST_THRESHOLD = 86_400

function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const terms = new Map<string, unknown>(Object.entries(value))
  if ([...terms.keys()].some((name) => !STREAM_MEMBERS.has(name))) return false
  const isName = (name: unknown) => typeof name === 'string' && PROVIDER.test(name)
  const threshold = terms.get('consumerInactiveThreshold') ?? 1
  return (
    isName(terms.get('streamName')) &&
    isName(terms.get('consumerName')) &&
    typeof threshold === 'number' &&
    Number.isInteger(threshold) &&
    threshold >= 1 &&
    threshold <= LONGEST_THRESHOLD
  )
}

function* wrongType({ subgraph, model, directive, field }: AppliedEvent): Iterable<SubgraphFinding> {
  const { name, operation } = directive
  const { type } = model
  const at = [{ node: model.node.type }]
  const on = { directive: name, field, type }
  if (operation === 'publish') {
    if (type !== `${PUBLISH_RESULT}!`)
      yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'not-published', ...on }, at)
    return
  }
  const returned = subgraph.model.types.get(namedTypeOf(type))
  const isObject = returned?.kind === 'object' || returned?.kind === 'interface' || returned?.kind === 'union'
  if (!isObject || type !== `${returned.name}!`)
    yield finding('EVENT_DIRECTIVE_INVALID', { kind: 'no-object', ...on }, at)
}
