/**
 * `make demo`: a shop of four subgraphs behind the router, set up by the command line, verified, and left
 * running. `--check` stops after the verification.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isatty } from 'node:tty'
import { say } from '@switchyard/service-kit/printable'
import { isNobodyReading, watchTerminal } from '@switchyard/service-kit/terminal'
import { openPage } from './open-page.ts'
import { DemoError, readSettings } from './settings.ts'
import type { DemoSettings } from './settings.ts'
import { openShop, refuseTakenPorts } from './shop.ts'
import { CHECKOUT } from './switchyard-command.ts'
import { saveTrace, TRACE_PAGE } from './trace.ts'
import { ASKS, verify, verifySubscription } from './verify.ts'
import { whatToTry } from './what-to-try.ts'

const VERIFY_WITHIN_MS = 30_000

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
const terminalIsGone = watchTerminal()
process.on('SIGHUP', () => {
  if (terminalIsGone()) stop.abort()
})
for (const stream of [process.stdout, process.stderr]) {
  // What was started is stopped all the same.
  stream.on('error', (error) => {
    if (!isNobodyReading(error)) throw error
  })
}

try {
  await demo(readSettings(process.argv.slice(2), process.env))
} catch (error) {
  if (stop.signal.aborted) {
    say('stdout', 'Stopped before it was set up.\n')
    process.exitCode = 130
  } else if (error instanceof DemoError) {
    say('stderr', `demo: ${error.message}\n`)
    process.exitCode = 1
  } else {
    throw error
  }
}

async function demo(settings: DemoSettings): Promise<void> {
  const began = performance.now()
  const sayLine = (line: string): void => say('stdout', `${line}\n`)
  await refuseTakenPorts(settings)
  await using dataDir = await freshDataDir(settings)
  // Compiled code is kept between the many short runs of the command line, and between demos.
  const env = { NODE_COMPILE_CACHE: join(CHECKOUT, '.cache', 'compiled'), ...process.env }
  await using shop = await openShop({
    settings,
    dataDir: dataDir.path,
    env,
    say: sayLine,
    signal: stop.signal,
  })
  const deadline = AbortSignal.any([AbortSignal.timeout(VERIFY_WITHIN_MS), stop.signal])
  for (const ask of ASKS) {
    await verify(shop.routerUrl, ask, deadline)
    sayLine(`verified: ${ask.name} is answered by the ${ask.flagged ? 'flag' : 'base'} graph`)
  }
  await verifySubscription(shop.routerUrl, deadline)
  sayLine('verified: a subscription gets an event of one subgraph, completed by another')
  await saveTrace({ routerUrl: shop.routerUrl, dataDir: dataDir.path, env, signal: deadline })
  sayLine('verified: a request is traced, and its trace becomes a page')
  sayLine(`The demo serves ${shop.routerUrl} after ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  if (settings.check) return

  const shown = relative(CHECKOUT, dataDir.path)
  const page = join(dataDir.path, TRACE_PAGE)
  const isTerminal = isatty(1)
  const isOpen = await openPage(page, { env: process.env, platform: process.platform, isTerminal })
  sayLine(
    isOpen
      ? `What the router did for a request is open in your browser: ${page}`
      : `What the router did for a request, as a page for a browser: ${page}`,
  )
  sayLine(whatToTry({ routerUrl: shop.routerUrl, studioLink: await shop.studioLink(), dataDir: shown }))
  sayLine('Ctrl-C stops everything.')
  const code = await Promise.race([shop.ended, aborted(stop.signal)])
  if (typeof code === 'number') {
    throw new DemoError(
      `"switchyard up" ended by itself with exit code ${code}; see ${join(dataDir.path, 'up.log')}.`,
    )
  }
  sayLine('Stopping.')
}

/** Empty at every start. By port, so that two demos do not share one; a check leaves nothing behind. */
async function freshDataDir(settings: DemoSettings): Promise<AsyncDisposable & { readonly path: string }> {
  if (settings.check || settings.ports.router === 0) {
    const path = await mkdtemp(join(tmpdir(), 'switchyard-demo-'))
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
  }
  const path = join(CHECKOUT, '.demo', String(settings.ports.router))
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { recursive: true })
  return { path, [Symbol.asyncDispose]: async () => {} }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
