import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findOpener, openPage, type Seat } from '../src/open-page.ts'

/** A folder with an `xdg-open` that runs this. */
async function seatWith(
  script: string,
): Promise<Seat & { readonly opener: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-opener-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const opener = join(folder, 'xdg-open')
  await writeFile(opener, `#!/bin/sh\n${script}\n`)
  await chmod(opener, 0o755)
  return { opener, folder, env: { PATH: folder, DISPLAY: ':0' }, platform: 'linux', isTerminal: true }
}

describe('a page of the demo', () => {
  it('is opened where somebody sits at a terminal with a display', async () => {
    const seat = await seatWith('printf "%s" "$1" > "${0%/*}/opened"')
    expect(await openPage('/somewhere/trace.html', seat)).toBe(true)
    await vi.waitFor(
      async () => expect(await readFile(join(seat.folder, 'opened'), 'utf8')).toBe('/somewhere/trace.html'),
      PATIENTLY,
    )
  })

  it('is not opened in CI, without a terminal, without a display, or without a program for it', async () => {
    const seat = await seatWith('exit 0')
    const { PATH } = seat.env
    expect(await findOpener(seat)).toBe(seat.opener)
    expect(await findOpener({ ...seat, env: { PATH, WAYLAND_DISPLAY: 'wayland-0' } })).toBe(seat.opener)
    expect(await findOpener({ ...seat, env: { PATH } })).toBeNull()
    expect(await findOpener({ ...seat, env: { ...seat.env, CI: 'true' } })).toBeNull()
    expect(await findOpener({ ...seat, isTerminal: false })).toBeNull()
    expect(await findOpener({ ...seat, env: { ...seat.env, PATH: '/nonexistent' } })).toBeNull()
  })

  it('is known not to be open when there is no browser', async () => {
    expect(await openPage('trace.html', await seatWith('exit 3'))).toBe(false)
  })
})
