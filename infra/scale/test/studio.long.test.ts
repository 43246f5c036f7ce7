/** Studio with 200 subgraphs, 20,000 types, 50 flags and 30 routers, as far as no clock decides it. */
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureOpenStudios } from '../src/studio/open-studios.ts'
import { measurePages } from '../src/studio/measure-pages.ts'
import { PAGES } from '../src/studio/pages.ts'
import { type Platform, startPlatform } from '../src/studio/platform.ts'

const KIB = 1024
/** Requests, bytes and elements of any page. */
const MOST = { requests: 12, bytes: 400 * KIB, elements: 4000 }
/** The page that shows thousands of errors reads all of them. */
const ERRORS_BYTES = 1500 * KIB

describe.skipIf(!chromiumAvailable())('Studio of a large namespace', () => {
  let platform: Platform
  beforeAll(async () => {
    platform = await startPlatform()
  })
  afterAll(() => platform?.[Symbol.asyncDispose]())

  it.each(PAGES.map(({ name }) => name))('reads and shows little at once: %s', async (name) => {
    const figures = await measurePages(platform, name)
    const page = figures.find((one) => one.name === name) ?? expect.fail('the page was not measured')
    expect(page.elements).toBeLessThan(MOST.elements)
    expect(page.requests).toBeLessThanOrEqual(MOST.requests)
    expect(page.bytes).toBeLessThan(name === 'Composition errors' ? ERRORS_BYTES : MOST.bytes)
  })

  it('asks the registry seldom where nothing changes, with ten of them open', async () => {
    const loads = await measureOpenStudios(platform)
    const requests = (name: string) => loads.find((load) => load.name === name)?.requests ?? Number.NaN
    // Figures of processes are read every five seconds on the pages that show them, in one minute.
    expect(requests('ten Studios')).toBeLessThanOrEqual(10 * 12)
    expect(requests('ten Studios, a change every 10 s')).toBeLessThanOrEqual(10 * 6 * 12)
  })
})
