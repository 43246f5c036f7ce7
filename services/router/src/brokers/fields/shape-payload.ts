/** Makes the answer of a subgraph from an event: with the keys of the fetch, and values of the schema. */
import type { Shape } from './payload-shape.ts'

/** The value as the fetch asks for it, or the reason why it is none. */
export type ShapedPayload =
  | { readonly kind: 'shaped'; readonly value: unknown; readonly steps: number }
  | { readonly kind: 'nonsense'; readonly reason: string; readonly steps: number }

/**
 * Values that are looked at in one event, which takes 10 ms. An event of the largest usual size rarely has so
 * many, and a client could ask for the same list under many names.
 */
const MOST_STEPS = 200_000

/** Shapes a payload. It does not change the payload. */
export function shapePayload(payload: unknown, shape: Shape): ShapedPayload {
  const shaping = new Shaping()
  const value = shaping.shape(payload, shape)
  const { steps, reason } = shaping
  return reason === null ? { kind: 'shaped', value, steps } : { kind: 'nonsense', reason, steps }
}

/** Shapes one payload, until the first value that does not fit. */
class Shaping {
  steps = 0
  reason: string | null = null

  shape(value: unknown, shape: Shape): unknown {
    if (++this.steps > MOST_STEPS) return this.#refuse(shape, 'has more values than an event may have')
    if (value === null || value === undefined)
      return shape.isNonNull ? this.#refuse(shape, 'is null or missing') : null
    if (shape.kind === 'list') return this.#list(value, shape.item, shape)
    if (shape.kind === 'object') return this.#object(value, shape)
    return shape.isLeaf(value) ? value : this.#refuse(shape, `is no ${shape.expected}`)
  }

  #list(value: unknown, item: Shape, shape: Shape): unknown {
    if (!Array.isArray(value)) return this.#refuse(shape, 'is no list')
    const items: unknown[] = []
    for (const one of value) {
      if (this.reason !== null) break
      items.push(this.shape(one, item))
    }
    return items
  }

  #object(value: unknown, shape: Shape & { readonly kind: 'object' }): unknown {
    if (!isObject(value)) return this.#refuse(shape, 'is no object')
    const { only } = shape
    const type = value['__typename'] ?? only
    if (typeof type !== 'string' || !shape.types.has(type))
      return this.#refuse(shape, 'has no "__typename" that can be there')
    // Not an object at once: a client may call a field `__proto__`.
    const object = new Map<string, unknown>()
    for (const field of shape.fieldsOf(type)) {
      if (this.reason !== null) break
      const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined
      object.set(field.key, field.shape === null ? type : this.shape(own, field.shape))
    }
    return Object.fromEntries(object)
  }

  /** Keeps the first reason. It names the schema, never the value, which may be a secret. */
  #refuse({ coordinate }: Shape, reason: string): undefined {
    this.reason ??= `${coordinate} ${reason}`
    return undefined
  }
}

/** True for an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
