export {
  type CheckedChange,
  type CheckedComposition,
  checkForeseen,
  type CheckReport,
  type CheckSources,
  neededSchemas,
  type ServedGraph,
} from './check.ts'
export {
  type DocumentReport,
  type LostDocument,
  type LostIn,
  NOTHING_LOST,
} from './documents/lost-documents.ts'
export {
  type DistinctDocument,
  distinctDocuments,
  type PublishedManifest,
} from './documents/published-manifest.ts'
export { diffFlag, type FlagDiff, flagInGraphs, type FlagInGraph, isServed } from './flag-diff.ts'
export {
  foresee,
  type Foreseen,
  type ForeseenChange,
  type ForeseenComposition,
  type ForeseenGraph,
} from './foresee.ts'
export { locateInSdl, type SdlPosition } from './locate-in-sdl.ts'
export { changesBetween } from './changes/changes-between.ts'
export { isProposable, proposedPublication, type ProposedSchema } from './proposed-publication.ts'
export {
  type ClientSchemaSource,
  type CompiledSource,
  diffCompiled,
  diffSupergraphs,
} from './supergraph-diff.ts'
export { type Criticality, groupByCriticality, type SchemaChange } from './changes/schema-change.ts'
export type { CompositionTask, TaskLibrary, TaskResult } from './threads/composition-task.ts'
export { CheckLimitError } from './threads/task-threads.ts'
export { type RunOptions, runTasks } from './threads/run-tasks.ts'
