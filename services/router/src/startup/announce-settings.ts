/** What the log says about the settings when a router starts. */
import type { RouterConfig, TracingConfig } from '../config/router-config.ts'
import { traceNames } from '../headers/trace-names.ts'
import type { ListenerEvents } from '../observe/listener-events.ts'

/** To be called once for a router, however many processes it has. */
export function announceSettings(config: RouterConfig, events: ListenerEvents): void {
  if (config.devMode) events.devMode()
  announceTracing(config, events)
}

function announceTracing(
  { tracing, devMode }: { readonly tracing: TracingConfig; readonly devMode: boolean },
  events: ListenerEvents,
): void {
  const { enabled, forceUnauthenticated, vendor } = tracing
  const { header, tokenHeader } = traceNames(vendor)
  if (enabled) events.tracingActive(header, devMode || forceUnauthenticated ? null : tokenHeader)
  if (forceUnauthenticated) events.tracingForced(enabled)
}
