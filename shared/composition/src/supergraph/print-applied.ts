/** Writes the merged directives of a definition. */
import type { Alternatives, CacheHint, MergedApplied, MergedListSize } from '../merge/merged.ts'
import { NOTHING_APPLIED } from '../merge/merge-applied.ts'

/** The applications, each as a text such as `@tag(name: "internal")`. */
export function printApplied(applied: MergedApplied): readonly string[] {
  if (applied === NOTHING_APPLIED) return NONE
  const { access, tags, isInaccessible, cost, listSize, deprecated, specifiedBy, isOneOf, cache } = applied
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
    ...(cache === null ? NONE : [printCacheHint(cache)]),
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

function printCacheHint({ maxAge, isPrivate, inherits }: CacheHint): string {
  const given = [
    ...when(maxAge !== null, `maxAge: ${String(maxAge)}`),
    ...when(isPrivate, 'scope: PRIVATE'),
    ...when(inherits, 'inheritMaxAge: true'),
  ]
  return given.length === 0 ? '@cacheControl' : `@cacheControl(${given.join(', ')})`
}
