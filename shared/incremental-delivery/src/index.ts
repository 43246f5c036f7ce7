/** Answers in parts (`incrementalSpec=v0.2`) as their readers see them. */
export { type MergedResponse, mergeParts, PartMerger } from './merge-parts.ts'
export {
  type Completed,
  type Incremental,
  type Pending,
  type PendingPer,
  type ResponsePath,
  type StreamError,
  type StreamPart,
  valueAt,
  writeOwn,
} from './stream-part.ts'
