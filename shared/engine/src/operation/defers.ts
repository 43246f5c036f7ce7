/**
 * Finds the fragments that an active `@defer` puts off, once for each place where the operation spreads them.
 *
 * A fragment that is spread in two places is two deferred fragments. So a fragment that is deferred, or that
 * contains a deferred one, is copied to each place where it is spread. Afterwards each of its fields stands
 * in one place and belongs to one `@defer`. The rest of the document stays as it is written.
 */
import {
  type DirectiveNode,
  type FieldNode,
  GraphQLDeferDirective,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Budget } from '../work/planning-budget.ts'
import { type GroupId, groupId } from '../ids/ids.ts'
import { type Conditions, isIncluded } from './conditions.ts'
import type { Fragments } from './fragments.ts'

/** A fragment with an active `@defer`, in one of the places where the operation spreads it. */
export type DeferredFragment = {
  /** Numbers from 1, in document order. */
  readonly id: GroupId
  readonly label: string | null
  /** The innermost deferred fragment around it. */
  readonly parent: DeferredFragment | null
}

/** A copy of the operation in which each deferred fragment stands where it is spread. */
export type Defers = {
  readonly selectionSet: SelectionSetNode
  /** deferredFragments[n] has the id n + 1. */
  readonly deferredFragments: readonly DeferredFragment[]
  /** The innermost deferred fragment around a field; none for a field that is not deferred. */
  readonly around: ReadonlyMap<FieldNode, DeferredFragment>
  /** The deferred fragment that an inline fragment of `selectionSet` is. */
  readonly on: ReadonlyMap<InlineFragmentNode, DeferredFragment>
}

/** Finds the deferred fragments of an operation. Null if no `@defer` is active. */
export function findDefers(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  conditions: Conditions,
  budget: Budget,
): Defers | null {
  const finder = new DeferFinder(fragments, conditions, budget)
  const selectionSet = finder.copy(operation.selectionSet, null)
  const { deferredFragments, around, on } = finder
  return deferredFragments.length === 0 ? null : { selectionSet, deferredFragments, around, on }
}

/** The `@defer` of a fragment, if it has one. */
export function deferDirective(node: SelectionNode): DirectiveNode | undefined {
  return node.directives?.find(({ name }) => name.value === GraphQLDeferDirective.name)
}

/**
 * Whether a `@defer` is active. `if` may be left out, and so may the value of its variable: both mean true.
 */
export function isActiveDefer(directive: DirectiveNode, conditions: Conditions): boolean {
  const value = directive.arguments?.find(({ name }) => name.value === 'if')?.value
  if (value?.kind === Kind.BOOLEAN) return value.value
  return value?.kind !== Kind.VARIABLE || conditions.get(value.name.value) !== false
}

class DeferFinder {
  readonly deferredFragments: DeferredFragment[] = []
  readonly around = new Map<FieldNode, DeferredFragment>()
  readonly on = new Map<InlineFragmentNode, DeferredFragment>()
  readonly #fragments: Fragments
  readonly #conditions: Conditions
  readonly #budget: Budget
  readonly #holds = new Map<SelectionSetNode, boolean>()

  constructor(fragments: Fragments, conditions: Conditions, budget: Budget) {
    this.#fragments = fragments
    this.#conditions = conditions
    this.#budget = budget
  }

  copy(set: SelectionSetNode, deferred: DeferredFragment | null): SelectionSetNode {
    if (deferred === null && !this.#holdsDefer(set)) return set
    const selections: SelectionNode[] = []
    for (const node of set.selections) {
      this.#budget.step()
      if (!isIncluded(node.directives, this.#conditions)) continue
      if (node.kind === Kind.FIELD) selections.push(this.#copyField(node, deferred))
      else {
        const body = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value)
        if (body === undefined) continue
        const own = this.#deferredBy(node, deferred)
        const copy: InlineFragmentNode = {
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: body.typeCondition,
          directives: undefined,
          selectionSet: this.copy(body.selectionSet, own ?? deferred),
        }
        if (own !== null) this.on.set(copy, own)
        selections.push(copy)
      }
    }
    return { kind: Kind.SELECTION_SET, selections }
  }

  #copyField(node: FieldNode, deferred: DeferredFragment | null): FieldNode {
    const { selectionSet } = node
    const copy: FieldNode = {
      ...node,
      selectionSet: selectionSet === undefined ? undefined : this.copy(selectionSet, deferred),
    }
    if (deferred !== null) this.around.set(copy, deferred)
    return copy
  }

  #deferredBy(node: SelectionNode, parent: DeferredFragment | null): DeferredFragment | null {
    const directive = deferDirective(node)
    if (directive === undefined || !isActiveDefer(directive, this.#conditions)) return null
    const label = directive.arguments?.find(({ name }) => name.value === 'label')?.value
    const deferred = {
      id: groupId(this.deferredFragments.length + 1),
      label: label?.kind === Kind.STRING ? label.value : null,
      parent,
    }
    this.deferredFragments.push(deferred)
    return deferred
  }

  /** Whether an active `@defer` stands anywhere in a selection set or in the fragments that it spreads. */
  #holdsDefer(set: SelectionSetNode): boolean {
    const known = this.#holds.get(set)
    if (known !== undefined) return known
    let found = false
    for (const node of set.selections) {
      this.#budget.step(1 / 4)
      if (!isIncluded(node.directives, this.#conditions)) continue
      const directive = node.kind === Kind.FIELD ? undefined : deferDirective(node)
      if (directive !== undefined && isActiveDefer(directive, this.#conditions)) found = true
      const body = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node
      if (!found && body?.selectionSet !== undefined) found = this.#holdsDefer(body.selectionSet)
      if (found) break
    }
    this.#holds.set(set, found)
    return found
  }
}
