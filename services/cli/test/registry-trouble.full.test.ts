/**
 * What the command line does when the registry, or the way to it, misbehaves: a server here plays the
 * trouble.
 */
import { problem } from '@switchyard/contracts'
import type { CommandOutcome, ProblemCode } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { type Answer, fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'
import { createFolder } from './workspace.ts'

const OUTCOME: CommandOutcome = {
  commandId: 'c1',
  changed: true,
  sequence: 7,
  message: 'Feature flag "f" is enabled.',
  warnings: [],
  affectedGraphs: [],
  compositions: [],
  pending: false,
  routers: { serving: 0, total: 0 },
}
const REPORT = {
  graph: 'shop',
  featureFlag: null,
  failedBefore: false,
  isNew: false,
  errors: [],
  errorCount: 0,
  hints: [],
}

type Seen = {
  readonly key: string | undefined
  readonly traceparent: string | undefined
  readonly path: string
}
type Step = Answer

function answers(status: number, body: unknown, type = 'application/json'): Step {
  return (_, response) => void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
}
function refuses(code: ProblemCode, detail = 'because'): Step {
  const body = problem(code, detail)
  return answers(body.status, body, 'application/problem+json')
}
const closes: Step = (request) => void request.socket.destroy()

/** Takes the steps in turn and repeats the last one. */
async function troubled(...steps: readonly Step[]) {
  const seen: Seen[] = []
  const env = await fakeRegistry((request, response, body) => {
    const { 'idempotency-key': key, traceparent } = request.headers
    const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)
    seen.push({ key: text(key), traceparent: text(traceparent), path: request.url ?? '' })
    const step = steps[seen.length - 1] ?? steps.at(-1)
    step?.(request, response, body)
  })
  return { seen, run: (line: string) => runCommand(line.split(' '), { env }) }
}

describe('a registry in trouble', () => {
  it('is asked again, with the same idempotency key and trace, until it answers', async () => {
    const { seen, run } = await troubled(refuses('REGISTRY_BUSY'), closes, answers(200, OUTCOME))
    const result = await run('ff enable f')
    expect(result).toMatchObject({ exitCode: 0, stdout: 'Feature flag "f" is enabled.\n' })
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(seen.map(({ traceparent }) => traceparent)).size).toBe(1)
    expect(seen[0]?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })

  it('makes a new idempotency key for every invocation', async () => {
    const { seen, run } = await troubled(answers(200, OUTCOME))
    await run('ff enable f')
    await run('ff enable f')
    expect(seen[0]?.key).not.toBe(seen[1]?.key)
  })

  it('exits 3 and says that nothing changed when it cannot be reached', async () => {
    const { run } = await troubled(refuses('NOT_READY', 'the log is being read.'))
    const result = await run('ff enable f --json')
    expect(result.exitCode).toBe(3)
    expect(result.json()).toMatchObject({ ok: false, error: { code: 'REGISTRY_UNREACHABLE' } })
    expect(JSON.stringify(result.json())).toContain(
      'is there, but cannot do this now: 503 NOT_READY: the log is being read. Nothing was changed; try again later.',
    )
    const nobody = await runCommand(['ff', 'list'], {
      env: { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1', SWITCHYARD_API_KEY: 'swy_a_b' },
    })
    expect(nobody.exitCode).toBe(3)
    expect(nobody.stderr).toMatch(/cannot be reached: nothing is listening there\. Nothing was changed/)
  })

  it('exits 3 and says that the outcome is unknown when answers to a write are lost', async () => {
    const { run } = await troubled(closes)
    const result = await run('ff enable f')
    expect(result.exitCode).toBe(3)
    expect(result.stderr).toMatch(/may or may not have been made/)
  })

  it.each<ProblemCode>(['NOT_FOUND', 'ALREADY_EXISTS', 'FEATURE_FLAG_INVALID', 'FORBIDDEN'])(
    'exits 1 at once when the registry says %s',
    async (code) => {
      const { seen, run } = await troubled(refuses(code, 'There is a reason.'))
      const result = await run('ff enable f')
      // What a key may not do tells which key that was.
      const key = code === 'FORBIDDEN' ? ' The API key that was sent is from SWITCHYARD_API_KEY.' : ''
      expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: `error: There is a reason.${key}\n` })
      expect(seen).toHaveLength(1)
    },
  )

  it('says where a key came from that the registry does not know', async () => {
    const { run } = await troubled(refuses('UNAUTHENTICATED', 'Send "Authorization: Bearer <api key>".'))
    const refused = await run('ff enable f')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^error: The registry at \S+ does not know the API key .* from SWITCHYARD_API_KEY: /,
    )
  })

  it('is not asked with a key that fits in no header', async () => {
    const env = { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1', SWITCHYARD_API_KEY: 'swy_a_b\nswy_c_d' }
    const refused = await runCommand(['ff', 'list'], { env })
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('SWITCHYARD_API_KEY holds'),
    })
  })

  it('is said to speak no TLS when it is asked for by https', async () => {
    const env = await fakeRegistry(answers(200, OUTCOME))
    const url = env['SWITCHYARD_REGISTRY_URL']?.replace('http:', 'https:')
    const refused = await runCommand(['ff', 'list'], { env: { ...env, SWITCHYARD_REGISTRY_URL: url } })
    expect(refused.exitCode).toBe(3)
    expect(refused.stderr).toContain('it does not speak TLS; should the URL begin with "http://"?')
  })

  it('exits 3 when what answers is no registry', async () => {
    const { run } = await troubled(answers(200, { hello: 'world' }))
    expect(await run('ff list')).toMatchObject({ exitCode: 3, stdout: '' })
    const { run: runHtml } = await troubled(answers(404, 'not found', 'text/html'))
    expect((await runHtml('ff list')).stderr).toMatch(/answered HTTP 404, which no Switchyard registry does/)
  })
})

describe('the outcome of a write', () => {
  const error = { code: 'NO_QUERIES', message: 'No queries.', subgraphs: [], locations: [] }

  it('exits 4 when a composition that it caused failed', async () => {
    const failed = { ...REPORT, status: 'failed', errors: [error], errorCount: 3 }
    const { run } = await troubled(answers(200, { ...OUTCOME, compositions: [failed] }))
    const result = await run('ff enable f')
    expect(result.exitCode).toBe(4)
    expect(result.stdout).toContain('shop  failed')
    expect(result.stderr).toContain('error[NO_QUERIES]: No queries.')
    expect(result.stderr).toContain('and 2 more errors')
    expect((await run('ff enable f --json')).json()).toMatchObject({
      ok: false,
      result: { changed: true },
      compositions: [{ status: 'failed' }],
    })
  })

  it('exits 0 with a warning when a composition fails as it did before', async () => {
    const old = {
      ...REPORT,
      featureFlag: 'g',
      status: 'failed',
      failedBefore: true,
      errors: [error],
      errorCount: 1,
    }
    const { run } = await troubled(answers(200, { ...OUTCOME, compositions: [old] }))
    const result = await run('ff enable f')
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toMatch(
      /warning: shop with flag g still fails as before, not because of this command/,
    )
  })

  it('exits 0 when there is nothing to compose yet', async () => {
    const { run } = await troubled(
      answers(201, { ...OUTCOME, compositions: [{ ...REPORT, status: 'empty' }] }),
    )
    const result = await run('graph create shop')
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toContain('shop  nothing to compose yet')
  })

  it('exits 0 when compositions are pending, and 4 when they were required', async () => {
    const { run, seen } = await troubled(answers(200, { ...OUTCOME, pending: true }))
    const waited = await run('ff enable f --wait 1')
    expect(waited).toMatchObject({ exitCode: 0, stderr: '' })
    expect(waited.stdout).toContain('The compositions are not finished yet: the change is kept')
    expect((await run('ff enable f --wait 1 --require-composed')).exitCode).toBe(4)
    expect((await run('ff enable f --wait 1 --json')).json()).toMatchObject({
      ok: true,
      result: { pending: true },
    })
    const asked = seen.length
    const atOnce = await run('ff enable f --no-wait')
    expect(atOnce.exitCode).toBe(0)
    expect(atOnce.stdout).toContain('Not waiting for the compositions')
    expect(seen.slice(asked).map(({ path }) => path)).toEqual(['/v1/feature-flags/default/f/enable?wait=0'])
  })

  it('is asked for again, in short waits, until everything is composed', async () => {
    const pending = answers(200, { ...OUTCOME, affectedGraphs: ['shop'], pending: true })
    const compositions = [{ ...REPORT, status: 'composed' }]
    const { run, seen } = await troubled(
      pending,
      pending,
      answers(200, { ...OUTCOME, changed: false, message: 'again', compositions }),
    )
    const result = await run('ff enable f')
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    // What was done is what the write said; what came of it is the newest.
    expect(result.stdout).toMatch(/^Feature flag "f" is enabled\.\n {2}shop {2}composed\n/)
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/feature-flags/default/f/enable?wait=1000',
      '/v1/commands/default/c1?wait=1800',
      '/v1/commands/default/c1?wait=1800',
    ])
  })

  it('is asked for by sending the write again where the registry keeps no outcomes', async () => {
    const pending = answers(200, { ...OUTCOME, pending: true })
    const { run, seen } = await troubled(pending, refuses('NOT_FOUND'), answers(200, OUTCOME))
    expect(await run('ff enable f')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(seen.map(({ path }) => path.split('?')[0])).toEqual([
      '/v1/feature-flags/default/f/enable',
      '/v1/commands/default/c1',
      '/v1/feature-flags/default/f/enable',
    ])
    expect(seen[2]?.key).toBe(seen[0]?.key)
  })

  it('stays what is known when the registry goes away while it is waited for', async () => {
    const { run } = await troubled(
      answers(200, { ...OUTCOME, pending: true }),
      refuses('FORBIDDEN', 'Not any more.'),
    )
    const result = await run('ff enable f')
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toMatch(
      /^warning: The registry could not be asked any more while waiting \(FORBIDDEN\)/,
    )
    expect(result.stdout).toContain('Feature flag "f" is enabled.')
  })

  it('tells how many routers serve it', async () => {
    const compositions = [{ ...REPORT, status: 'composed' }]
    const { run } = await troubled(
      answers(200, { ...OUTCOME, compositions, routers: { serving: 2, total: 2 } }),
    )
    expect((await run('ff enable f')).stdout).toContain('live on 2/2 routers')
  })

  it('percent-encodes names in paths and splits quoted lists at spaces', async () => {
    const { run, seen } = await troubled(answers(200, OUTCOME))
    await run('ff enable a/b -n team-1')
    expect(seen[0]?.path).toBe('/v1/feature-flags/team-1/a%2Fb/enable?wait=1000')
  })
})

it('an interrupted command stops retrying and exits 3', async () => {
  const interrupt = new AbortController()
  const cwd = await createFolder({})
  const env = { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1', SWITCHYARD_API_KEY: 'swy_a_b' }
  const onStderr = (text: string) => {
    if (text.includes('trying again')) interrupt.abort()
  }
  const result = await runCommand(['ff', 'enable', 'f'], { cwd, env, signal: interrupt.signal, onStderr })
  expect(result).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('Interrupted; nothing was changed'),
  })
})
