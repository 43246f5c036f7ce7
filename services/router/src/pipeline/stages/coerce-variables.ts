/** Checks the values of an operation's variables, and fills in their defaults. */
import type { Stage } from '../../request/stage.ts'
import type { SeenInputs } from '@switchyard/engine'
import type { CountedOperation } from '../../observe/request-summary.ts'
import type { Prepared } from './prepare-operation.ts'

/** Values of variables in the form that goes to subgraphs. */
export type VariableValues = ReadonlyMap<string, unknown>

/** A request whose operation and variables are known. */
export type Coerced = Prepared & { readonly variables: VariableValues }

/** The parts that the values of variables are checked with. */
export type CoercingParts = {
  /** Notes which input fields and enum values they name; null if nobody wants to know. */
  readonly usage: { inputsOf(operation: CountedOperation): SeenInputs | null } | null
}

/** A promise where there is much to do. Throws, or rejects with, RequestError. */
export function coerceVariables({
  usage,
}: CoercingParts): Stage<Prepared, { readonly variables: VariableValues }> {
  return {
    waitsFor: 'turn',
    run: (prepared) => {
      const variables = valuesOf(prepared, usage?.inputsOf(prepared.prepared) ?? null)
      return variables instanceof Promise ? variables.then((late) => ({ variables: late })) : { variables }
    },
  }
}

function valuesOf(
  { params, prepared: { operation }, turns }: Prepared,
  seen: SeenInputs | null,
): VariableValues | Promise<VariableValues> {
  if (!operation.takesExactNumbers) return operation.coerceVariablesInTurns(params.variables, turns, seen)
  const exact = params.exactVariables(turns)
  return exact instanceof Promise
    ? exact.then((raw) => operation.coerceVariablesInTurns(raw, turns, seen))
    : operation.coerceVariablesInTurns(exact, turns, seen)
}
