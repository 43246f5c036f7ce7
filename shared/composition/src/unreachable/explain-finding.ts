/** Tells an unreachable field to people: sentences, and the places in the subgraphs that they are about. */
import type { CompositionError, SdlLocation } from '../contract/composition-result.ts'
import { placesInFieldSet } from '../locations/field-set-places.ts'
import { at, type Located, tidy } from '../locations/place.ts'
import { typeNodes } from '../documents/definitions.ts'
import type { Obstacle, UnreachableField } from '../reach/unreachable-field.ts'
import { federationDirectives, type ParsedSubgraph } from '../subgraph/subgraph.ts'
import { type Declared, declarationsOf, keysOf, type MissingField } from './resolvers.ts'
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

type ObstacleOf<Kind extends Obstacle['kind']> = Extract<Obstacle, { kind: Kind }>

/** The error of a field that cannot be reached. */
export function explainFinding(finding: UnreachableField, located: readonly Located[]): CompositionError {
  const { field, path, operation, reasons: obstacles } = finding
  const last: TypedStep = { type: field.type, field: field.name }
  const teller = new FindingTeller(
    last,
    located.map(({ subgraph }) => subgraph),
  )
  const found = obstacles.flatMap((obstacle) => teller.tell(obstacle))
  const names = new Set(obstacles.map(({ subgraph }) => subgraph))
  const sources = located.filter(({ name }) => names.has(name)).map(({ subgraph }) => subgraph)
  const reasons = found.map(({ reason }) => reason)
  const locations = tidy([
    ...found.flatMap(({ places }) => places),
    ...sources.flatMap((source) => placesOfSource(source, last.type, path, located)),
    ...placesOfTarget(
      last,
      located.map(({ subgraph }) => subgraph),
    ),
  ])
  return {
    code: 'SATISFIABILITY_ERROR',
    message: [headline(path), ...reasons.map(printReason)].join('\n'),
    subgraphs: [...new Set(locations.map(({ subgraph }) => subgraph))].sort(),
    locations,
    operation,
    path,
    reasons,
  }
}

/** Tells the obstacles of one field. */
class FindingTeller {
  readonly #last: TypedStep
  readonly #subgraphs: readonly ParsedSubgraph[]

  constructor(last: TypedStep, subgraphs: readonly ParsedSubgraph[]) {
    this.#last = last
    this.#subgraphs = subgraphs
  }

  tell(obstacle: Obstacle): readonly Found[] {
    const { subgraph } = obstacle
    const name = nameOf(this.#last)
    switch (obstacle.kind) {
      case 'external':
        return this.#declared(subgraph, obstacle.owner).map((one) =>
          found(obstacle, null, `"${name}" is ${externalIn(one, 'there')}`, placesOfExternal(one)),
        )
      case 'requires':
        return [this.#requires(obstacle)]
      case 'no-key':
        return [this.#noKey(obstacle)]
      case 'not-resolvable':
      case 'key-needs':
        return this.#key(obstacle)
      case 'unknown-type': {
        const text = `no subgraph that can be reached tells the runtime type of "${obstacle.owner}"`
        return [found(obstacle, null, text, [])]
      }
      case 'nowhere':
        return [found(obstacle, null, `no subgraph that can be reached resolves "${name}"`, [])]
      case 'not-alone': {
        const text = `one subgraph has to answer "${name}" alone, and this one cannot resolve "${obstacle.missing}"`
        return [found(obstacle, null, text, [])]
      }
      default:
        return obstacle satisfies never
    }
  }

  #requires(obstacle: ObstacleOf<'requires'>): Found {
    const { owner, missing } = obstacle
    const [type = '', field = ''] = missing.split('.')
    const places = this.#declared(obstacle.subgraph, owner).flatMap((one) =>
      federationDirectives(one.subgraph, one.field, 'requires').flatMap((node) =>
        placesInFieldSet(one.subgraph, node, owner, { kind: 'field', type, field }, 'cannot be fetched'),
      ),
    )
    const text = `"${nameOf(this.#last)}" requires "${missing}", which cannot be fetched for it`
    return found(obstacle, null, text, places)
  }

  #noKey(obstacle: ObstacleOf<'no-key'>): Found {
    const { target, owner } = obstacle
    const subgraph = this.#subgraphs.find(({ name }) => name === target)
    const [declared] = this.#declared(target, owner)
    const has = declared === undefined ? 'has no' : `has "${nameOf(this.#last)}", but no`
    const node =
      declared?.field.name ??
      (subgraph === undefined ? undefined : typeNodes(subgraph.document, owner)[0]?.name)
    const places = subgraph === undefined ? [] : at(subgraph, node, `"${owner}" has no @key here`)
    return found(obstacle, target, `subgraph "${target}" ${has} @key on "${owner}" to be entered by`, places)
  }

  #key(obstacle: ObstacleOf<'not-resolvable' | 'key-needs'>): readonly Found[] {
    const { target, owner, key } = obstacle
    const subgraph = this.#subgraphs.find(({ name }) => name === target)
    const entity = subgraph?.types.get(owner)
    if (subgraph === undefined || entity === undefined) return []
    const keys = keysOf(subgraph, entity).filter(({ fields }) => plain(fields) === plain(key))
    return keys.map(({ node, fields }) => {
      const text = `the @key(fields: "${fields}") of subgraph "${target}"`
      if (obstacle.kind === 'not-resolvable')
        return found(obstacle, target, `${text} is "resolvable: false"`, at(subgraph, node, 'not resolvable'))
      const missing = this.#missing(obstacle)
      const type = missing.type === this.#last.type ? owner : missing.type
      const label = `${missing.declared === null ? 'not' : '@external'} in subgraph "${obstacle.subgraph}"`
      const places = [
        ...placesInFieldSet(subgraph, node, owner, { kind: 'field', type, field: missing.field }, label),
        ...(missing.declared === null ? [] : placesOfExternal(missing.declared)),
      ]
      const why = this.#why(obstacle, missing)
      return found(obstacle, target, `${text} needs "${obstacle.missing}", which ${why}`, places)
    })
  }

  #missing({ missing, lack, subgraph }: ObstacleOf<'key-needs'>): MissingField {
    const [type = '', field = ''] = missing.split('.')
    const [declared] =
      lack === 'external'
        ? declarationsOf(this.#subgraphs, type, field).filter((one) => one.subgraph.name === subgraph)
        : []
    return { type, field, declared: declared ?? null }
  }

  #why({ lack, subgraph }: ObstacleOf<'key-needs'>, missing: MissingField): string {
    const source = this.#subgraphs.find(({ name }) => name === subgraph)
    return lack === 'unresolved' || source === undefined
      ? `subgraph "${subgraph}" cannot resolve`
      : whyMissing(missing, source)
  }

  /** The declarations of the field in one subgraph, on one type. */
  #declared(subgraph: string, owner: string): readonly Declared[] {
    return declarationsOf(this.#subgraphs, this.#last.type, this.#last.field ?? '').filter(
      (one) => one.subgraph.name === subgraph && one.type.name === owner,
    )
  }
}

function found(
  { subgraph }: Obstacle,
  target: string | null,
  reason: string,
  places: readonly SdlLocation[],
): Found {
  return { reason: { subgraph, target, reason }, places }
}

/** Composers write spaces and commas of a key in their own way. */
function plain(key: string): string {
  return key
    .replaceAll(/[\s,]+/g, ' ')
    .replaceAll(/ ?([{}()]) ?/g, '$1')
    .trim()
}
