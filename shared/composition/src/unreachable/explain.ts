/**
 * Why a path through the graph cannot be resolved: step by step, with the subgraph of each, and at the last
 * step what keeps each subgraph from going on.
 *
 * The library knows that a path ends and where. What is missing to go on is read from the subgraphs: a key
 * that cannot be built, a key that is not resolvable, a field that is external. Where that finds nothing, the
 * library's reason stays.
 */
import type { CompositionError, PathStep, SdlLocation } from '../contract/composition-result.ts'
import { typeNodes } from '../documents/definitions.ts'
import { at, type Located, tidy } from '../locations/place.ts'
import { placesInFieldSet } from '../locations/field-set-places.ts'
import { federationDirectives, type ParsedSubgraph } from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import {
  externalIn,
  type Found,
  headline,
  nameOf,
  placesOfExternal,
  placesOfSource,
  placesOfTarget,
  printReason,
  type TypedStep,
  whyMissing,
} from './tell.ts'
import {
  type Declared,
  declarationsOf,
  entityIn,
  isResolvedHere,
  keysOf,
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
