/**
 * Whether literals fit their types.
 *
 * https://spec.graphql.org/draft/#sec-Values-of-Correct-Type
 */
import { Kind, print } from 'graphql'
import type { ASTNode, ConstObjectValueNode, ConstValueNode, TypeNode } from 'graphql'
import type { ValueProblem } from '../../catalogue/value-problems.ts'
import { appliedTo } from '../../model/read-types.ts'
import type { InputModel, InputType } from '../../model/model.ts'
import { type CheckedSubgraph } from './checked-subgraph.ts'

/** A literal that does not fit, and why. */
export type WrongValue = { readonly node: ASTNode; readonly problem: ValueProblem }

/** Literals that the scalars of the specification take. */
const LITERALS: Readonly<Record<string, ReadonlySet<ConstValueNode['kind']>>> = {
  Int: new Set([Kind.INT]),
  Float: new Set([Kind.INT, Kind.FLOAT]),
  String: new Set([Kind.STRING]),
  Boolean: new Set([Kind.BOOLEAN]),
  ID: new Set([Kind.STRING, Kind.INT]),
}
const NONE: readonly never[] = []
const LONGEST_VALUE = 80

/** The beginning of a text that is too long to be shown. */
export function shortened(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`
}

/**
 * Checks literals of one subgraph. Lenient checks let pass what always passed as a default: the name of an
 * enum value as a string, and input objects without a required field.
 */
export class ValueRules {
  readonly #subgraph: CheckedSubgraph
  readonly #isLenient: boolean
  readonly #required = new Map<InputType, readonly InputModel[]>()

  constructor(subgraph: CheckedSubgraph, mode: 'strict' | 'lenient') {
    this.#subgraph = subgraph
    this.#isLenient = mode === 'lenient'
  }

  /** All literals in a value that do not fit. */
  problemsOf(value: ConstValueNode, type: TypeNode): readonly WrongValue[] {
    if (type.kind === Kind.NON_NULL_TYPE) {
      if (value.kind === Kind.NULL) return [{ node: value, problem: { kind: 'null', type: print(type) } }]
      return this.problemsOf(value, type.type)
    }
    if (value.kind === Kind.NULL) return NONE
    if (type.kind === Kind.NAMED_TYPE) return this.#problemsOfNamed(value, type.name.value)
    // A single value stands for a list of one.
    if (value.kind !== Kind.LIST) return this.problemsOf(value, type.type)
    return value.values.flatMap((item) => this.problemsOf(item, type.type))
  }

  #problemsOfNamed(value: ConstValueNode, type: string): readonly WrongValue[] {
    const defined = this.#subgraph.model.types.get(this.#subgraph.names.type(type))
    if (defined?.kind === 'enum') {
      const isName = value.kind === Kind.ENUM || (this.#isLenient && value.kind === Kind.STRING)
      if (!isName) return otherType(value, type)
      if (defined.values.has(value.value)) return NONE
      return [{ node: value, problem: { kind: 'no-enum-value', type, value: value.value } }]
    }
    if (defined?.kind === 'input')
      return value.kind === Kind.OBJECT ? this.#problemsOfObject(value, defined) : otherType(value, type)
    // Scalars of the subgraph take what they like. Unknown types are reported elsewhere.
    const isStandard = defined === undefined || (this.#isLenient && defined.kind === 'scalar')
    const literals = isStandard ? LITERALS[type] : undefined
    if (literals === undefined || (literals.has(value.kind) && (type !== 'Int' || isInt(value)))) return NONE
    return otherType(value, type)
  }

  #problemsOfObject(value: ConstObjectValueNode, type: InputType): readonly WrongValue[] {
    const given = new Map(value.fields.map((field) => [field.name.value, field.value]))
    const { name } = type
    const isNull = [...given.values()].some(({ kind }) => kind === Kind.NULL)
    if (!this.#isLenient && appliedTo(type.applied, 'oneOf') !== undefined && (given.size !== 1 || isNull))
      return [{ node: value, problem: { kind: 'not-one-field', type: name } }]
    const wrong = [...given].flatMap(([field, inner]): readonly WrongValue[] => {
      const defined = type.fields.get(field)
      return defined === undefined
        ? [{ node: inner, problem: { kind: 'unknown-field', type: name, field } }]
        : this.problemsOf(inner, defined.node.type)
    })
    if (this.#isLenient) return wrong
    const missing = this.#requiredOf(type).filter((field) => !given.has(field.name))
    return [
      ...wrong,
      ...missing.map(
        (field): WrongValue => ({
          node: value,
          problem: { kind: 'missing-field', type: name, field: field.name },
        }),
      ),
    ]
  }

  #requiredOf(type: InputType): readonly InputModel[] {
    let found = this.#required.get(type)
    if (found === undefined) {
      found = [...type.fields.values()].filter(
        ({ node, defaultValue }) => node.type.kind === Kind.NON_NULL_TYPE && defaultValue === null,
      )
      this.#required.set(type, found)
    }
    return found
  }
}

function otherType(value: ConstValueNode, type: string): readonly WrongValue[] {
  return [{ node: value, problem: { kind: 'other-type', type, value: shortened(print(value)) } }]
}

function isInt(value: ConstValueNode): boolean {
  if (value.kind !== Kind.INT) return false
  const number = Number(value.value)
  return number >= -(2 ** 31) && number < 2 ** 31
}
