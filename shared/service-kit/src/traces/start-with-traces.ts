import type { RunningService, ServiceContext } from '../process/run-service.ts'
import { resourceAttributes } from '../otlp/resource.ts'
import { traceSettings } from './settings.ts'
import { LOGGED } from './propagation.ts'

/**
 * Exports spans from before the service starts until it is disposed of, if the `OTEL_*` variables ask for it.
 * `service`: `service.name`. Throws EnvironmentError, and what `start` throws.
 */
export async function startWithTraces(
  { env, logger }: Pick<ServiceContext, 'env' | 'logger'>,
  { service: name }: { readonly service: string },
  start: () => Promise<RunningService>,
): Promise<RunningService> {
  const settings = traceSettings(env)
  if (settings === null) return await start()
  await using parts = new AsyncDisposableStack()
  const { attributes, warning } = resourceAttributes(env, name)
  for (const message of [...settings.warnings, ...(warning === null ? [] : [warning])])
    LOGGED.settingIgnored.write(logger, {}, message)
  // Only who keeps spans loads what keeps them.
  const { startTraces } = await import('./start-traces.ts')
  parts.use(await startTraces({ settings, resource: attributes, logger }))
  const service = parts.use(await start())
  const running = parts.move()
  return { reload: () => service.reload?.(), [Symbol.asyncDispose]: () => running.disposeAsync() }
}
