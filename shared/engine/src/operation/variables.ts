import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { WorkBudget } from '../work/budget.ts'
import { atOnce, inSlices, type Turns } from '../work/slices.ts'
import {
  type DeclaredVariable,
  declaredVariables,
  MAX_INPUT_DEPTH,
  VariableCoercion,
} from './coerce-variables.ts'
import { exceeded } from './limits.ts'
import { RequestError } from './operation-error.ts'
import { SeenInputs } from './inputs/seen-inputs.ts'
import type { SourceLines } from './source-lines.ts'

/** Names of the variables that decide on the plan. */
export type ConditionVariables = {
  readonly all: Iterable<string>
  /** Variables of `@skip` and `@include`. A variable that stands only in `@defer` may be absent. */
  readonly required: ReadonlySet<string>
}

/** Variables as the request gives them. */
export type RawVariables = Readonly<Record<string, unknown>> | null | undefined
/** Values by variable name; a variable that has neither a value nor a default is missing. */
export type CoercedVariables = ReadonlyMap<string, unknown>

/**
 * The variables of an operation. Coerced values are in the wire form that goes to subgraphs: enum values by
 * name, custom scalars as they came, defaults applied. A variable that was not given and has no default is
 * absent from the result; an explicit null is present. Raw values may hold `ExactNumber`s, as `parseExactly`
 * gives them.
 */
export class Variables {
  readonly #declared: readonly DeclaredVariable[]
  readonly #conditions: ConditionVariables
  readonly #lines: SourceLines
  readonly #maxValues: number

  constructor(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    options: {
      readonly conditions: ConditionVariables
      readonly lines: SourceLines
      /** How many values one request may send, list items and fields of objects included. */
      readonly maxValues: number
    },
  ) {
    this.#declared = declaredVariables(schema, operation)
    this.#conditions = options.conditions
    this.#lines = options.lines
    this.#maxValues = options.maxValues
  }

  /** The coerced values. Throws a `RequestError` that lists what is wrong. */
  coerce(raw: RawVariables): CoercedVariables {
    const coercion = this.#coercion(raw)
    atOnce(coercion)
    return this.#judged(coercion)
  }

  /**
   * The same, letting other requests run in between if there is much to do; only then it returns a promise.
   */
  coerceInTurns(
    raw: RawVariables,
    turns: Turns,
    seen: SeenInputs | null,
  ): CoercedVariables | Promise<CoercedVariables> {
    const coercion = this.#coercion(raw, seen)
    return inSlices(coercion, turns)?.then(() => this.#judged(coercion)) ?? this.#judged(coercion)
  }

  /** Returns what notes the input fields and enum values of values. Null if they can have none. */
  seenInputs(): SeenInputs | null {
    return SeenInputs.of(this.#declared.map(({ type }) => type))
  }

  #coercion(raw: RawVariables, seen: SeenInputs | null = null): VariableCoercion {
    const budget = new WorkBudget(this.#maxValues, () =>
      exceeded(`The variables hold more than the ${this.#maxValues} values allowed.`),
    )
    const tooDeep = (name: string) =>
      exceeded(
        `The value of the variable "$${name}" nests deeper than the ${MAX_INPUT_DEPTH} levels allowed.`,
      )
    return new VariableCoercion(this.#declared, raw ?? {}, budget, tooDeep, seen)
  }

  #judged({ values, problems }: VariableCoercion): CoercedVariables {
    if (problems.length > 0) {
      const causes = problems.map(({ message, node: { loc } }) => ({
        message,
        positions: loc === undefined ? undefined : [loc.start],
      }))
      throw new RequestError('variables', 'BAD_USER_INPUT', causes, this.#lines)
    }
    for (const name of this.#conditions.all) {
      const isOptional = !this.#conditions.required.has(name)
      if (typeof values.get(name) === 'boolean' || (isOptional && !values.has(name))) continue
      const what = isOptional ? 'a fragment is deferred' : 'fields are included'
      const instead = isOptional ? 'true, false or absent, not null' : 'true or false, not null or absent'
      throw new RequestError('variables', 'BAD_USER_INPUT', [
        `Variable "$${name}" decides whether ${what}, so it must be ${instead}.`,
      ])
    }
    return values
  }
}
