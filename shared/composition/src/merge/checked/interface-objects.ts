/** Which fields of interfaces come from interface objects. */
import type { CheckedField } from './checked-graph.ts'

/** Whether interface objects alone have the field. */
export function isOfInterfaceObjects({ declarations }: CheckedField): boolean {
  return declarations.every(({ type }) => type.isInterfaceObject)
}
