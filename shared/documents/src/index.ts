export { type DocumentKey, isKeyOf, isSha256, documentKey, MAX_ID } from './document-id.ts'
export { type DocumentError, type DocumentRules, errorsAgainst, reasonAgainst } from './fit.ts'
export {
  boundedProblems,
  type ParsedManifest,
  type ManifestDocument,
  ManifestError,
  MAX_DOCUMENT,
  operationNameIn,
  readManifest,
} from './manifest.ts'
export { LONGEST_COMPARED, normalHash } from './normal-text.ts'
