/** The names of the kinds of types. */

/** A kind of type. */
export type TypeKind = 'object' | 'interface' | 'union' | 'enum' | 'input' | 'scalar'

/** The words for a kind, also for an object that stands for an interface. */
export const KIND_NAMES: Readonly<Record<TypeKind | 'interface-object', string>> = {
  object: 'object type',
  interface: 'interface',
  union: 'union',
  enum: 'enum',
  input: 'input type',
  scalar: 'scalar',
  'interface-object': 'interface object',
}
