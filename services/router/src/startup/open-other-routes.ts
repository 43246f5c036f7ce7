/** The routes of a router beside GraphQL and health checks: the playground, and flags by OFREP. */
import { trace } from '@opentelemetry/api'
import { TRACE_CONTEXT } from '@switchyard/service-kit'
import type { RouterConfig } from '../config/router-config.ts'
import { hasPlayground } from '../concerns/playground/settings.ts'
import { FLAG_HEADER } from '../flags/requested-flag.ts'
import { traceNames } from '../headers/trace-names.ts'
import type { PathRoute } from '../http/handler.ts'
import { TRACER } from '../observe/meter.ts'
import { createRequestSpans } from '../observe/request-spans.ts'
import { createOfrepRoute } from '../pipeline/ofrep/ofrep-route.ts'
import type { RouteParts } from './open-route.ts'
import type { RouterOptions } from './router-options.ts'

/** Opens the routes that the settings switch on, with the parts of the endpoint for GraphQL. */
export async function openOtherRoutes(
  options: RouterOptions,
  parts: RouteParts,
): Promise<readonly PathRoute[]> {
  const playground = await openPlayground(options.config, parts)
  return [playground, openOfrep(options, parts)].filter((route) => route !== null)
}

/**
 * Loads nothing where it is off: that is null. Throws what node:fs throws where its files cannot be read.
 */
async function openPlayground(
  config: Pick<RouterConfig, 'basePath' | 'devMode' | 'playground' | 'tracing'>,
  { generations, waitingFor }: Pick<RouteParts, 'generations' | 'waitingFor'>,
): Promise<PathRoute | null> {
  if (!hasPlayground(config)) return null
  const { basePath, devMode, tracing } = config
  const { openPage } = await import('@switchyard/playground')
  const { createPlaygroundRoute } = await import('../concerns/playground/playground-route.ts')
  const { header, tokenHeader, standInHeader } = traceNames(tracing.vendor)
  const needsToken = !devMode && !tracing.forceUnauthenticated
  return createPlaygroundRoute({
    basePath,
    page: openPage(),
    state: () => ({
      waitingFor: generations.serving === null ? waitingFor() : null,
      graphqlPath: `${basePath}/graphql`,
      flags: generations.serving?.flags ?? [],
      flagHeader: FLAG_HEADER,
      tracing: tracing.enabled ? { header, tokenHeader, standInHeader, needsToken } : null,
    }),
  })
}

/** Null if flags are not told. */
function openOfrep(
  { config, propagation = TRACE_CONTEXT }: RouterOptions,
  { events: { requests }, ...parts }: RouteParts,
): PathRoute | null {
  if (!config.ofrep.enabled) return null
  const scheme = config.tls === null ? 'http' : 'https'
  return createOfrepRoute({
    ...parts,
    config,
    spansOf: (route) => createRequestSpans(trace.getTracer(TRACER), propagation, { route, scheme }),
    observers: config.accessLog ? [...requests.ofAll, requests.accessLog] : requests.ofAll,
    handedOn: propagation.handedOn,
  })
}
