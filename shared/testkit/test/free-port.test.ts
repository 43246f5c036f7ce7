import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort, freePorts } from '@switchyard/testkit'
import { expect, it } from 'vitest'

const SCRIPT = `
  const { freePorts } = await import(${JSON.stringify(import.meta.resolve('../src/servers/free-port.ts'))})
  process.stdout.write(JSON.stringify(await freePorts(300)))
`

async function portsOfAnotherProcess(): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT])
  return JSON.parse(stdout) as number[]
}

it('free ports are given to no two test processes at a time, and to none twice', async () => {
  const here = await freePorts(300)
  const there = await portsOfAnotherProcess()
  const again = await freePort()
  expect(new Set([...here, ...there]).size).toBe(600)
  expect(here).not.toContain(again)
})

it('ports that a process had are free again when it has ended', async () => {
  const before = await portsOfAnotherProcess()
  let found = false
  for (let round = 0; round < 20 && !found; round++)
    found = (await portsOfAnotherProcess()).some((port) => before.includes(port))
  expect(found).toBe(true)
})
