/** Checks the values of an operation's variables, and fills in their defaults. */
import type { Stage } from '../../request/stage.ts'
import type { Prepared } from './prepare-operation.ts'

/** Values of variables in the form that goes to subgraphs. */
export type VariableValues = ReadonlyMap<string, unknown>

/** A request whose operation and variables are known. */
export type Coerced = Prepared & { readonly variables: VariableValues }

/** A promise where there is much to do. Throws, or rejects with, RequestError. */
export function coerceVariables(): Stage<Prepared, { readonly variables: VariableValues }> {
  return {
    waitsFor: 'turn',
    run: (prepared) => {
      const variables = valuesOf(prepared)
      return variables instanceof Promise ? variables.then((late) => ({ variables: late })) : { variables }
    },
  }
}

function valuesOf({
  params,
  prepared: { operation },
  turns,
}: Prepared): VariableValues | Promise<VariableValues> {
  if (!operation.takesExactNumbers) return operation.coerceVariablesInTurns(params.variables, turns)
  const exact = params.exactVariables(turns)
  return exact instanceof Promise
    ? exact.then((raw) => operation.coerceVariablesInTurns(raw, turns))
    : operation.coerceVariablesInTurns(exact, turns)
}
