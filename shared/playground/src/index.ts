export { ASSETS, openPage, type Page, type PageFile } from './page-files.ts'
export type { PlaygroundState } from './state.ts'
