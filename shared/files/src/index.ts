export { removeStaleTemporaries, replaceFile, syncDirectory, writeWholeFile } from './whole-files.ts'
