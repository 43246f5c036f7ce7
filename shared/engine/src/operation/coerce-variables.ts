/**
 * CoerceVariableValues() of the specification (https://spec.graphql.org/draft/#CoerceVariableValues()), in
 * slices, because a request may hold millions of values. Each value is looked at once and counted. Values
 * that are nested deeper than they could be sent on are refused.
 */
import {
  coerceInputLiteral,
  type ConstValueNode,
  type GraphQLEnumValue,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { isJsonObject, write } from '../json/json-object.ts'
import type { WorkBudget } from '../work/budget.ts'
import type { SlicedWork } from '../work/slices.ts'
import { coerceLeafInput, InputError } from './coerce-leaf.ts'
import { suggestionOf } from './did-you-mean.ts'
import { excerpt, excerptOfValue } from './excerpt.ts'
import { RequestError } from './operation-error.ts'
import type { SeenInputs } from './inputs/seen-inputs.ts'

/** A variable as the operation declares it. */
export type DeclaredVariable = {
  readonly name: string
  readonly type: GraphQLInputType
  /** The default in the form that is sent to subgraphs; absent if there is none. */
  readonly default?: unknown
  readonly node: VariableDefinitionNode
}

/** A problem of a value, in words, and the declaration of its variable. */
export type VariableProblem = { readonly message: string; readonly node: VariableDefinitionNode }

/** The number of problems after which the other values are not looked at. */
export const MAX_PROBLEMS = 50

/** The deepest nesting of a value. Deeper ones could be received, but not be sent on. */
export const MAX_INPUT_DEPTH = 500

/** The variables that an operation declares. The operation must be valid. */
export function declaredVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): readonly DeclaredVariable[] {
  return (operation.variableDefinitions ?? []).flatMap((node) => {
    const type = typeFromAST(schema, node.type)
    if (!isInputType(type)) return []
    const declared = { name: node.variable.name.value, type, node }
    if (node.defaultValue === undefined) return declared
    return { ...declared, default: valueOfDefault(node.defaultValue, type) }
  })
}

/** A list, an object or a value of a custom scalar whose parts are being coerced. */
type UnfinishedValue =
  | {
      readonly kind: 'list'
      readonly key: string | number | null
      readonly items: readonly unknown[]
      readonly type: GraphQLInputType
      readonly out: unknown[]
      /** The one value that stands for the list: it has no index in what the client sent. */
      readonly isAlone: boolean
      next: number
    }
  | {
      readonly kind: 'object'
      readonly key: string | number | null
      readonly source: Readonly<Record<string, unknown>>
      readonly type: GraphQLInputObjectType
      readonly fields: readonly GraphQLInputField[]
      readonly out: Record<string, unknown>
      next: number
    }
  | {
      readonly kind: 'custom'
      readonly key: string | number | null
      readonly items: readonly unknown[]
      next: number
    }

/** Coerces the values of one request, slice by slice. `values` count only if there are no `problems`. */
export class VariableCoercion implements SlicedWork {
  readonly values = new Map<string, unknown>()
  readonly problems: VariableProblem[] = []
  readonly #declared: readonly DeclaredVariable[]
  readonly #raw: Readonly<Record<string, unknown>>
  readonly #budget: WorkBudget
  readonly #tooDeep: (variable: string) => Error
  readonly #seen: SeenInputs | null
  readonly #open: UnfinishedValue[] = []
  #current: DeclaredVariable | undefined
  #next = 0

  constructor(
    declared: readonly DeclaredVariable[],
    raw: Readonly<Record<string, unknown>>,
    budget: WorkBudget,
    tooDeep: (variable: string) => Error,
    seen: SeenInputs | null = null,
  ) {
    this.#seen = seen
    this.#declared = declared
    this.#raw = raw
    this.#budget = budget
    this.#tooDeep = tooDeep
  }

  proceed(steps: number): boolean {
    const end = this.#budget.spent + steps
    while (this.#budget.spent < end) {
      if (this.problems.length >= MAX_PROBLEMS) return true
      const open = this.#open.at(-1)
      if (open === undefined) {
        if (!this.#nextVariable()) return true
      } else this.#continue(open)
    }
    return false
  }

  /** Begins with the next variable; false if there is none. */
  #nextVariable(): boolean {
    const variable = this.#declared[this.#next++]
    this.#current = variable
    if (variable === undefined) return false
    const { name, type } = variable
    const value = Object.hasOwn(this.#raw, name) ? this.#raw[name] : undefined
    if (value !== undefined) this.values.set(name, this.#coerced(value, type, null))
    else if ('default' in variable) this.values.set(name, variable.default)
    else if (isNonNullType(type))
      this.#problem(`Expected a value of non-null type "${type.toString()}" to be provided.`)
    return true
  }

  #continue(open: UnfinishedValue): void {
    const index = open.next++
    switch (open.kind) {
      case 'list': {
        const { items, type, out, isAlone } = open
        if (index === items.length) this.#open.pop()
        else out.push(this.#coerced(items[index], type, isAlone ? null : index))
        return
      }
      case 'custom':
        this.#budget.step(1 / 4)
        if (index === open.items.length) this.#open.pop()
        else this.#walk(open.items[index], null)
        return
      case 'object': {
        const field = open.fields[index]
        if (field === undefined) this.#close(open)
        else this.#field(open, field)
        return
      }
      default:
        open satisfies never
    }
  }

  #field(
    { source, type, out }: Extract<UnfinishedValue, { kind: 'object' }>,
    field: GraphQLInputField,
  ): void {
    this.#budget.step(1 / 4)
    const { name } = field
    const value = Object.hasOwn(source, name) ? source[name] : undefined
    if (value !== undefined) {
      this.#seen?.see(field)
      write(out, name, this.#coerced(value, field.type, name))
    } else if (isRequiredInputField(field))
      this.#problem(`Expected value of type "${type.name}" to include required field "${name}".`)
    else if (field.default?.literal !== undefined) write(out, name, defaultOf(field))
  }

  /** Ends an object, all of whose fields were coerced: reports fields that its type does not have. */
  #close({ source, type, fields, out }: Extract<UnfinishedValue, { kind: 'object' }>): void {
    const given = Object.keys(source)
    this.#budget.step(given.length / 4)
    const declared = type.getFields()
    const known = given.filter((name) => Object.hasOwn(declared, name))
    for (const name of known.length === given.length ? [] : given) {
      if (Object.hasOwn(declared, name)) continue
      if (this.problems.length >= MAX_PROBLEMS) break
      const names = fields.map((field) => field.name)
      this.#problem(
        `Expected value of type "${type.name}" not to include unknown field "${excerpt(name)}".${suggestionOf(name, names)}`,
      )
    }
    if (type.isOneOf) {
      const [only] = known
      const message = `Within OneOf Input Object type "${type.name}", exactly one field must be specified, and the value for that field must be non-null.`
      if (known.length !== 1) this.#problem(message)
      else if (only !== undefined && out[only] === null) this.#problem(message, only)
    }
    this.#open.pop()
  }

  /**
   * The coerced form of a value; undefined after a problem. The parts of lists and objects are added to it
   * later.
   */
  #coerced(value: unknown, declared: GraphQLInputType, key: string | number | null): unknown {
    this.#budget.step()
    let type = declared
    if (isNonNullType(type)) {
      if (value === null)
        return this.#problem(`Expected value of non-null type "${type.toString()}" not to be null.`, key)
      type = type.ofType
    }
    if (value === null) return null
    if (isListType(type)) {
      const isAlone = !Array.isArray(value)
      const items: readonly unknown[] = Array.isArray(value) ? value : [value]
      const out: unknown[] = []
      this.#enter({ kind: 'list', key, items, type: type.ofType, out, isAlone, next: 0 })
      return out
    }
    if (isInputObjectType(type)) {
      if (!isJsonObject(value))
        return this.#problem(
          `Expected value of type "${type.name}" to be an object, found: ${excerptOfValue(value)}.`,
          key,
        )
      const out: Record<string, unknown> = {}
      this.#enter({ kind: 'object', key, source: value, type, fields: fieldsOf(type), out, next: 0 })
      return out
    }
    const coerced = coerceLeafInput(value, type)
    if (coerced instanceof InputError) return this.#problem(coerced.message, key)
    if (this.#seen !== null && isEnumType(type)) see(this.#seen, type.getValue(String(coerced)))
    this.#walk(coerced, key)
    return coerced
  }

  /** Checks how deep a value of a custom scalar is nested. It may hold anything else. */
  #walk(value: unknown, key: string | number | null): void {
    if (typeof value !== 'object' || value === null) return
    const items: readonly unknown[] = Array.isArray(value)
      ? value
      : isJsonObject(value)
        ? Object.values(value)
        : []
    if (items.length > 0) this.#enter({ kind: 'custom', key, items, next: 0 })
  }

  #enter(open: UnfinishedValue): void {
    if (this.#open.length >= MAX_INPUT_DEPTH) throw this.#tooDeep(this.#current?.name ?? '')
    this.#open.push(open)
  }

  /** Reports a problem with the value that is being coerced, or with a part of it. */
  #problem(problem: string, part: string | number | null = null): undefined {
    const variable = this.#current
    if (variable === undefined) return
    const path = [...this.#open.map(({ key }) => key), part]
      .map((key) => (key === null ? '' : typeof key === 'number' ? `[${key}]` : `.${key}`))
      .join('')
    const at = path === '' ? '' : ` at ${excerpt(path, MAX_PATH)}`
    this.problems.push({
      message: `Variable "$${variable.name}" has invalid value${at}: ${problem}`,
      node: variable.node,
    })
  }
}

function see(seen: SeenInputs, value: GraphQLEnumValue | null | undefined): void {
  if (value != null) seen.see(value)
}

const MAX_PATH = 300

const fields = new WeakMap<GraphQLInputObjectType, readonly GraphQLInputField[]>()
const defaults = new WeakMap<GraphQLInputField, unknown>()

function fieldsOf(type: GraphQLInputObjectType): readonly GraphQLInputField[] {
  let known = fields.get(type)
  if (known === undefined) fields.set(type, (known = Object.values(type.getFields())))
  return known
}

function defaultOf(field: GraphQLInputField): unknown {
  let value = defaults.get(field)
  if (value === undefined && field.default?.literal !== undefined)
    defaults.set(field, (value = valueOfDefault(field.default.literal, field.type)))
  return value
}

/**
 * The value of a default. Compositions let pass inputs whose default contains itself: `input A { a: A = {}
 * }`.
 */
function valueOfDefault(literal: ConstValueNode, type: GraphQLInputType): unknown {
  try {
    return coerceInputLiteral(literal, type)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RequestError('variables', 'BAD_USER_INPUT', [
      `A default value of the type "${type.toString()}" contains itself without end, so it cannot be used. Expected a value for the fields that have such defaults.`,
    ])
  }
}
