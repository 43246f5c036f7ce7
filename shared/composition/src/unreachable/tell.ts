/** Sentences and places by which a path that cannot be resolved is told. */
import type { PathStep, SdlLocation, UnreachableReason } from '../contract/composition-result.ts'
import { at, type Located } from '../locations/place.ts'
import { names } from '../locations/rule.ts'
import type { ParsedSubgraph } from '../subgraph/subgraph.ts'
import {
  type Declared,
  declarationsOf,
  entityIn,
  externalMarks,
  isExternalKey,
  isResolvedHere,
  type MissingField,
} from './resolvers.ts'

/** A step with the type that it is taken from; `field` is null for a type condition. */
export type TypedStep = { readonly type: string; readonly field: string | null }

/** A reason, with the places that it is about. */
export type Found = { readonly reason: UnreachableReason; readonly places: readonly SdlLocation[] }

/** Says why a subgraph cannot give a field of a key. */
export function whyMissing({ declared }: MissingField, { name }: ParsedSubgraph): string {
  return declared === null
    ? `subgraph "${name}" does not have`
    : `is ${externalIn(declared, `in subgraph "${name}"`)}`
}

/** A subgraph that marks its own key as external takes objects by it, but cannot tell it to others. */
export function externalIn(declared: Declared, where: string): string {
  const { subgraph } = declared
  return isExternalKey(declared)
    ? `@external ${where} although a @key there names it, so "${subgraph.name}" cannot tell the key of its own objects; remove @external`
    : `@external ${where}`
}

/** The mark where it stands on a key, since that is the mistake; otherwise the field. */
export function placesOfExternal(declared: Declared): readonly SdlLocation[] {
  const { subgraph, field } = declared
  return isExternalKey(declared)
    ? externalMarks(declared).flatMap((node) =>
        at(subgraph, node, 'remove this: the field is part of a @key'),
      )
    : at(subgraph, field.name, '@external here')
}

/** The coordinate of a step, or the type of a type condition. */
export function nameOf({ type, field }: TypedStep): string {
  return field === null ? type : `${type}.${field}`
}

/** Returns the places that the path has come to: the field that gave the object, or the object's type. */
export function placesOfSource(
  source: ParsedSubgraph,
  typeName: string,
  path: readonly PathStep[],
  located: readonly Located[],
): readonly SdlLocation[] {
  const here = located.filter(({ name }) => name === source.name)
  const step = path.slice(0, -1).findLast(({ coordinate }) => !coordinate.startsWith('...'))
  if (step?.subgraph === source.name) {
    const places = names(here, step.coordinate, () => 'the path comes to here')
    if (places.length > 0) return places
  }
  const entity = entityIn(
    source,
    located.map(({ subgraph }) => subgraph),
    typeName,
  )
  return names(here, entity?.name ?? typeName, () => 'the path can go on to here').slice(0, 1)
}

/** Every subgraph that has the field is concerned, also where the field is a key that cannot be built. */
export function placesOfTarget(
  { type, field }: TypedStep,
  subgraphs: readonly ParsedSubgraph[],
): readonly SdlLocation[] {
  if (field === null) return []
  return declarationsOf(subgraphs, type, field).flatMap((one) =>
    at(one.subgraph, one.field.name, isResolvedHere(one) ? 'resolved here' : '@external here'),
  )
}

/** The first line of the message: the field and the path to it. */
export function headline(path: readonly PathStep[]): string {
  const taken = path
    .slice(0, -1)
    .map(({ coordinate, subgraph }) => (subgraph === null ? coordinate : `${coordinate} (${subgraph})`))
  const coordinate = path.at(-1)?.coordinate ?? ''
  return `"${coordinate}" cannot be resolved on the path ${taken.join(' → ')}:`
}

/** One line of the message. */
export function printReason({ subgraph, reason }: UnreachableReason): string {
  return `- from subgraph "${subgraph}": ${reason}.`
}
