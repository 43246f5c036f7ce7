/** Looks up which conditions a field of an operation is under. */
import type { TypeId } from '../../ids/ids.ts'
import type { AccessCondition, CompiledAccess, CompiledType } from '../compiled/compiled-graph.ts'
import { namedType } from '../compiled/named-type.ts'

/** The parts of a request that decide whether it meets access conditions. */
export type Authorization = {
  readonly isAuthenticated: boolean
  readonly scopes: ReadonlySet<string>
  readonly policies: ReadonlySet<string>
}

/** Whether a request meets a condition: one of the alternatives is held whole. */
export function meets(
  { isAuthenticated, scopes, policies }: Authorization,
  condition: AccessCondition,
): boolean {
  if (condition.kind === 'authenticated') return isAuthenticated
  const held = condition.kind === 'scopes' ? scopes : policies
  return condition.anyOf.some((names) => names.every((name) => held.has(name)))
}

/** Prints a condition as SDL does: `@requiresScopes(scopes: [["a"]])`. */
export function printCondition(condition: AccessCondition): string {
  if (condition.kind === 'authenticated') return '@authenticated'
  const lists = JSON.stringify(condition.anyOf)
  return condition.kind === 'scopes' ? `@requiresScopes(scopes: ${lists})` : `@policy(policies: ${lists})`
}

/** Conditions are numbered: a number is an index of `conditions`. */
export class AccessTable {
  readonly conditions: readonly AccessCondition[]
  readonly #compiled: CompiledAccess
  readonly #types: readonly CompiledType[]
  readonly #returnedBy = new Map<TypeId, ReadonlyMap<string, string>>()
  /**
   * The conditions of each field, by coordinate. Valid operations name only fields of the schema, so these
   * maps are bounded.
   */
  readonly #ofField = new Map<string, readonly number[]>()
  readonly #ofAnyObject = new Map<string, readonly number[]>()

  constructor(compiled: CompiledAccess, types: readonly CompiledType[]) {
    this.conditions = compiled.conditions
    this.#compiled = compiled
    this.#types = types
  }

  /**
   * Returns the conditions of a field on exactly this type: those of the type, of the field, and of the type
   * it returns.
   */
  ofField(type: TypeId, name: string): readonly number[] {
    return remembered(this.#ofField, `${type}.${name}`, () => {
      const owner = this.#types[type]?.name ?? ''
      const returned = this.#returned(type).get(name)
      return [
        ...(this.#compiled.types.get(owner) ?? []),
        ...(this.#compiled.fields.get(`${owner}.${name}`) ?? []),
        ...(returned === undefined ? [] : (this.#compiled.types.get(returned) ?? [])),
      ]
    })
  }

  /**
   * Returns the conditions of a field selected on this type, for all object types that may be found there.
   */
  ofAnyObject(type: TypeId, name: string): readonly number[] {
    return remembered(this.#ofAnyObject, `${type}.${name}`, () => [
      ...new Set(
        [type, ...(this.#types[type]?.possible ?? [])].flatMap((object) => this.ofField(object, name)),
      ),
    ])
  }

  /** Names of the types that the fields of a type return: root types may have thousands of fields. */
  #returned(type: TypeId): ReadonlyMap<string, string> {
    let returned = this.#returnedBy.get(type)
    if (returned === undefined) {
      const fields = this.#types[type]?.fields ?? []
      returned = new Map(fields.map((field) => [field.name, this.#types[namedType(field.type)]?.name ?? '']))
      this.#returnedBy.set(type, returned)
    }
    return returned
  }
}

function remembered(
  known: Map<string, readonly number[]>,
  key: string,
  find: () => readonly number[],
): readonly number[] {
  let found = known.get(key)
  if (found === undefined) {
    found = [...new Set(find())]
    known.set(key, found)
  }
  return found
}
