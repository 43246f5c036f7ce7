/** The markers that stand for a value that cannot be completed. */
import type { DataField } from './frame.ts'

/**
 * Stands for a value that must not be null, but is. The nearest nullable field or item around it becomes
 * null: https://spec.graphql.org/draft/#sec-Handling-Execution-Errors
 */
export const VIOLATION = Symbol('non-null violation')

/**
 * The same for a field that not every delivery group selects on its object. The other groups can still
 * deliver the object, so the object does not become null; the group that is completed fails instead.
 */
export const GROUP_VIOLATION = Symbol('non-null violation of one delivery group')

export type Violation = typeof VIOLATION | typeof GROUP_VIOLATION

/** The violation of the object that has the field, after the value of the field became one. */
export function violationAbove(field: DataField, violation: Violation): Violation {
  return violation === VIOLATION && field.isMissingInSome === true ? GROUP_VIOLATION : violation
}

export function isViolation(value: unknown): value is Violation {
  return value === VIOLATION || value === GROUP_VIOLATION
}
