/**
 * Why a path through the graph cannot be resolved: step by step, with the subgraph of each, and at the last
 * step what keeps each subgraph from going on.
 *
 * The library knows that a path ends and where. What is missing to go on is read from the subgraphs: a key
 * that cannot be built, a key that is not resolvable, a field that is external. Where that finds nothing, the
 * library's reason stays.
 */
import type {
  CompositionError,
  PathStep,
  SdlLocation,
  UnreachableReason,
} from '../contract/composition-result.ts'
import { typeNodes } from '../locations/definitions.ts'
import { names } from '../locations/rule.ts'
import { at, type Located, tidy } from '../locations/place.ts'
import { placesInFieldSet } from '../locations/field-set-places.ts'
import { federationDirectives, type ParsedSubgraph } from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import {
  type Declared,
  declarationsOf,
  entityIn,
  externalMarks,
  isExternalKey,
  isResolvedHere,
  keysOf,
  type MissingField,
  missingFields,
} from './resolvers.ts'

const MAX_REASONS = 20

/** Explains a message. Null if it is not about a path. */
export function explainUnreachable(message: string, located: readonly Located[]): CompositionError | null {
  const read = readMessage(message)
  if (read === null) return null
  const subgraphs = located.map(({ subgraph }) => subgraph)
  const steps = typedSteps(read, subgraphs)
  const last = steps.at(-1)
  if (last === undefined) return null
  const sources = subgraphs.filter(({ name }) => read.reasons.has(name))
  const path = choosePath(steps, sources, subgraphs)
  const found = sources.flatMap((source) => reasonsFrom(source, last, read, subgraphs))
  const reasons = found.map(({ reason }) => reason).slice(0, MAX_REASONS)
  const locations = tidy([
    ...found.flatMap((one) => one.places),
    ...sources.flatMap((source) => placesOfSource(source, last.type, path, located)),
    ...placesOfTarget(last, subgraphs),
  ])
  return {
    code: 'SATISFIABILITY_ERROR',
    message: [headline(path), ...reasons.map(printReason)].join('\n'),
    subgraphs: [...new Set(locations.map(({ subgraph }) => subgraph))].sort(),
    locations,
    operation: read.operation,
    path,
    reasons,
  }
}

/** A step with the type that it is taken from; `field` is null for a type condition. */
type TypedStep = { readonly type: string; readonly field: string | null }

function typedSteps(
  { root, steps }: ReadMessage,
  subgraphs: readonly ParsedSubgraph[],
): readonly TypedStep[] {
  const typed: TypedStep[] = []
  let type: string = root
  for (const step of steps) {
    if (step.kind === 'type') {
      type = step.type
      typed.push({ type, field: null })
      continue
    }
    typed.push({ type, field: step.field })
    const [declared] = declarationsOf(subgraphs, type, step.field)
    if (declared === undefined) break
    type = baseName(declared.field.type)
  }
  return typed
}

/** The path stays in one subgraph as long as it can, and ends in one of those that the message names. */
function choosePath(
  steps: readonly TypedStep[],
  sources: readonly ParsedSubgraph[],
  subgraphs: readonly ParsedSubgraph[],
): readonly PathStep[] {
  const taken = steps.slice(0, -1)
  let wanted: readonly ParsedSubgraph[] = sources
  const chosen: (ParsedSubgraph | null)[] = []
  for (const { type, field } of taken.toReversed()) {
    if (field === null) {
      chosen.unshift(wanted[0] ?? null)
      continue
    }
    const able = declarationsOf(subgraphs, type, field)
      .filter(isResolvedHere)
      .map(({ subgraph }) => subgraph)
    const next = able.find((one) => wanted.includes(one)) ?? able[0] ?? null
    chosen.unshift(next)
    if (next !== null) wanted = [next]
  }
  return steps.map((step, index) => ({
    coordinate: step.field === null ? `... on ${step.type}` : `${step.type}.${step.field}`,
    subgraph: index < taken.length ? (chosen[index]?.name ?? null) : null,
  }))
}

type Found = { readonly reason: UnreachableReason; readonly places: readonly SdlLocation[] }

function reasonsFrom(
  source: ParsedSubgraph,
  last: TypedStep,
  read: ReadMessage,
  subgraphs: readonly ParsedSubgraph[],
): readonly Found[] {
  const { type, field } = last
  const own: Found[] = []
  const declared = field === null ? [] : declarationsOf(subgraphs, type, field)
  for (const one of declared) {
    if (one.subgraph === source) own.push(...reasonsInside(one, last, subgraphs))
    else if (isResolvedHere(one)) own.push(...reasonsToEnter(source, one, last, subgraphs))
  }
  const known = new Set(own.map(({ reason }) => reason.target))
  const others = (read.reasons.get(source.name) ?? []).flatMap((text): readonly Found[] => {
    const name = /^cannot move to subgraph "(.*?)"/.exec(text)?.[1] ?? null
    if (name === null && (/^cannot find field|marked @external/.test(text) || known.has(null))) return []
    if (known.has(name)) return []
    known.add(name)
    const target = subgraphs.find((one) => one.name === name)
    const entity = target === undefined ? undefined : entityIn(target, subgraphs, type)
    const places =
      target === undefined
        ? []
        : at(target, entity === undefined ? undefined : typeNodes(target.document, entity.name)[0]?.name)
    const told: Found = {
      reason: { subgraph: source.name, target: name, reason: text.replace(/\.$/, '') },
      places,
    }
    if (target === undefined || entity === undefined) return [told]
    const entering = reasonsToEnter(source, { subgraph: target, type: entity, field: null }, last, subgraphs)
    return entering.length > 0 ? entering : [told]
  })
  if (own.length + others.length > 0) return [...own, ...others]
  const reason = `no subgraph that can be reached resolves "${nameOf(last)}"`
  return [{ reason: { subgraph: source.name, target: null, reason }, places: [] }]
}

/** The subgraph has the field, and still cannot resolve it. */
function reasonsInside(
  one: Declared,
  last: TypedStep,
  subgraphs: readonly ParsedSubgraph[],
): readonly Found[] {
  const { subgraph, field } = one
  const tell = (reason: string, places: readonly SdlLocation[]): Found => ({
    reason: { subgraph: subgraph.name, target: null, reason },
    places,
  })
  if (!isResolvedHere(one))
    return [tell(`"${nameOf(last)}" is ${externalIn(one, 'there')}`, placesOfExternal(one))]
  return federationDirectives(subgraph, field, 'requires').flatMap((node) =>
    missingFields(node, one.type.name, subgraph, subgraphs).map(({ type, field: required }) =>
      tell(
        `"${nameOf(last)}" requires "${type}.${required}", which cannot be fetched for it`,
        placesInFieldSet(
          subgraph,
          node,
          one.type.name,
          { kind: 'field', type, field: required },
          'cannot be fetched',
        ),
      ),
    ),
  )
}

/** Another subgraph resolves the field, and cannot be entered. */
function reasonsToEnter(
  source: ParsedSubgraph,
  {
    subgraph: target,
    type: entity,
    field,
  }: Omit<Declared, 'field'> & { readonly field: Declared['field'] | null },
  last: TypedStep,
  subgraphs: readonly ParsedSubgraph[],
): readonly Found[] {
  const tell = (reason: string, places: readonly SdlLocation[]): Found => ({
    reason: { subgraph: source.name, target: target.name, reason },
    places,
  })
  const keys = keysOf(target, entity)
  if (keys.length === 0)
    return [
      tell(
        field === null
          ? `subgraph "${target.name}" has no @key on "${entity.name}" to be entered by`
          : `subgraph "${target.name}" has "${nameOf(last)}", but no @key on "${entity.name}" to be entered by`,
        at(
          target,
          field?.name ?? typeNodes(target.document, entity.name)[0]?.name,
          `"${entity.name}" has no @key here`,
        ),
      ),
    ]
  return keys.flatMap(({ node, fields, resolvable }) => {
    const key = `@key(fields: "${fields}") of subgraph "${target.name}"`
    if (!resolvable) return [tell(`the ${key} is "resolvable: false"`, at(target, node, 'not resolvable'))]
    const nameInSource = entityIn(source, subgraphs, last.type)?.name ?? last.type
    return missingFields(node, last.type, source, subgraphs).map((missing) =>
      tell(`the ${key} needs "${missing.type}.${missing.field}", which ${whyMissing(missing, source)}`, [
        ...placesInFieldSet(
          target,
          node,
          entity.name,
          {
            kind: 'field',
            type: missing.type === nameInSource ? entity.name : missing.type,
            field: missing.field,
          },
          `${missing.declared === null ? 'not' : '@external'} in subgraph "${source.name}"`,
        ),
        ...(missing.declared === null ? [] : placesOfExternal(missing.declared)),
      ]),
    )
  })
}

function whyMissing({ declared }: MissingField, { name }: ParsedSubgraph): string {
  return declared === null
    ? `subgraph "${name}" does not have`
    : `is ${externalIn(declared, `in subgraph "${name}"`)}`
}

/** A subgraph that marks its own key as external takes objects by it, but cannot tell it to others. */
function externalIn(declared: Declared, where: string): string {
  const { subgraph } = declared
  return isExternalKey(declared)
    ? `@external ${where} although a @key there names it, so "${subgraph.name}" cannot tell the key of its own objects; remove @external`
    : `@external ${where}`
}

/** The mark where it stands on a key, since that is the mistake; otherwise the field. */
function placesOfExternal(declared: Declared): readonly SdlLocation[] {
  const { subgraph, field } = declared
  return isExternalKey(declared)
    ? externalMarks(declared).flatMap((node) =>
        at(subgraph, node, 'remove this: the field is part of a @key'),
      )
    : at(subgraph, field.name, '@external here')
}

function nameOf({ type, field }: TypedStep): string {
  return field === null ? type : `${type}.${field}`
}

/** Returns the places that the path has come to: the field that gave the object, or the object's type. */
function placesOfSource(
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
function placesOfTarget(
  { type, field }: TypedStep,
  subgraphs: readonly ParsedSubgraph[],
): readonly SdlLocation[] {
  if (field === null) return []
  return declarationsOf(subgraphs, type, field).flatMap((one) =>
    at(one.subgraph, one.field.name, isResolvedHere(one) ? 'resolved here' : '@external here'),
  )
}

function headline(path: readonly PathStep[]): string {
  const taken = path
    .slice(0, -1)
    .map(({ coordinate, subgraph }) => (subgraph === null ? coordinate : `${coordinate} (${subgraph})`))
  const coordinate = path.at(-1)?.coordinate ?? ''
  return `"${coordinate}" cannot be resolved on the path ${taken.join(' → ')}:`
}

function printReason({ subgraph, reason }: UnreachableReason): string {
  return `- from subgraph "${subgraph}": ${reason}.`
}
