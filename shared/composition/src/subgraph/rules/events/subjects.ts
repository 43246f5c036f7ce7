/** Checks the subjects of events, and the arguments in them. */
import { subjectProblem, templateParts } from '@switchyard/contracts/event-subjects'
import { Kind } from 'graphql'
import { argument } from '../../../federation/federation-link.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, SubgraphModel } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import type { AppliedEvent } from './applied-event.ts'

/** Finds subjects that cannot be used. Topics and channels of other systems are not looked at. */
export function* subjectFindings({
  subgraph,
  model,
  node,
  directive,
  field,
}: AppliedEvent): Iterable<SubgraphFinding> {
  const { name, subjects, operation, system } = directive
  const given = argument(node, subjects)
  const values = given?.kind === Kind.LIST ? given.values : given === undefined ? [] : [given]
  for (const value of values) {
    if (value.kind !== Kind.STRING) continue
    const on = { directive: name, field, subject: value.value }
    const at = [{ node: value }]
    for (const part of templateParts(value.value)) {
      if (part.kind === 'nonsense')
        yield finding('EVENT_SUBJECT_INVALID', { kind: 'nonsense', text: part.text, ...on }, at)
      if (part.kind !== 'argument') continue
      const found = argumentAt(subgraph.model, model, part.path)
      const kind = found === null ? 'unknown-argument' : found.isLeaf && !found.isList ? null : 'no-leaf'
      if (kind !== null)
        yield finding('EVENT_SUBJECT_INVALID', { kind, argument: part.path.join('.'), ...on }, at)
    }
    const problem = system === 'nats' ? subjectProblem(value.value, operation === 'subscribe') : null
    if (problem !== null) yield finding('EVENT_SUBJECT_INVALID', { kind: problem, ...on }, at)
  }
}

/** Returns what an argument, or a field of an input object in it, is; null if there is none at the path. */
export function argumentAt(
  { types }: SubgraphModel,
  field: FieldModel,
  path: readonly string[],
): { readonly isLeaf: boolean; readonly isList: boolean } | null {
  let inputs: FieldModel['arguments'] | undefined = field.arguments
  let type = ''
  for (const [at, name] of path.entries()) {
    // What is below a list is not one value.
    if (at > 0 && type.includes('[')) return null
    const input = inputs?.get(name)
    if (input === undefined) return null
    type = input.type
    const named = types.get(namedTypeOf(type))
    inputs = named?.kind === 'input' ? named.fields : undefined
  }
  return { isLeaf: inputs === undefined, isList: type.includes('[') }
}
