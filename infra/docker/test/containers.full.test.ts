/** One file, so that there is one engine and every image is built once. */
import { afterAll } from 'vitest'
import { testCompose } from './suites/compose.ts'
import { testConstellation } from './suites/constellation.ts'
import { closeEngine } from './suites/engine.ts'
import { testEngines } from './suites/engines.ts'
import { testImages } from './suites/images.ts'
import { testPages } from './suites/pages.ts'

testEngines()
testImages()
testCompose()
testPages()
testConstellation()
afterAll(closeEngine)
