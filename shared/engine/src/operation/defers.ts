/**
 * The fragments of an operation that `@defer` puts off, each as often as it is spread.
 *
 * A fragment that is spread twice is two deferred fragments, in two places. So whatever is deferred, or holds something
 * deferred, is copied to where it is spread: afterwards each of its fields stands in one place, and belongs to one
 * `@defer`. The rest of the document stays as it is written.
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
import type { Budget } from '../budget.ts'
import type { GroupId } from '../plan/plan.ts'
import { type Conditions, isIncluded } from './conditions.ts'
import type { Fragments } from './fragments.ts'

/** One active `@defer`. */
export type DeferUsage = {
  /** From 1, in document order. */
  readonly id: GroupId
  readonly label: string | null
  /** The innermost `@defer` around it. */
  readonly parent: DeferUsage | null
}

export type Defers = {
  readonly selectionSet: SelectionSetNode
  /** usages[n] has the id n + 1. */
  readonly usages: readonly DeferUsage[]
  /** The innermost `@defer` around a field; none for a field that is not deferred. */
  readonly around: ReadonlyMap<FieldNode, DeferUsage>
  /** What a fragment itself is put off by. */
  readonly on: ReadonlyMap<InlineFragmentNode, DeferUsage>
}

/** Null when no `@defer` is active. */
export function findDefers(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  conditions: Conditions,
  budget: Budget,
): Defers | null {
  const finder = new DeferFinder(fragments, conditions, budget)
  const selectionSet = finder.copy(operation.selectionSet, null)
  const { usages, around, on } = finder
  return usages.length === 0 ? null : { selectionSet, usages, around, on }
}

export function deferDirective(node: SelectionNode): DirectiveNode | undefined {
  return node.directives?.find(({ name }) => name.value === GraphQLDeferDirective.name)
}

/** `if` may be left out, and so may be the value of its variable: both mean true. */
export function isActiveDefer(directive: DirectiveNode, conditions: Conditions): boolean {
  const value = directive.arguments?.find(({ name }) => name.value === 'if')?.value
  if (value?.kind === Kind.BOOLEAN) return value.value
  return value?.kind !== Kind.VARIABLE || conditions.get(value.name.value) !== false
}

class DeferFinder {
  readonly usages: DeferUsage[] = []
  readonly around = new Map<FieldNode, DeferUsage>()
  readonly on = new Map<InlineFragmentNode, DeferUsage>()
  readonly #fragments: Fragments
  readonly #conditions: Conditions
  readonly #budget: Budget
  readonly #holds = new Map<SelectionSetNode, boolean>()

  constructor(fragments: Fragments, conditions: Conditions, budget: Budget) {
    this.#fragments = fragments
    this.#conditions = conditions
    this.#budget = budget
  }

  copy(set: SelectionSetNode, usage: DeferUsage | null): SelectionSetNode {
    if (usage === null && !this.#holdsDefer(set)) return set
    const selections: SelectionNode[] = []
    for (const node of set.selections) {
      this.#budget.step()
      if (!isIncluded(node.directives, this.#conditions)) continue
      if (node.kind === Kind.FIELD) selections.push(this.#copyField(node, usage))
      else {
        const body = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value)
        if (body === undefined) continue
        const own = this.#usageOf(node, usage)
        const copy: InlineFragmentNode = {
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: body.typeCondition,
          directives: undefined,
          selectionSet: this.copy(body.selectionSet, own ?? usage),
        }
        if (own !== null) this.on.set(copy, own)
        selections.push(copy)
      }
    }
    return { kind: Kind.SELECTION_SET, selections }
  }

  #copyField(node: FieldNode, usage: DeferUsage | null): FieldNode {
    const { selectionSet } = node
    const copy: FieldNode = {
      ...node,
      selectionSet: selectionSet === undefined ? undefined : this.copy(selectionSet, usage),
    }
    if (usage !== null) this.around.set(copy, usage)
    return copy
  }

  #usageOf(node: SelectionNode, parent: DeferUsage | null): DeferUsage | null {
    const directive = deferDirective(node)
    if (directive === undefined || !isActiveDefer(directive, this.#conditions)) return null
    const label = directive.arguments?.find(({ name }) => name.value === 'label')?.value
    const usage = {
      id: this.usages.length + 1,
      label: label?.kind === Kind.STRING ? label.value : null,
      parent,
    }
    this.usages.push(usage)
    return usage
  }

  /** Whether an active one stands anywhere in it, fragments that it spreads included. */
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
