export { CacheHints, type CacheLimit, type FetchHints, strictest } from './caching/cache-hints.ts'
export {
  type AnswerCost,
  type CostAssumptions,
  type OperationCost,
  OperationCosts,
} from './cost/operation-costs.ts'
export type {
  IncrementalEntry,
  IncrementalListener,
  SubsequentResult,
  InitialResult,
  PendingFragment,
  PendingPer,
} from './execution/contract/incremental-response.ts'
export type { ExecuteOptions, IncrementalOptions } from './execution/contract/options.ts'
export type { ExecutionResult, ResponseError } from './execution/contract/response.ts'
export type {
  FetchFunction,
  FetchRecorder,
  SubgraphReply,
  SubgraphRequest,
} from './execution/contract/subgraph-calls.ts'
export { type Execution, execute } from './execution/execute.ts'
export { executeEvent, sourceRequest } from './execution/execute-event.ts'
export { executeIncrementally, type IncrementalExecution } from './execution/execute-incrementally.ts'
export {
  type FetchKind,
  type FetchPlace,
  type FetchTree,
  fetchTree,
} from './execution/fetching/fetch-tree.ts'
export { buildApiSchema } from './graph/api-schema.ts'
export { compileSupergraph } from './graph/compile.ts'
export { readAccess } from './graph/access/compile-access.ts'
export type {
  CompiledEdge,
  CompiledField,
  AccessCondition,
  CompiledGraph,
  CompiledPresence,
  CompiledSubgraph,
  EventSource,
  CompiledType,
  FieldSet,
  FieldSetItem,
  TypeRef,
} from './graph/compiled/compiled-graph.ts'
export {
  type FeatureDefinitions,
  findFeatureDefinitions,
  isOfFeature,
} from './graph/header/features.ts'
export { splitSchema } from './graph/header/split-schema.ts'
export { compilePatchable, type PatchableGraph } from './graph/patch/compile-patchable.ts'
export { applyPatch, type GraphPatch, joinPatches } from './graph/patch/graph-patch.ts'
export { type PatchedGraph, patchGraph } from './graph/patch/patch-graph.ts'
export { describeSupergraph, type SupergraphDescription } from './graph/header/header.ts'
export { fieldOf, type Graph, openGraph, presenceOf, typeOf } from './graph/graph.ts'
export { namedType } from './graph/compiled/named-type.ts'
export { buffersOf, cutGraph, type GraphPieces, joinGraph, type Pause } from './graph/graph-pieces.ts'
export { SupergraphError, type SupergraphErrorCode } from './graph/header/supergraph-error.ts'
export {
  DEFAULT_INTROSPECTION_SIZE,
  introspectInTurns,
  introspectionKey,
  type IntrospectionResult,
} from './introspection/introspect.ts'
export { ExactNumber } from './json/exact-number.ts'
export { problemOfBody } from './execution/joining/answer.ts'
export { isJsonObject, type JsonObject } from './json/json-object.ts'
export { JsonPrinter } from './json/json-printer.ts'
export { holdsText, JsonText, printMembers } from './json/json-text.ts'
export { parseExactly, parseExactlyInTurns } from './json/parse-exactly.ts'
export { excerpt } from './operation/excerpt.ts'
export { type JsonLimit, NotUtf8Error } from './json/json-frames.ts'
export { readJsonInTurns } from './json/read-json-in-turns.ts'
export type { OperationKind } from './operation/operation-kind.ts'
export { DEFAULT_OPERATION_LIMITS, type OperationLimits } from './operation/limits.ts'
export {
  type Operation,
  type OperationRequest,
  type OperationStep,
  prepareOperation,
} from './operation/operation.ts'
export { SeenInputs } from './operation/inputs/seen-inputs.ts'
export {
  RequestError,
  type RequestErrorCode,
  type RefusalPhase,
} from './operation/operation-error.ts'
export {
  type FetchId,
  type GroupId,
  INITIAL_GROUP,
  type PositionId,
  type SubgraphId,
  subgraphId,
  type TypeId,
} from './ids/ids.ts'
export type { IntrospectionPart } from './operation/normalise/normalised.ts'
export type {
  Anchor,
  Fetch,
  FetchPart,
  DeliveryGroup,
  LeafCoercion,
  ObjectShape,
  Plan,
  PlanPreference,
  Position,
  Provider,
  RepresentationCase,
  RepresentationField,
  RepresentationInput,
  ShapeCase,
  ShapeField,
  ShapeNode,
  Source,
  Unreachable,
} from './plan/contract/plan.ts'
export { fetchPaths } from './plan/print/fetch-paths.ts'
export { type PlannableOperation, type PlanOptions, planOperation } from './plan/plan-operation.ts'
export { PlanningError, type PlanningErrorCode } from './work/planning-error.ts'
export type { DeferredNode } from './plan/print/deferred-nodes.ts'
export { type PlanInk, printPlan } from './plan/print/print-plan.ts'
export {
  type FetchNode,
  type PlanNode,
  planTree,
  type PlanTree,
  type RepresentationNode,
  type UnreachableField,
} from './plan/print/plan-tree.ts'
export { type Authorization, printCondition } from './graph/access/access-table.ts'
export { grantedBy } from './operation/access-conditions.ts'
export { WorkBudget } from './work/budget.ts'
export { ExecutionLimitError, executionWork, type ExecutionWork } from './work/execution-work.ts'
export { inSlices, type SlicedWork, type Turns } from './work/slices.ts'
