import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '@switchyard/testkit/temporary-directory'

const scriptAvailable = spawnSync('script', ['--version']).status === 0
const program = fileURLToPath(new URL('./programs/service.ts', import.meta.url))

type Line = { event?: string; level: string; msg: string }

function start(...behaviour: string[]): { child: ChildProcess; lines: Line[]; exit: Promise<number | null> } {
  const child = spawn(process.execPath, [program, ...behaviour], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: Line[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const exit = once(child, 'close').then(() => child.exitCode)
  return { child, lines, exit }
}

async function event(lines: Line[], name: string): Promise<Line> {
  return await vi.waitFor(() => {
    const line = lines.find((candidate) => candidate.event === name)
    if (line === undefined) throw new Error(`no line says ${name}`)
    return line
  }, PATIENTLY)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the life of a service process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('disposes and exits 0 on %s', async (signal) => {
    const { child, lines, exit } = start('runs')
    await event(lines, 'process.started')
    child.kill(signal)
    expect(await exit).toBe(0)
    expect(lines.map((line) => line.event)).toEqual([
      'process.started',
      'process.stopping',
      'sample.disposed',
      'process.stopped',
    ])
  })

  it('reloads on SIGHUP, and does not end', async () => {
    const { child, lines, exit } = start('runs')
    await event(lines, 'process.started')
    child.kill('SIGHUP')
    await event(lines, 'sample.reloaded')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(lines.map((line) => line.event)).toContain('process.reloading')
  })

  it('does not end on SIGHUP when there is nothing to reload, nor while it starts', async () => {
    const waiting = start('waits')
    await event(waiting.lines, 'sample.waiting')
    waiting.child.kill('SIGHUP')
    await event(waiting.lines, 'process.reloading')
    const silent = start('hangs')
    await event(silent.lines, 'process.started')
    silent.child.kill('SIGHUP')
    await event(silent.lines, 'process.reloading')
    for (const { child } of [waiting, silent]) {
      expect([child.exitCode, child.signalCode]).toEqual([null, null])
      child.kill('SIGKILL')
    }
    await Promise.all([waiting.exit, silent.exit])
  })

  it.skipIf(!scriptAvailable)('stops in order when its terminal is closed', async () => {
    await using folder = await temporaryDirectory()
    const note = join(folder.path, 'note')
    const command = `${process.execPath} ${program} notes ${note}`
    // A terminal of its own, which ends with the program that made it.
    const terminal = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
    let shown = ''
    terminal.stdout.on('data', (chunk) => (shown += String(chunk)))
    const pid = await vi.waitFor(() => {
      if (!shown.includes('process.started')) throw new Error(`not started: ${shown}`)
      return Number(/"pid":(\d+)/.exec(shown)?.[1])
    }, PATIENTLY)
    terminal.kill('SIGKILL')
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), PATIENTLY)
    expect(await readFile(note, 'utf8')).toBe('disposed')
  })

  it('exits at once on a second signal', async () => {
    const { child, lines, exit } = start('hangs')
    await event(lines, 'process.started')
    child.kill('SIGTERM')
    await event(lines, 'sample.disposed')
    child.kill('SIGTERM')
    expect(await exit).toBe(130)
  })

  it('gives up a start that is still waiting when the signal comes', async () => {
    const { child, lines, exit } = start('waits')
    await event(lines, 'sample.waiting')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(lines.map((line) => line.event)).toEqual(['sample.waiting', 'process.stopping', 'process.stopped'])
  })

  it('makes log lines of what libraries print as warnings', async () => {
    const { child, lines, exit } = start('prints')
    const line = await event(lines, 'process.printed')
    expect(line).toMatchObject({ level: 'warn', msg: '[WARN] no password is needed' })
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('says in one line why a start failed, and exits 1', async () => {
    const { lines, exit } = start('fails')
    expect(await exit).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ event: 'process.start-failed', msg: 'the data directory is in use' })
  })

  it('logs no stack for an error with a code of ours', async () => {
    const { lines, exit } = start('refuses')
    expect(await exit).toBe(1)
    expect(lines).toMatchObject([{ event: 'process.start-failed', code: 'PORT_TAKEN', cause: 'listen' }])
    expect(JSON.stringify(lines)).not.toContain('run-service.ts')
  })

  it('logs a rejection that nobody handled and stays up', async () => {
    const { child, lines, exit } = start('rejects')
    expect(await event(lines, 'process.unhandled-rejection')).toMatchObject({ level: 'error' })
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('logs an exception that nobody caught and exits 1', async () => {
    const { lines, exit } = start('throws')
    expect(await exit).toBe(1)
    expect(lines.at(-1)).toMatchObject({ event: 'process.uncaught-exception', level: 'fatal' })
  })

  it.each([
    ['exits', 3],
    ['throws', 1],
  ])('writes the lines that it collects before it ends: it %s', async (behaviour, code) => {
    const { lines, exit } = start(behaviour, 'collected')
    expect(await exit).toBe(code)
    const events = lines.map((line) => line.event)
    expect(events.slice(0, 3)).toEqual(Array(3).fill('sample.collected'))
  })

  it('is not held up by whoever does not read its log, and says then how much of it was lost', async () => {
    await using folder = await temporaryDirectory()
    const note = join(folder.path, 'note')
    const child = spawn(process.execPath, [program, 'floods', note], { stdio: ['ignore', 'pipe', 'inherit'] })
    await vi.waitFor(async () => expect(await readFile(note, 'utf8')).toBe('written'), PATIENTLY)
    const lines: Line[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
    const told = await event(lines, 'log.lines-lost')
    expect(told).toMatchObject({ level: 'warn', lines: expect.any(Number) })
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(lines.at(-1)).toMatchObject({ event: 'process.stopped' })
  })
})
