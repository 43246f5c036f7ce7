/** The type within all lists and "!", of compiled types and of types in SDL. */
import { Kind, type TypeNode } from 'graphql'
import type { TypeId } from '../../ids/ids.ts'
import type { TypeRef } from './compiled-graph.ts'

/** Returns the type within all lists. */
export function namedType(ref: TypeRef): TypeId {
  return ref.kind === 'named' ? ref.type : namedType(ref.item)
}

/** Returns the name of the type within all lists and "!". */
export function nameOfType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOfType(type.type)
}
