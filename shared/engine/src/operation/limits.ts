import {
  type DocumentNode,
  Kind,
  type ListValueNode,
  type ObjectValueNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { ComparedSelection, FieldComparisons } from './field-comparisons.ts'
import { type Fragments, fragmentsOf } from './fragments.ts'
import { RequestError } from './operation-error.ts'

/** The limits of one operation, which are checked before anything is planned. */
export type OperationLimits = {
  /** Characters of the document: finding its tokens takes up to 30 ns for each, in one go. */
  readonly length: number
  /** Lexical tokens of the document. */
  readonly tokens: number
  /** Fields nested in one another. */
  readonly depth: number
  /** Aliased fields, fragments counted at every spread. */
  readonly aliases: number
  readonly rootFields: number
  /** Fields after every fragment is spread where it is used; stops fragments that double each other. */
  readonly fields: number
  /**
   * Different variables in `@skip`, `@include` and, where it has a meaning, `@defer`: each doubles the number
   * of possible plans.
   */
  readonly conditionVariables: number
  /** Values in the variables of one request, list items and fields of objects included. */
  readonly variableValues: number
}

/** The limits that apply unless the settings name others. */
export const DEFAULT_OPERATION_LIMITS: OperationLimits = {
  length: 1_000_000,
  tokens: 20_000,
  depth: 64,
  aliases: 1_000,
  rootFields: 500,
  fields: 20_000,
  conditionVariables: 16,
  variableValues: 1_000_000,
}

/** The message for an operation whose fields take too many comparisons. */
export const SAME_FIELDS_TOO_OFTEN =
  'The operation selects the same fields too often to be checked for conflicts.'

/** How deep fragments may spread one another. Nobody writes so many, and each takes some of the stack. */
const MAX_FRAGMENT_DEPTH = 300

/** How many values arguments may have, for each field that an operation may have. */
const VALUES_PER_FIELD = 10

/** How many characters arguments and aliases may have, for each field that an operation may have. */
const CHARACTERS_PER_FIELD = 50

/**
 * Throws a RequestError if an operation of the document exceeds a limit, or if all of them together do: only
 * one is executed, but all are validated. It runs before validation, so the document may be invalid.
 */
export function checkLimits(document: DocumentNode, limits: OperationLimits): void {
  const sizes = new Sizes(document, limits)
  let fields = 0
  let values = 0
  let characters = 0
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const size = sizes.of(definition.selectionSet)
    refuseAbove('aliases', size.aliases, limits.aliases)
    refuseAbove('root fields', size.rootFields, limits.rootFields)
    fields += size.fields
    values += size.values
    characters += size.characters
  }
  if (fields > limits.fields)
    throw exceeded(
      `The operations of the document have together more than the ${limits.fields} fields allowed.`,
    )
  const maxValues = limits.fields * VALUES_PER_FIELD
  if (values > maxValues)
    throw exceeded(
      `The operations of the document have together more than the ${maxValues} values in arguments allowed.`,
    )
  // A document without fragments never has so many: it is shorter itself.
  const maxCharacters = Math.max(limits.length, limits.fields * CHARACTERS_PER_FIELD)
  if (characters > maxCharacters)
    throw exceeded(
      `The operations of the document have together more than the ${maxCharacters} characters in arguments and aliases allowed, those of fragments counted wherever they are spread.`,
    )
  sizes.checkFragments()
}

/** Throws a `RequestError` if plans of the operation could differ by too many variables. */
export function checkConditionVariables(names: Iterable<string>, limits: OperationLimits): void {
  refuseAbove('variables in @skip, @include and @defer', [...names].length, limits.conditionVariables)
}

function refuseAbove(what: string, count: number, limit: number): void {
  if (count <= limit) return
  throw exceeded(`The operation has more than the ${limit} ${what} allowed.`)
}

/** The error for an operation beyond a limit. */
export function exceeded(message: string): RequestError {
  return new RequestError('operation', 'OPERATION_LIMIT_EXCEEDED', [message])
}

type Size = { fields: number; aliases: number; rootFields: number; depth: number } & Given

/** The sizes of arguments, also those of directives, and of aliases. */
type Given = { values: number; characters: number }

type MeasuredFragment = { readonly size: Size; readonly compared: ComparedSelection }

/**
 * Sizes of fragments are remembered, so the time is linear in the document even where the expansion is
 * exponential.
 */
class Sizes {
  readonly #limits: OperationLimits
  readonly #fragments: Fragments
  readonly #measured = new Map<string, MeasuredFragment>()
  readonly #open = new Set<string>()
  readonly #comparisons = new FieldComparisons(() => exceeded(SAME_FIELDS_TOO_OFTEN))

  constructor(document: DocumentNode, limits: OperationLimits) {
    this.#limits = limits
    this.#fragments = fragmentsOf(document)
  }

  of(root: SelectionSetNode): Size {
    return this.#whole(root, 1).size
  }

  /** Measures all fragments: those that no operation spreads are validated, too. */
  checkFragments(): void {
    for (const [name, { selectionSet }] of this.#fragments)
      if (!this.#measured.has(name)) this.of(selectionSet)
  }

  /** The size of all that an operation, a field or a fragment selects. */
  #whole(selectionSet: SelectionSetNode, level: number): MeasuredFragment {
    const compared = new ComparedSelection()
    const size = this.#selection(selectionSet, level, compared)
    this.#comparisons.compareSpreads(compared)
    return { size, compared }
  }

  #selection(selectionSet: SelectionSetNode, level: number, compared: ComparedSelection): Size {
    const { depth: maxDepth, fields: maxFields } = this.#limits
    if (level > maxDepth) throw tooDeep(maxDepth)
    const size: Size = { fields: 0, aliases: 0, rootFields: 0, depth: 0, values: 0, characters: 0 }
    for (const selection of selectionSet.selections) {
      const part = this.#part(selection, level, compared)
      size.fields += part.fields
      // Stops here already: what is added up must not grow far beyond the limit before it is compared with
      // it.
      refuseAbove('fields', size.fields, maxFields)
      size.aliases += part.aliases
      size.rootFields += part.rootFields
      size.depth = Math.max(size.depth, part.depth)
      size.values += part.values
      size.characters += part.characters
      addGiven(size, selection)
    }
    if (level + size.depth - 1 > maxDepth) throw tooDeep(maxDepth)
    return size
  }

  #part(selection: SelectionNode, level: number, compared: ComparedSelection): Size {
    switch (selection.kind) {
      case Kind.FIELD: {
        const { alias, selectionSet } = selection
        const inner = selectionSet === undefined ? null : this.#whole(selectionSet, level + 1)
        this.#comparisons.addField(compared, selection, inner?.compared ?? null)
        const size = inner?.size ?? NOTHING
        return {
          fields: 1 + size.fields,
          aliases: (alias === undefined ? 0 : 1) + size.aliases,
          rootFields: 1,
          depth: 1 + size.depth,
          values: size.values,
          characters: size.characters,
        }
      }
      case Kind.INLINE_FRAGMENT:
        return this.#selection(selection.selectionSet, level, compared)
      case Kind.FRAGMENT_SPREAD:
        return this.#fragment(selection.name.value, level, compared)
      default:
        return selection satisfies never
    }
  }

  #fragment(name: string, level: number, around: ComparedSelection): Size {
    const fragment = this.#fragments.get(name)
    // Validation reports cycles and unknown fragments.
    if (fragment === undefined || this.#open.has(name)) return NOTHING
    let measured = this.#measured.get(name)
    if (measured === undefined) {
      if (this.#open.size >= MAX_FRAGMENT_DEPTH)
        throw exceeded(`The document nests fragments deeper than the ${MAX_FRAGMENT_DEPTH} levels allowed.`)
      this.#open.add(name)
      measured = this.#whole(fragment.selectionSet, level)
      this.#open.delete(name)
      this.#measured.set(name, measured)
    }
    around.spreads.add(measured.compared)
    return measured.size
  }
}

const NOTHING: Size = { fields: 0, aliases: 0, rootFields: 0, depth: 0, values: 0, characters: 0 }

/** Adds what a selection itself is given. */
function addGiven(given: Given, selection: SelectionNode): void {
  if (selection.kind === Kind.FIELD) {
    given.characters += selection.alias?.value.length ?? 0
    for (const { value } of selection.arguments ?? []) addValue(given, value)
  }
  for (const directive of selection.directives ?? [])
    for (const { value } of directive.arguments ?? []) addValue(given, value)
}

function addValue(given: Given, value: ValueNode): void {
  given.values++
  if (value.kind === Kind.LIST) for (const item of value.values) addValue(given, item)
  else if (value.kind === Kind.OBJECT) for (const field of value.fields) addValue(given, field.value)
  else given.characters += charactersOf(value)
}

function charactersOf(value: Exclude<ValueNode, ListValueNode | ObjectValueNode>): number {
  if (value.kind === Kind.VARIABLE) return value.name.value.length
  return value.kind === Kind.NULL || value.kind === Kind.BOOLEAN ? 0 : value.value.length
}

function tooDeep(limit: number): RequestError {
  return exceeded(`The operation nests fields deeper than the ${limit} levels allowed.`)
}
