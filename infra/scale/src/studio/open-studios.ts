/** Ten people have Studio open, and the registry's CPU is measured. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from '@switchyard/lab'
import { startChromium } from '@switchyard/testkit/chromium'
import { changeSubgraph } from './fill-namespace.ts'
import { signIn } from './measure-pages.ts'
import { PAGES } from './pages.ts'
import type { Platform } from './platform.ts'

const STUDIOS = 10
const MEASURED_MS = 60_000
const CHANGE_EVERY_MS = 10_000
/** A platform that has less CPU in some seconds, in microseconds, has done what pages asked for first. */
const QUIET = 1_000_000
const LOOK_MS = 5000
const SETTLED_WITHIN_MS = 180_000

export type Load = {
  readonly name: string
  /** CPU seconds: of the event loop's thread, and of the whole process. */
  readonly thread: number
  readonly process: number
  /** CPU milliseconds of the longest turn of the event loop. */
  readonly longestTurn: number
  /** Requests to the API, and bytes of their answers. */
  readonly requests: number
  readonly bytes: number
}

export async function measureOpenStudios(platform: Platform): Promise<readonly Load[]> {
  const traffic = { requests: 0, bytes: 0 }
  const loads: Load[] = []
  let change = Date.now()
  const measure = async (name: string, changes: boolean) => {
    const [before, began] = [await platform.spent(), { ...traffic }]
    const end = Date.now() + MEASURED_MS
    while (Date.now() < end) {
      if (changes) await changeSubgraph(platform.client, change++)
      await sleep(CHANGE_EVERY_MS)
    }
    const after = await platform.spent()
    loads.push({
      name,
      thread: (after.thread - before.thread) / 1e6,
      process: (after.process - before.process) / 1e6,
      longestTurn: after.longestTurn / 1000,
      requests: traffic.requests - began.requests,
      bytes: traffic.bytes - began.bytes,
    })
    console.log(JSON.stringify(loads.at(-1)))
  }
  await settled(platform)
  await measure('no Studio', false)
  await measure('no Studio, a change every 10 s', true)
  const browser = await startChromium()
  try {
    const storageState = await signIn(browser, platform)
    for (const { path } of PAGES.slice(0, STUDIOS)) {
      const context = await browser.newContext({ storageState })
      const page = await context.newPage()
      page.on('requestfinished', (request) => {
        if (!request.url().includes('/v1/')) return
        traffic.requests++
        request.sizes().then(
          ({ responseBodySize }) => (traffic.bytes += responseBodySize),
          () => undefined,
        )
      })
      await page.goto(`${platform.url}/studio${path}`)
    }
    await settled(platform)
    await measure('ten Studios', false)
    await measure('ten Studios, a change every 10 s', true)
  } finally {
    await browser.close()
  }
  return loads
}

async function settled(platform: Platform): Promise<void> {
  const end = Date.now() + SETTLED_WITHIN_MS
  let { process: before } = await platform.spent()
  while (Date.now() < end) {
    await sleep(LOOK_MS)
    const { process: now } = await platform.spent()
    if (now - before < QUIET) return
    before = now
  }
}

export function openStudiosTable(loads: readonly Load[]): Table {
  const perSecond = (value: number) => `${((1000 * value) / (MEASURED_MS / 1000)).toFixed(1)} ms`
  return {
    head: [
      'open',
      'CPU a second: event loop',
      'the whole process',
      'longest turn',
      'requests a second',
      'bytes of answers a second',
    ],
    rows: loads.map(({ name, thread, process, longestTurn, requests, bytes }) => [
      name,
      perSecond(thread),
      perSecond(process),
      `${longestTurn.toFixed(0)} ms`,
      (requests / (MEASURED_MS / 1000)).toFixed(1),
      `${(bytes / 1024 / (MEASURED_MS / 1000)).toFixed(1)} KiB`,
    ]),
  }
}
