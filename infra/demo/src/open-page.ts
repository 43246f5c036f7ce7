/** Shows a page in the browser of the person at this machine, if there is one. */
import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Seat = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Somebody reads at a terminal. */
  readonly isTerminal: boolean
}

/** An opener that found no browser says so at once; one that did may stay as long as the browser. */
const OPENED_AFTER_MS = 2000

/** The program that opens pages: none without a terminal or a display, and none in CI. */
export async function findOpener({ env, platform, isTerminal }: Seat): Promise<string | null> {
  if (!isTerminal || (env['CI'] ?? '') !== '') return null
  const hasDisplay = platform === 'darwin' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  if (!hasDisplay) return null
  const name = platform === 'darwin' ? 'open' : 'xdg-open'
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    if (folder !== '' && (await isExecutable(path))) return path
  }
  return null
}

/** False when it could not be opened. */
export async function openPage(page: string, seat: Seat): Promise<boolean> {
  const opener = await findOpener(seat)
  if (opener === null) return false
  const child = spawn(opener, [page], { detached: true, stdio: 'ignore', env: { ...seat.env } })
  const failed = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(true))
    child.once('exit', (code) => resolve(code !== 0))
  })
  child.unref()
  return !(await Promise.race([failed, sleep(OPENED_AFTER_MS, false)]))
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
