/** Writes the merged directives of a definition. */
import type { Alternatives, MergedApplied, MergedListSize } from '../merge/merged.ts'
import { NOTHING_APPLIED } from '../merge/merge-applied.ts'

/** The applications but for cache hints, each as a text such as `@tag(name: "internal")`. */
export function printApplied(applied: MergedApplied): readonly string[] {
  if (applied === NOTHING_APPLIED) return NONE
  const { access, tags, isInaccessible, cost, listSize, deprecated, specifiedBy, isOneOf } = applied
  return [
    ...applied.composed,
    ...tags.map((name) => `@tag(name: ${JSON.stringify(name)})`),
    ...when(isInaccessible, '@inaccessible'),
    ...when(access.isAuthenticated, '@authenticated'),
    ...when(access.policies.length > 0, `@policy(policies: ${printAlternatives(access.policies)})`),
    ...when(access.scopes.length > 0, `@requiresScopes(scopes: ${printAlternatives(access.scopes)})`),
    ...when(cost !== null, `@cost(weight: ${String(cost)})`),
    ...(listSize === null ? NONE : [printListSize(listSize)]),
    ...(deprecated === null ? NONE : [withReason(deprecated)]),
    ...(specifiedBy === null ? NONE : [`@specifiedBy(url: ${JSON.stringify(specifiedBy)})`]),
    ...when(isOneOf, '@oneOf'),
  ]
}

const NONE: readonly never[] = []

function when(isThere: boolean, text: string): readonly string[] {
  return isThere ? [text] : NONE
}

function withReason(reason: string): string {
  return reason === '' ? '@deprecated' : `@deprecated(reason: ${JSON.stringify(reason)})`
}

function printAlternatives(alternatives: Alternatives): string {
  return `[${alternatives.map(printTexts).join(', ')}]`
}

function printTexts(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`
}

function printListSize(listSize: MergedListSize): string {
  const { assumedSize, requireOneSlicingArgument, slicingArguments, sizedFields } = listSize
  const given = [
    ...when(!requireOneSlicingArgument, 'requireOneSlicingArgument: false'),
    ...when(assumedSize !== null, `assumedSize: ${String(assumedSize)}`),
    ...(slicingArguments === null ? NONE : [`slicingArguments: ${printTexts(slicingArguments)}`]),
    ...(sizedFields === null ? NONE : [`sizedFields: ${printTexts(sizedFields)}`]),
  ]
  return given.length === 0 ? '@listSize' : `@listSize(${given.join(', ')})`
}
