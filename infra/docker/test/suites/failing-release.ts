/** A release in Compose whose subgraph is made to fail, by the commands that `compose.sh up` prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import { expect } from 'vitest'
import { runProgram } from '../../src/index.ts'
import { ROOT } from './engine.ts'

export type FailingRelease = {
  /** What `compose.sh up` printed. */
  readonly printed: string
  readonly env: Readonly<Record<string, string>>
  /** Asks the routers as a client who is in no rollout. */
  readonly askBase: () => Promise<Response>
}

const PATIENTLY = { withinMs: 300_000, everyMs: 500 }
/** Between an answer and the next request of the client in no rollout. */
const ASK_EVERY_MS = 20

export async function expectFailingReleaseToAbort({ printed, env, askBase }: FailingRelease): Promise<void> {
  const printedCommand = (part: string) => {
    const line = printed.split('\n').find((text) => text.startsWith('  ') && text.includes(part))
    if (line === undefined) throw new Error(`"up" printed no command with "${part}":\n${printed}`)
    return line.trim()
  }
  const type = async (part: string) => {
    const line = printedCommand(part)
    const { code, stdout, stderr } = await runProgram('bash', ['-c', line], { cwd: ROOT, env })
    if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${stdout}\n${stderr}`)
    return stdout
  }

  await using customers = startCustomers(printedCommand('run --rm customers'), env)
  await customers.report(/ 0 % got the flag new-pricing, 100 % base, 0 % failed/)
  const base = goOnAsking(askBase)
  expect(await type('rollout ramp')).toContain('began a ramp: 20 percent of its audience are inside')
  await customers.report(/[1-9]\d* % got the flag new-pricing/)

  expect(await type('products-next fail')).toContain('answers every request with status 500')
  const shown = await waitFor(
    'the rollout to be aborted',
    async () => {
      const shown = await type('rollout get')
      if (/^ramp: .*\(aborted\)$/m.test(shown)) return shown
      // A step that had too few requests, on a machine that is busy with other things.
      if (/^ramp: .*\(paused/m.test(shown)) await type('rollout resume')
      throw new Error(shown)
    },
    // Each look is a container of its own.
    { ...PATIENTLY, everyMs: 3000 },
  )
  expect(shown).toMatch(/the limit is exceeded by at least|requests inside failed within ten seconds/)
  expect(await type('audit --limit')).toMatch(/\trollout "new-pricing" aborted\tramps-of-compose \(key:/)
  await customers.report(/ 0 % got the flag new-pricing, 100 % base, 0 % failed/)
  expect(await base.failures()).toEqual([])

  expect(await type('products-next mend')).toContain('answers again')
  expect(await type('rollout resume')).toContain('was resumed')
  await customers.report(/[1-9]\d* % got the flag new-pricing/)
}

/** The command that goes on until Ctrl-C, with what it reports. */
function startCustomers(command: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C of a terminal reaches everything that was started with it.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const ended = once(child, 'close')
  return {
    /** Waits for a line of this kind among those that come from now on. */
    report(kind: RegExp): Promise<boolean> {
      const from = output.length
      return waitFor(
        `a report of customers: ${String(kind)}`,
        () => {
          if (kind.test(output.slice(from))) return true
          throw new Error(output.slice(-2000))
        },
        PATIENTLY,
      )
    },
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
      await ended
    },
  }
}

/** Asks one request after the other, and keeps what is no answer with the price of base. */
function goOnAsking(askBase: () => Promise<Response>) {
  const asking = { isOver: false }
  const failures: string[] = []
  let answers = 0
  const over = (async () => {
    while (!asking.isOver) {
      await sleep(ASK_EVERY_MS)
      const response = await askBase()
      const text = await response.text()
      // Routers refuse requests where the machine has too much to do, whatever a rollout does.
      if (text.includes('"code":"OVERLOADED"')) continue
      answers += 1
      if (text !== '{"data":{"product":{"price":5900}}}') failures.push(`${response.status} ${text}`)
    }
  })()
  return {
    async failures(): Promise<readonly string[]> {
      asking.isOver = true
      await over
      expect(answers).toBeGreaterThan(0)
      return failures
    },
  }
}
