export { type ArtifactSubgraph, buildArtifact, toCompositionMessage } from './artifact.ts'
export { type ArtifactPieces, cutArtifact, cutText } from './artifact-pieces.ts'
export { checkSdl } from './documents/check-sdl.ts'
export type { SdlProblem } from './documents/check-sdl.ts'
export { compose } from './compose.ts'
export type {
  CompositionError,
  CompositionHint,
  CompositionInput,
  CompositionResult,
  PathStep,
  SdlLocation,
  SubgraphInput,
  UnreachableReason,
} from './contract/composition-result.ts'
export { CompositionStoppedError, type IsStopped } from './kept/stop.ts'
export { CompositionMemory } from './memory/composition-memory.ts'
export { GraphMemories, keyOfGraph, type MemoryState, type RememberedGraph } from './memory/graph-memories.ts'
export { FEDERATION_VERSIONS } from './federation/federation-versions.ts'
export { COMPOSER_VERSION } from './version.ts'
export { printCompositionErrors, printCompositionHints, summariseErrors } from './printing/print-errors.ts'
export type { PrintableSource, PrintableSources, PrintOptions, PrintStyle } from './printing/print-errors.ts'
export {
  DIRECTIVES_WITHOUT_EFFECT,
  REFUSED_DIRECTIVES,
} from './directives/unsupported-directives.ts'
