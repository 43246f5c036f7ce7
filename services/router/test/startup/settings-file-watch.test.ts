/** What a router makes of the settings file that it follows, text by text. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config/reload-settings.ts'
import { SettingsEvents } from '../../src/startup/settings-events.ts'
import { SettingsFileWatch, watchedSettings } from '../../src/startup/settings-file-watch.ts'

type Told = { readonly event: string; readonly settings?: readonly string[] }

const AT_START = 'limits: { max_depth: 5 }'
const WRONG = 'limits: { max_depth: deep }'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-settings-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A followed file, and what the log says of it. */
async function followed() {
  const path = join(folder, 'router.yaml')
  await writeFile(path, AT_START)
  const told: Told[] = []
  const to = new Writable({
    write(line: Buffer, _encoding, done) {
      told.push(JSON.parse(line.toString('utf8')) as Told)
      done()
    },
  })
  const file = { path, text: AT_START }
  const watch = new SettingsFileWatch({
    ...watchedSettings({ env: {} }, file, loadSettings({ env: {}, file })),
    interval: 10,
    apply: () => Promise.resolve(),
    events: new SettingsEvents(createLogger({ name: 'router', to })),
  })
  const write = async (text: string, lines: number) => {
    await writeFile(path, text)
    await expect.poll(() => told.length, PATIENTLY).toBe(lines)
  }
  return { watch, told, write, path }
}

describe('a settings file that is followed', () => {
  it('is compared with what the text before it put in force', async () => {
    const { watch, told, write } = await followed()
    using _ = watch
    await write('limits: { max_depth: 6 }', 1)
    await write('limits: { max_depth: 6, max_tokens: 900 }', 2)
    expect(told.map(({ settings }) => settings)).toEqual([['limits.max_depth'], ['limits.max_tokens']])
  })

  it('is warned of once for each text that has settings which are gone', async () => {
    const { watch, told, write } = await followed()
    using _ = watch
    await write('config: { warm_up_operations: 5 }\nlimits: { max_depth: 6 }', 2)
    await write('limits: { max_depth: 7 }', 3)
    expect(told.map(({ event, settings }) => [event, settings])).toEqual([
      ['settings.applied', ['limits.max_depth']],
      ['settings.retired', ['config.warm_up_operations']],
      ['settings.applied', ['limits.max_depth']],
    ])
  })

  it('is refused once for each time that it becomes wrong', async () => {
    const { watch, told, write } = await followed()
    using _ = watch
    await write(WRONG, 1)
    await write('limits: { max_depth: 7 }', 2)
    await write(WRONG, 3)
    expect(told.map(({ event }) => event)).toEqual([
      'settings.refused',
      'settings.applied',
      'settings.refused',
    ])
  })

  it('is refused again if what is in force stood in it meanwhile', async () => {
    const { watch, told, write, path } = await followed()
    using _ = watch
    await write(WRONG, 1)
    const wrongAgain = async () => {
      await writeFile(path, AT_START)
      await sleep(100)
      await writeFile(path, WRONG)
      await sleep(500)
      return told.length
    }
    await expect.poll(wrongAgain, PATIENTLY).toBeGreaterThan(1)
    expect(new Set(told.map(({ event }) => event))).toEqual(new Set(['settings.refused']))
  })
})
