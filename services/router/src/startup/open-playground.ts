/** The playground of a router, where it is on. */
import type { RouterConfig } from '../config/router-config.ts'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import type { Generations } from '../generations/generations.ts'
import { traceNames } from '../headers/trace-names.ts'
import type { PageRoute } from '../http/handler.ts'

/** Whether a router has one. */
export function hasPlayground({
  devMode,
  playground: { enabled },
}: Pick<RouterConfig, 'devMode' | 'playground'>): boolean {
  return enabled === 'dev_mode' ? devMode : enabled
}

/**
 * Loads nothing where it is off: that is null. Throws what node:fs throws where its files cannot be read.
 */
export async function openPlayground(
  config: Pick<RouterConfig, 'basePath' | 'devMode' | 'playground' | 'tracing'>,
  generations: Pick<Generations, 'serving'>,
  waitingFor: () => string,
): Promise<PageRoute | null> {
  if (!hasPlayground(config)) return null
  const { basePath, devMode, tracing } = config
  const { openPage } = await import('@switchyard/playground')
  const { createPlaygroundRoute } = await import('../concerns/playground/playground-route.ts')
  const { header, tokenHeader } = traceNames(tracing.vendor)
  const needsToken = !devMode && !tracing.forceUnauthenticated
  return createPlaygroundRoute({
    basePath,
    page: openPage(),
    state: () => ({
      waitingFor: generations.serving === null ? waitingFor() : null,
      graphqlPath: `${basePath}/graphql`,
      flags: generations.serving?.flags ?? [],
      flagHeader: FLAG_HEADER,
      tracing: tracing.enabled ? { header, tokenHeader, needsToken } : null,
    }),
  })
}
