/** The audit log by the command line: lists, following, and what programs get. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { type AuditLog, AuditRecord } from '@switchyard/contracts'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { followRecords } from '../src/registry/audit-pages.ts'
import type { RegistryClient } from '../src/registry/registry-client.ts'
import { RegistryUnreachable } from '../src/run/errors.ts'
import { fakeRegistry } from './fake-registry.ts'
import { type Run, runCommand, type RunOptions, waitUntilServed } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'

const List = z.object({
  ok: z.literal(true),
  result: z.object({ records: z.array(AuditRecord), last: z.number(), more: z.boolean() }),
})
const REASON = 'too slow\u001b[31m\nfor \u202eus'

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  await writeFile(join(up.folder, 'hello.graphql'), 'type Query { hello: String }\n')
  await succeed('graph create shop')
  await succeed('subgraph publish hello --schema hello.graphql --routing-url http://127.0.0.1:9/graphql')
  await waitUntilServed(run, 'shop')
  await succeed('namespace create team')
  expect(
    await runCommand(['graph', 'create', 'board', '-n', 'team', '--reason', REASON], surroundings()),
  ).toMatchObject({ exitCode: 0 })
  await succeed('api-key create ci --scope publish:team')
})
afterAll(() => up[Symbol.asyncDispose]())

function surroundings(options: RunOptions = {}): RunOptions {
  const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl, ...options.env }
  return { cwd: up.folder, ...options, env }
}
function run(line: string, options: RunOptions = {}): Promise<Run> {
  return runCommand(line.split(' '), surroundings(options))
}
async function succeed(line: string, options: RunOptions = {}): Promise<Run> {
  const result = await run(line, options)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}
async function listed(line: string): Promise<z.infer<typeof List>['result']> {
  return List.parse((await succeed(`${line} --json`)).json()).result
}
function cellsOf(text: string): readonly (readonly string[])[] {
  return text
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t'))
}
const whatOf = (text: string) => cellsOf(text).map(([, , , what]) => what)

/** Follows until so many lines came, then presses Ctrl-C. */
async function follow(line: string, lines: number, atLine: (count: number) => void = () => {}): Promise<Run> {
  const interrupt = new AbortController()
  let count = 0
  const onStdout = (text: string) => {
    count += text.split('\n').length - 1
    atLine(count)
    if (count >= lines) interrupt.abort()
  }
  return run(line, { signal: interrupt.signal, onStdout })
}

describe('audit', () => {
  it('lists what was changed, newest first, by whom, why, and which revisions came of it', async () => {
    const { stdout, stderr } = await succeed('audit')
    expect(stderr).toBe('')
    expect(whatOf(stdout)).toEqual([
      'API key "ci" created for publish:team',
      'federated graph "board" created',
      'namespace created',
      'subgraph "hello" created, schema of "hello" published',
      'federated graph "shop" created',
    ])
    const [keys, board, , hello] = cellsOf(stdout)
    expect(keys?.slice(2)).toEqual(['-', expect.any(String), 'bootstrap', '-', '-'])
    expect(board?.slice(4)).toEqual(['bootstrap', 'too slow[31m for us', 'board: none'])
    expect(hello).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d{4}-\S+Z$/),
      'default',
      expect.any(String),
      'bootstrap',
      '-',
      'shop: 1',
    ])
  })

  it('shows a terminal columns with names, and nothing that it would act on', async () => {
    const { stdout } = await succeed('audit', { terminal: true, columns: 200 })
    expect(stdout).toMatch(/SEQUENCE +TIME +NAMESPACE +WHAT +BY +WHY +REVISIONS/)
    expect(stdout).toContain('too slow[31m for us')
    expect((await succeed('audit -n nowhere', { terminal: true })).stdout).toBe(
      'No changes that this API key may see.\n',
    )
  })

  it('takes one namespace, a number of records, and a place to begin', async () => {
    expect(whatOf((await succeed('audit -n team')).stdout)).toEqual([
      'federated graph "board" created',
      'namespace created',
    ])
    const newest = await succeed('audit --limit 2')
    expect(whatOf(newest.stdout)).toHaveLength(2)
    expect(newest.stderr).toBe('These are the newest 2; --limit shows more.\n')
    const all = await listed('audit --after 0 --limit 5000')
    expect(all.records.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    expect([all.last, all.more]).toEqual([5, false])
    const middle = await succeed('audit --after 1 --limit 2')
    expect(cellsOf(middle.stdout).map(([sequence]) => sequence)).toEqual(['2', '3'])
    expect(middle.stderr).toBe('There are more; --after 3 shows them.\n')
    expect((await listed('audit --after 5')).records).toEqual([])
    expect(all.records[3]).toMatchObject({ reason: REASON, namespace: 'team' })
  })

  it('takes a point in time', async () => {
    const { records } = await listed('audit')
    const third = records.find(({ sequence }) => sequence === 3)?.time ?? ''
    const since = await listed(`audit --since ${third}`)
    expect(since.records.map(({ sequence }) => sequence)).toEqual([5, 4, 3])
    expect((await listed('audit --since 1h')).records).toHaveLength(5)
    expect((await listed('audit --since 2999-01-01T00:00:00+02:00')).records).toEqual([])
  })

  it.each([
    ['--since yesterday', '--since takes a duration such as 90s'],
    ['--since 0s', '--since takes a duration'],
    ['--since 2026-03-02', '--since takes a duration'],
    ['--after -1', '--after takes a whole number'],
    ['--limit 0', '--limit takes a number from 1 on'],
    ['--after 1 --since 1h', 'contradict each other'],
  ])('refuses %s', async (options, says) => {
    expect(await run(`audit ${options}`)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(says),
    })
  })

  it('says so where the log ends before the place to begin', async () => {
    const refused = await run('audit --after 900')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^error: The log ends at sequence 5, before 900: it was set back/)
    expect((await run('audit --after 900 --json')).json()).toMatchObject({ error: { code: 'LOG_SET_BACK' } })
  })

  it('reads as many pages as it needs, also empty ones', async () => {
    const asked: string[] = []
    const env = await fakeRegistry(({ url = '' }, response) => {
      asked.push(url)
      const before = Number(/before=(\d+)/.exec(url)?.[1] ?? 4001)
      const last = before - 1000
      const isEmpty = last === 2001
      const body: AuditLog = {
        records: isEmpty ? [] : [{ ...recordOf(last), summary: 'one' }],
        last,
        more: last > 1,
        end: 4000,
      }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    })
    const { stdout } = await runCommand(['audit', '--limit', '50'], { env })
    expect(cellsOf(stdout).map(([sequence]) => sequence)).toEqual(['3001', '1001', '1'])
    expect(asked.map((url) => /before=(\d+)/.exec(url)?.[1])).toEqual([undefined, '3001', '2001', '1001'])
    expect(asked.map((url) => /limit=(\d+)/.exec(url)?.[1])).toEqual(['50', '49', '49', '48'])
  })
})

describe('audit --follow', () => {
  it('begins with the newest, prints what comes, and ends well when it is interrupted', async () => {
    const written: Promise<Run>[] = []
    const followed = await follow('audit --follow --limit 2 -n team', 3, (count) => {
      if (count === 2) written.push(succeed('graph create later -n team'))
    })
    await Promise.all(written)
    expect(followed).toMatchObject({ exitCode: 0, stderr: '' })
    expect(whatOf(followed.stdout)).toEqual([
      'namespace created',
      'federated graph "board" created',
      'federated graph "later" created',
    ])
  })

  it('gives programs a line for each record, and begins where it is told', async () => {
    const { stdout, exitCode } = await follow('audit --follow --after 2 --json', 3)
    expect(exitCode).toBe(0)
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => AuditRecord.parse(JSON.parse(line)))
    expect(records.map(({ sequence }) => sequence).slice(0, 3)).toEqual([3, 4, 5])
    expect(records[1]?.reason).toBe(REASON)
    // No terminal that shows the file acts on it.
    for (const mark of ['\u001b', '\u202e']) expect(stdout).not.toContain(mark)
    const since = await follow('audit --follow --since 1h', 5)
    expect(whatOf(since.stdout).slice(0, 1)).toEqual(['federated graph "shop" created'])
  })

  it('tells errors on stderr, so that a file of lines stays one', async () => {
    const refused = await run('audit --follow --after 900 --json')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^error: The log ends at sequence \d+, before 900/)
  })

  it('ends when nobody reads any more', async () => {
    const main = programFile('services/cli/src/main.ts')
    const args = ['audit', '--follow', '--after', '0', '--data-dir', join(up.folder, '.switchyard')]
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
      cwd: up.folder,
      env: bareEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    await once(createInterface({ input: child.stdout }), 'line')
    child.stdout.destroy()
    await succeed('namespace create noticed')
    await succeed('namespace create noticed-too')
    expect(await ended).toEqual([0, null])
  })

  it('goes on when a registry comes back, and misses nothing', async () => {
    const answers: (AuditLog | 'away')[] = [
      { records: [recordOf(1)], last: 1, more: false, end: 1 },
      'away',
      'away',
      { records: [], last: 1, more: false, end: 1 },
      { records: [recordOf(2), recordOf(4)], last: 5, more: true, end: 6 },
      { records: [recordOf(6)], last: 6, more: false, end: 6 },
    ]
    const asked: string[] = []
    const { found } = await followed(answers, asked, 4)
    expect(found).toEqual([1, 2, 4, 6])
    expect(asked.map((path) => /after=(\d+)/.exec(path)?.[1])).toEqual(['0', '1', '1', '1', '1', '5'])
  })

  it.each([
    ['a registry that never answered', ['away' as const], 'away'],
    [
      'a log that was set back',
      [
        { records: [recordOf(7)], last: 7, more: false, end: 7 },
        { records: [], last: 7, more: false, end: 3 },
      ],
      'The log ends at sequence 3, before 7',
    ],
  ])('ends with an error of %s', async (_what, answers, says) => {
    await expect(followed(answers, [], 9)).rejects.toThrow(says)
  })
})

function recordOf(sequence: number): AuditRecord {
  return {
    sequence,
    namespace: 'default',
    time: new Date().toISOString(),
    actor: 'bootstrap',
    apiKey: null,
    commandId: `c${sequence}`,
    summary: 'something',
    events: [{ type: 'rollout.created', name: 'of a later version' }],
    graphs: [],
    graphCount: 0,
  }
}

/** Follows a registry that gives these answers, one by one, until so many records came. */
async function followed(
  answers: readonly (AuditLog | 'away')[],
  asked: string[],
  wanted: number,
): Promise<{ readonly found: readonly number[] }> {
  const stop = new AbortController()
  const registry: Pick<RegistryClient, 'get'> = {
    async get(path, schema) {
      const answer = answers[asked.push(path) - 1]
      if (answer === 'away') throw new RegistryUnreachable('away')
      return schema.parse(answer)
    },
  }
  const found: number[] = []
  const source = { registry, namespace: undefined }
  for await (const { sequence } of followRecords(source, { after: 0, signal: stop.signal, pollMs: 1 })) {
    found.push(sequence)
    if (found.length === wanted) stop.abort()
  }
  return { found }
}
