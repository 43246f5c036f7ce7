/**
 * Finds input types that require each other in a circle, so that no value of theirs can be written.
 *
 * https://spec.graphql.org/draft/#sec-Input-Objects.Circular-References
 */

/** A field of a circle that requires a value of the next type. */
export type CircleStep<Type, Field> = { readonly type: Type; readonly field: Field }

/** How input types are read. */
export type InputReader<Type, Field> = {
  readonly fieldsOf: (type: Type) => Iterable<Field>
  /** The input type that a field requires a value of; null if there is none. A list can be empty. */
  readonly requiredBy: (field: Field) => Type | null
}

/** Fields in all circles that are told: there can be as many circles as fields, each as long as all types. */
const MOST_FIELDS = 100_000

/** Finds each circle once. */
export function* findCircles<Type, Field>(
  types: Iterable<Type>,
  reader: InputReader<Type, Field>,
): Iterable<readonly CircleStep<Type, Field>[]> {
  const done = new Set<Type>()
  let left = MOST_FIELDS
  for (const type of types) {
    if (done.has(type)) continue
    for (const circle of circlesFrom(type, reader, done)) {
      yield circle
      left -= circle.length
      if (left <= 0) return
    }
  }
}

type Step<Type, Field> = { readonly type: Type; readonly fields: Iterator<Field>; field: Field | null }

/** Walks with a list of its own instead of recursion: chains of types may be long. */
function* circlesFrom<Type, Field>(
  start: Type,
  { fieldsOf, requiredBy }: InputReader<Type, Field>,
  done: Set<Type>,
): Iterable<readonly CircleStep<Type, Field>[]> {
  const path: Step<Type, Field>[] = []
  const depths = new Map<Type, number>()
  const enter = (type: Type) => {
    done.add(type)
    depths.set(type, path.length)
    path.push({ type, fields: fieldsOf(type)[Symbol.iterator](), field: null })
  }
  enter(start)
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const next = step.fields.next()
    if (next.done === true) {
      depths.delete(step.type)
      path.pop()
      continue
    }
    step.field = next.value
    const required = requiredBy(next.value)
    const depth = required === null ? undefined : depths.get(required)
    if (depth !== undefined)
      yield path.slice(depth).flatMap(({ type, field }) => (field === null ? [] : [{ type, field }]))
    if (required !== null && !done.has(required)) enter(required)
  }
}
