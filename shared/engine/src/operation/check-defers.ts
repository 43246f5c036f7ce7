/**
 * Where `@defer` may stand and how its labels are given, for the operation that is executed.
 *
 * An inactive `@defer` means nothing, so it breaks no rule. Whether one is active may be up to a variable: an
 * operation is therefore read once, when it is prepared, and judged again with the variables of a request
 * only if they can matter.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLDeferDirective,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Conditions } from './conditions.ts'
import { deferDirective, isActiveDefer } from './defers.ts'
import { excerpt } from './excerpt.ts'
import { fragmentsOf } from './fragments.ts'
import { type RequestProblem, RequestError } from './operation-error.ts'
import { visitReached } from './reached-directives.ts'
import type { SourceLines } from './source-lines.ts'

const MAX_ERRORS = 50

/** A `@defer` in the document; it is one, however often its fragment is spread. */
type WrittenDefer = {
  readonly directive: DirectiveNode
  /** Why it must not stand where it does; null if it may. */
  readonly misplaced: string | null
}

const ON_MUTATION_ROOT =
  '"@defer" must not stand on the root fields of a mutation, which are executed one after the other and then answered. Expected it below one of these fields.'
const IN_SUBSCRIPTION =
  '"@defer" must not stand in a subscription: each event is one result. Leave it out, or switch it off for subscriptions by "if".'

/** The rules on `@defer` for one operation; `check` throws a `RequestError` of phase `validate`. */
export class DeferRules {
  /** Empty if no rule can be broken, whatever values the variables have. */
  readonly #judged: readonly WrittenDefer[]
  readonly #lines: SourceLines
  /** Whether the operation has a `@defer` that is active with some values of its variables. */
  readonly mayApply: boolean

  /**
   * The document must be valid. Throws a `RequestError` if a rule is broken whatever values the variables
   * have.
   */
  constructor(document: DocumentNode, operation: OperationDefinitionNode, lines: SourceLines) {
    this.#lines = lines
    const written = writtenDefers(document, operation)
    this.mayApply = written.length > 0
    this.#refuse(written.filter(({ directive }) => isAlwaysActive(directive)))
    this.#judged = brokenRules(written).length > 0 ? written : []
  }

  /** Throws a `RequestError` if a rule is broken with these values. */
  check(conditions: Conditions): void {
    if (this.#judged.length === 0) return
    this.#refuse(this.#judged.filter(({ directive }) => isActiveDefer(directive, conditions)))
  }

  #refuse(active: readonly WrittenDefer[]): void {
    const problems = brokenRules(active)
    if (problems.length > 0)
      throw new RequestError('validate', 'GRAPHQL_VALIDATION_FAILED', problems, this.#lines)
  }
}

/** The `@defer`s of the operation that may be active. */
function writtenDefers(document: DocumentNode, operation: OperationDefinitionNode): readonly WrittenDefer[] {
  const kind = operation.operation
  const onRoot = kind === 'mutation' ? rootDefers(document, operation) : new Set()
  const misplacedAt = (directive: DirectiveNode): string | null => {
    if (kind === 'subscription') return IN_SUBSCRIPTION
    return onRoot.has(directive) ? ON_MUTATION_ROOT : null
  }
  const written: WrittenDefer[] = []
  visitReached(document, operation, (directive) => {
    if (directive.name.value !== GraphQLDeferDirective.name || isNeverActive(directive)) return
    written.push({ directive, misplaced: misplacedAt(directive) })
  })
  return written
}

function isAlwaysActive(directive: DirectiveNode): boolean {
  const value = directive.arguments?.find(({ name }) => name.value === 'if')?.value
  return value === undefined || (value.kind === Kind.BOOLEAN && value.value)
}

function isNeverActive(directive: DirectiveNode): boolean {
  const value = directive.arguments?.find(({ name }) => name.value === 'if')?.value
  return value?.kind === Kind.BOOLEAN && !value.value
}

/** The `@defer`s that stand on the root of a mutation. */
function rootDefers(document: DocumentNode, operation: OperationDefinitionNode): ReadonlySet<DirectiveNode> {
  const fragments = fragmentsOf(document)
  const found = new Set<DirectiveNode>()
  const seen = new Set<SelectionSetNode>()
  const visit = (set: SelectionSetNode): void => {
    if (seen.has(set)) return
    seen.add(set)
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) continue
      const directive = deferDirective(node)
      if (directive !== undefined) found.add(directive)
      const body = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
      if (body !== undefined) visit(body.selectionSet)
    }
  }
  visit(operation.selectionSet)
  return found
}

/** The first problems, no more than MAX_ERRORS. */
function brokenRules(active: readonly WrittenDefer[]): readonly RequestProblem[] {
  const problems: RequestProblem[] = []
  const report = (message: string, ...nodes: readonly DirectiveNode[]): void => {
    problems.push({ message, positions: nodes.flatMap(({ loc }) => loc?.start ?? []) })
  }
  for (const { directive, misplaced } of active) {
    if (problems.length >= MAX_ERRORS) return problems
    if (misplaced !== null) report(misplaced, directive)
  }
  const first = new Map<string, DirectiveNode>()
  for (const { directive } of active) {
    if (problems.length >= MAX_ERRORS) return problems
    const label = directive.arguments?.find(({ name }) => name.value === 'label')?.value
    if (label === undefined || label.kind === Kind.NULL) continue
    if (label.kind !== Kind.STRING) {
      report(
        'The label of "@defer" must be written in the operation as a string, not be a variable.',
        directive,
      )
      continue
    }
    const other = first.get(label.value)
    if (other === undefined) first.set(label.value, directive)
    else
      report(
        `Two "@defer" of the operation have the label "${excerpt(label.value)}". Each label must be different, since it tells clients which fragment has arrived.`,
        other,
        directive,
      )
  }
  return problems
}
