/** One file, so that there is one engine and every image is built once. */
import { afterAll } from 'vitest'
import { testCompose } from './suites/compose.ts'
import { closeEngine } from './suites/engine.ts'
import { testImages } from './suites/images.ts'

testImages()
testCompose()
afterAll(closeEngine)
