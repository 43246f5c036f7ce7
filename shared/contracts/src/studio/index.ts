export {
  CompositionName,
  type NamedComposition,
  printCompositionName,
} from './composition-name.ts'
export {
  CheckedCompositionView,
  CheckSubgraph,
  ComparedPlan,
  CompositionDifference,
  SubgraphCheck,
} from './comparisons.ts'
export {
  AppliedDirective,
  CompositionSchema,
  CompositionSearch,
  CompositionType,
  CompositionTypes,
  FieldInSubgraph,
  FieldView,
  TYPE_KINDS,
  TypeKind,
} from './schema-views.ts'
export { SubgraphHistory } from './subgraph-history.ts'
