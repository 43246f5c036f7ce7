/** Saves the trace of one request as the router answered it, and makes a page of it with the command line. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DemoError } from './settings.ts'
import { runCommand } from './switchyard-command.ts'
import type { CommandEnvironment } from './switchyard-command.ts'

/** Entities of several subgraphs in lists, a requirement, and a part that comes later. */
export const TRACED_QUERY =
  '{ products(first: 3) { name shippingEstimate reviews { rating author { name } } ... @defer(label: "delivery") { deliveryDays } } }'

export const TRACE_FILE = 'trace.txt'
export const TRACE_PAGE = 'trace.html'

type Where = {
  readonly routerUrl: string
  readonly dataDir: string
  readonly env: CommandEnvironment
  readonly signal: AbortSignal
}

/** Writes the response and the page into the data directory. */
export async function saveTrace({ routerUrl, dataDir, env, signal }: Where): Promise<void> {
  const [saved, page] = [join(dataDir, TRACE_FILE), join(dataDir, TRACE_PAGE)]
  const response = await fetch(routerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'multipart/mixed', 'X-VENDOR-Trace': 'true' },
    body: JSON.stringify({ query: TRACED_QUERY }),
    signal,
  })
  const text = await response.text()
  if (!text.includes('"trace":')) throw new DemoError(`The router gave no trace; it answered\n  ${text}`)
  await writeFile(saved, text)
  await runCommand(['trace', 'open', saved, '--out', page], env, signal)
}
