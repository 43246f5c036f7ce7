/**
 * `node infra/demo/src/customers.ts <router's address>`: customers of the shop, who ask for prices until
 * Ctrl-C, each under a name of their own (`X-User`). Every few seconds it tells what they got.
 *
 * `CUSTOMERS_RATE` is the number of requests a second.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnvironment, say } from '@switchyard/service-kit'
import { isRecord } from '@switchyard/values'
import { z } from 'zod'
import { FLAG } from './shop.ts'

const CUSTOMERS = 1000
const TELL_EVERY_MS = 5000
const ANSWERED_WITHIN_MS = 10_000
/** Reasons of failures that are told by name. */
const MOST_REASONS = 3
const QUERY = 'query Prices { product(upc: "stove") { name price inStock } }'

/** Who answered a request, or why nobody did. */
type Outcome = { readonly kind: 'flag' | 'base' } | { readonly kind: 'failed'; readonly reason: string }

const Variables = z.object({ CUSTOMERS_RATE: z.coerce.number().int().min(1).max(1000).default(60) })

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
const url = process.argv[2]
if (url === undefined) {
  say('stderr', "Usage: customers.ts <the router's address, such as http://localhost:4000/graphql>\n")
  process.exitCode = 2
} else {
  await askUntilStopped(url, parseEnvironment(Variables, process.env).CUSTOMERS_RATE)
}

async function askUntilStopped(url: string, rate: number): Promise<void> {
  say('stdout', `${CUSTOMERS} customers ask ${url}, ${rate} times a second. Ctrl-C stops them.\n`)
  const began = performance.now()
  let outcomes: Outcome[] = []
  let sent = 0
  let told = began
  while (!stop.signal.aborted) {
    const now = performance.now()
    const due = ((now - began) / 1000) * rate
    // What is more than a second late is left out, so that a pause of the machine does not become a flood.
    for (sent = Math.max(sent, Math.floor(due - rate)); sent < due; sent += 1)
      void ask(url, `customer-${sent % CUSTOMERS}`).then((outcome) => outcomes.push(outcome))
    if (now - told >= TELL_EVERY_MS) {
      const since = ((now - began) / 1000).toFixed(0).padStart(4)
      say('stdout', `${since} s: ${describe(outcomes, (now - told) / 1000)}\n`)
      outcomes = []
      told = now
    }
    await sleep(1000 / rate, undefined, { signal: stop.signal }).catch(() => {})
  }
}

function describe(outcomes: readonly Outcome[], seconds: number): string {
  if (outcomes.length === 0) return 'nothing was answered'
  const share = (kind: Outcome['kind']) => {
    const count = outcomes.filter((outcome) => outcome.kind === kind).length
    return `${((100 * count) / outcomes.length).toFixed(0)} %`
  }
  const reasons = Map.groupBy(
    outcomes.filter((outcome) => outcome.kind === 'failed'),
    ({ reason }) => reason,
  )
  const told = [...reasons]
    .map(([reason, { length }]) => ({ reason, length }))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MOST_REASONS)
    .map(({ reason, length }) => `${length} ${reason}`)
  const failed = `${share('failed')} failed${told.length === 0 ? '' : ` (${told.join(', ')})`}`
  const rate = `${(outcomes.length / seconds).toFixed(0)} a second`
  return `${rate}: ${share('flag')} got the flag ${FLAG}, ${share('base')} base, ${failed}`
}

/** `no-cache` keeps equal queries from being answered together, of which guards count only the first. */
async function ask(url: string, user: string): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-user': user },
      body: JSON.stringify({ query: QUERY }),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    })
    const code = codeIn(await response.json())
    if (code !== null || !response.ok) return { kind: 'failed', reason: code ?? `status ${response.status}` }
    return { kind: response.headers.get('x-feature-flag') === FLAG ? 'flag' : 'base' }
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.name : String(error) }
  }
}

/** Returns the code of the first error of an answer, or null if there is no error. */
function codeIn(answer: unknown): string | null {
  if (!isRecord(answer) || !Array.isArray(answer['errors'])) return null
  const [first]: readonly unknown[] = answer['errors']
  const extensions = isRecord(first) ? first['extensions'] : undefined
  const code = isRecord(extensions) ? extensions['code'] : undefined
  return typeof code === 'string' ? code : 'an error without a code'
}
