/** Chromium of the machine, headless: for tests of pages that people open. */
import { type Browser, chromium } from 'playwright-core'
import { programPath } from '../servers/child-server.ts'

const BINARIES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/**
 * Arguments of Chromium. Only the page under test may use the network. In a container there is neither a
 * sandbox nor a GPU.
 */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** True if there is a Chromium, else a note on stderr. For `describe.skipIf(!chromiumAvailable())`. */
export function chromiumAvailable(): boolean {
  if (executable() !== null) return true
  process.stderr.write(
    'No Chromium on this machine: the tests that open pages are skipped. Install it (apt-get install chromium) to run them.\n',
  )
  return false
}

export async function startChromium(): Promise<Browser> {
  const path = executable()
  if (path === null) throw new Error('No Chromium on this machine; ask chromiumAvailable() first.')
  return chromium.launch({ executablePath: path, args: ARGUMENTS })
}

function executable(): string | null {
  return BINARIES.map(programPath).find((path) => path !== null) ?? null
}
