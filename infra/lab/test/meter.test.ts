import { spawn } from 'node:child_process'
import { waitFor } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { ticksOf, usageOf, usageOfTree } from '../src/meter.ts'

it('reads CPU behind the name of a program, whatever is in it', () => {
  const stat = '42 (a (strange) name) S 1 42 42 0 -1 4194560 100 0 0 0 70 30 5 5 20 0 11 0 100'
  expect(ticksOf(stat)).toBe(100)
})

it('adds up a process and what it started', async () => {
  const parent = spawn('sh', ['-c', 'sleep 600 & wait'], { detached: true })
  const pid = parent.pid ?? 0
  try {
    await waitFor('the child', () => usageOfTree(pid).resident > usageOf(pid).resident)
    // Of one reading: between two of them the processes may grow.
    const { resident, mostResident } = usageOfTree(pid)
    expect(mostResident).toBeGreaterThanOrEqual(resident)
  } finally {
    process.kill(-pid, 'SIGKILL')
  }
})

it('knows no process that has ended', async () => {
  const child = spawn('true')
  const { pid = 0 } = child
  await new Promise((resolve) => child.once('exit', resolve))
  expect(() => usageOf(pid)).toThrow(/ENOENT|ESRCH/)
  expect(usageOfTree(pid)).toEqual({ cpuMs: 0, resident: 0, mostResident: 0 })
})
