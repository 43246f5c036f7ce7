/** What puts the parts of an answer together, without the rest of the test kit. */
export { type MergedResponse, mergeParts } from './merge-parts.ts'
