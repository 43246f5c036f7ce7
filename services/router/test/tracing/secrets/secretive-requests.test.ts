/** `SEED=… RUNS=… vitest run services/router/test/tracing/secrets` repeats or lengthens a run. */
import type { Trace } from '@switchyard/request-trace'
import { isLongRun } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send, type TestRouter } from '../../support/router.ts'
import { tracesIn } from '../recorder/traced.ts'
import { formsOf, textsOf } from '../cleaning/secret-forms.ts'
import { KEY_IN_URL, type SecretiveWorld, startSecretiveWorld } from './secretive-world.ts'
import { secretiveRequest } from './secretive-request.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const RUNS = Number(process.env['RUNS'] ?? (isLongRun() ? 500 : 64))
const PROPAGATED =
  'headers: { request: [{ propagate: authorization }, { propagate: x-api-key }, { propagate: cookie }] }'
const COMMON = `dev_mode: true, engine: { enable_defer: true }, ${PROPAGATED}`
const ALL_SHOWN = 'allowed_headers: ["*"], sensitive_names: []'

const stack = new AsyncDisposableStack()
let world: SecretiveWorld
const routers = new Map<string, TestRouter>()

beforeAll(async () => {
  world = stack.use(await startSecretiveWorld())
  for (const [name, tracing] of Object.entries({
    plain: '{}',
    small: '{ max_size: 16KiB }',
    open: `{ ${ALL_SHOWN} }`,
  }))
    routers.set(name, await world.routerWith(`{ ${COMMON}, tracing: ${tracing} }`))
})
afterAll(() => stack.disposeAsync())

/** `filler`: bytes of a trace that are taken by a header that is shown. */
async function tracesOf(seed: number, routerName: string, filler = 0) {
  const request = secretiveRequest(seed)
  world.answer(request)
  const target = routers.get(routerName)
  if (target === undefined) throw new Error(`There is no router for ${routerName}`)
  const { method, search, body } = request
  const headers = filler === 0 ? request.headers : { ...request.headers, 'user-agent': '-'.repeat(filler) }
  const reply = await send(`${target.graphqlUrl}?${search}`, { method, headers, body })
  return { request, reply, traces: tracesIn(reply) }
}

type Leak = { readonly seed: number; readonly secret: string; readonly form: string; readonly beside: string }

function leaksIn(
  seed: number,
  { long, short }: { long: readonly string[]; short: readonly string[] },
  trace: Trace,
): Leak[] {
  const text = textsOf(trace).join('\0')
  const forms = [
    ...[...long, KEY_IN_URL].flatMap((secret) => formsOf(secret).map((form) => ({ secret, form }))),
    ...short.map((secret) => ({ secret, form: secret })),
  ]
  return forms
    .filter(({ form }) => text.includes(form))
    .map(({ secret, form }) => {
      const at = text.indexOf(form)
      return { seed, secret, form, beside: text.slice(Math.max(0, at - 80), at + form.length + 80) }
    })
}

describe(`${RUNS} random requests (SEED=${SEED})`, () => {
  it.each([
    ['whole', RUNS, 'plain', 0],
    ['with 3 KiB for all but a header', RUNS / 4, 'small', 13 * 1024],
    ['with 600 bytes for all but a header', RUNS / 4, 'small', 16 * 1024 - 600],
  ])('leave no secret in any trace: %s', async (_, runs, router, filler) => {
    let traced = 0
    for (let seed = SEED; seed < SEED + runs; seed++) {
      const { request, reply, traces } = await tracesOf(seed, router, filler)
      expect(traces.length, `seed ${seed}: ${reply.text.slice(0, 300)}`).toBeGreaterThan(0)
      for (const trace of traces) {
        expect(leaksIn(seed, request.secrets, trace).slice(0, 1)).toEqual([])
        if (filler === 0 && request.unknownArgument !== null)
          expect(trace.warnings, `seed ${seed}`).toContain(
            `There is no trace argument "${request.unknownArgument}": it was ignored.`,
          )
        traced += 1
      }
    }
    expect(traced).toBeGreaterThanOrEqual(runs)
  })

  it('have secrets in the traces of a router that hides nothing', async () => {
    let leaks = 0
    for (let seed = SEED; seed < SEED + RUNS / 10; seed++) {
      const { request, traces } = await tracesOf(seed, 'open')
      for (const trace of traces.slice(-1)) leaks += leaksIn(seed, request.secrets, trace).length
    }
    expect(leaks).toBeGreaterThan(RUNS)
  })
})
