/** Rule: a type that is extended is defined in some subgraph. */
import type { FieldsType, SubgraphModel } from '../../../model/model.ts'
import { ROOT_NAMES } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { graphFinding } from '../../../findings/finding.ts'
import type { Declared } from '../../../graph/declared.ts'
import type { CheckedFieldsType, TypeRule } from '../../checked/checked-graph.ts'
import { namesOf } from '../../checked/places.ts'

const ROOTS: ReadonlySet<string> = new Set(Object.values(ROOT_NAMES))

/** Finds object types of which there are extensions only. */
export const extensions: TypeRule = function* extensions(type, { subgraphs }) {
  if (type.kind !== 'object' || ROOTS.has(type.name)) return
  const isDefined = type.declarations.some((one) => isDefinition(one, subgraphs))
  if (isDefined || isOwnedByNobody(type, subgraphs)) return
  const at = type.declarations.map((one) => one.at)
  const places = type.declarations.flatMap((one) => namesOf(one))
  yield graphFinding('EXTENSION_WITH_NO_BASE', { type: type.name, at }, places)
}

/** In Federation 1 `@extends` stands for the keyword; since Federation 2 a definition with it is one. */
function isDefinition({ at, model }: Declared<FieldsType>, subgraphs: readonly SubgraphModel[]): boolean {
  if (subgraphs[at]?.minor === null) return !model.isExtension
  return model.parts.some(({ kind }) => kind.endsWith('Definition'))
}

/** In Federation 1 several subgraphs may mark all their definitions with `@extends`. */
function isOwnedByNobody({ declarations }: CheckedFieldsType, subgraphs: readonly SubgraphModel[]): boolean {
  return (
    declarations.length > 1 &&
    declarations.every(
      ({ at, model }) => subgraphs[at]?.minor === null && appliedTo(model.applied, 'extends') !== undefined,
    )
  )
}
