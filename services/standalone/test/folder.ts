import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Removed when the test ends. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-standalone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
