export { ASSETS, openPage } from './open-page.ts'
export type { PlaygroundState } from './state.ts'
