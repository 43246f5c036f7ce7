import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { runService, type ServiceContext } from '@switchyard/service-kit'
import { loadRouterConfig } from './config.ts'
import { messageOf } from './errors.ts'
import { startRouter } from './router.ts'
import { openSource } from './sources.ts'

await runService(process, {
  name: 'router',
  async start(context) {
    try {
      return await start(context)
    } catch (error) {
      // "router start" is a command, too: who typed it reads this, and not a log line with a stack.
      if (!context.signal.aborted) process.stderr.write(`error: ${messageOf(error)}\n`)
      throw error
    }
  },
})

async function start({ env, logger }: ServiceContext): Promise<AsyncDisposable> {
  const path = env['SWITCHYARD_CONFIG'] || null
  const file = path === null ? null : { path, text: await readFile(path, 'utf8') }
  const config = loadRouterConfig({ env, file })
  const instance = `${hostname()}-${process.pid}`
  await using parts = new AsyncDisposableStack()
  const { source, announcer } = parts.use(await openSource(env, instance, logger))
  parts.use(
    await startRouter({ config, source, logger, instance, ...(announcer === null ? {} : { announcer }) }),
  )
  return parts.move()
}
