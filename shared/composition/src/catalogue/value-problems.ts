/** Sentences about literals that do not fit a type. */

/** Why a literal does not fit a type. Types and values are as they are written. */
export type ValueProblem =
  | { readonly kind: 'null'; readonly type: string }
  | { readonly kind: 'other-type'; readonly type: string; readonly value: string }
  | { readonly kind: 'no-enum-value'; readonly type: string; readonly value: string }
  | { readonly kind: 'not-one-field'; readonly type: string }
  | { readonly kind: 'unknown-field'; readonly type: string; readonly field: string }
  | { readonly kind: 'missing-field'; readonly type: string; readonly field: string }

/** The clause about a problem, without a full stop. */
export function valueProblemText(problem: ValueProblem): string {
  const { type } = problem
  switch (problem.kind) {
    case 'null':
      return `"${type}" cannot be null`
    case 'other-type':
      return `expected a value of type "${type}", found ${problem.value}`
    case 'no-enum-value':
      return `enum "${type}" has no value ${problem.value}`
    case 'not-one-field':
      return `"${type}" takes exactly one field, and that not null`
    case 'unknown-field':
      return `"${type}" has no field "${problem.field}"`
    case 'missing-field':
      return `field "${problem.field}" of "${type}" is required`
    default:
      return problem satisfies never
  }
}
