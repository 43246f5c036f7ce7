/**
 * What `switchyard up` starts, in the process of the test: for tests that need several and only ask their
 * ports. Each listens on ports that the system chooses and has a data directory of its own. Its threads load
 * the sources, which takes longer than those of bundled programs: a test that composes often uses `startUp`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@switchyard/service-kit'
import { startStandalone } from '@switchyard/standalone'
import type { StartedUp } from './start-up.ts'

export async function openStandalone(): Promise<StartedUp> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-up-'))
  const standalone = await startStandalone({
    // Where commands look for its address and its key.
    dataDir: join(folder, '.switchyard'),
    registryPort: 0,
    routerPort: 0,
    env: {},
    logger: createLogger({ name: 'standalone', level: 'silent' }),
  })
  return {
    folder,
    registryUrl: standalone.registryUrl,
    routerUrl: standalone.routerUrl,
    async [Symbol.asyncDispose]() {
      await standalone[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
