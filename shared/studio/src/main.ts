/** `node shared/studio/src/main.ts`: builds the page. */
import { buildPage } from './build-page.ts'

await buildPage()
