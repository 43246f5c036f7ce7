/** A router as users start one: `switchyard router start`, with a settings file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Program } from '@switchyard/e2e'
import { waitFor } from '@switchyard/testkit'

/** Starts a router for what `router compose` wrote. Resolves when it is ready. */
export async function startRouter(
  folder: string,
  executionConfig: string,
  port: number,
  settings: object,
): Promise<Program> {
  const file = join(folder, 'router.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ host: '127.0.0.1', port, ...settings }))
  const router = new Program(
    'router',
    'services/cli/src/main.ts',
    ['router', 'start', '--execution-config', executionConfig, '--config', file],
    {},
  )
  const ready = async () => {
    if (!router.running) return true
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null)
    return response?.ok === true
  }
  await waitFor('the router to be ready', ready, { withinMs: 120_000 })
  if (!router.running) throw new Error(`The router ended:\n${router.output}`)
  return router
}
