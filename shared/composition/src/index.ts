export { type ArtifactSubgraph, buildArtifact, toCompositionMessage } from './artifact.ts'
export { checkSdl } from './check-sdl.ts'
export type { SdlProblem } from './check-sdl.ts'
export { compose } from './compose.ts'
export type {
  CompositionError,
  CompositionHint,
  CompositionInput,
  CompositionResult,
  SdlLocation,
  SubgraphInput,
} from './composition-result.ts'
export { COMPOSITION_LIBRARY } from './library.ts'
export { printCompositionErrors } from './print-errors.ts'
export type { PrintableSource } from './print-errors.ts'
