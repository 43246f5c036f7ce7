export { negotiateCoding } from './accept-encoding.ts'
export { type BuiltPage, openBuiltPage, type PageFile, type SentFile, sentFile } from './page-files.ts'
