/** What the log says about tracing when a router starts. */
import type { TracingConfig } from '../config/router-config.ts'
import type { ListenerEvents } from '../observe/listener-events.ts'
import { traceNames } from '../headers/trace-names.ts'

export function announceTracing(
  { tracing, devMode }: { readonly tracing: TracingConfig; readonly devMode: boolean },
  events: ListenerEvents,
): void {
  const { enabled, forceUnauthenticated, vendor } = tracing
  const { header, tokenHeader } = traceNames(vendor)
  if (enabled) events.tracingActive(header, devMode || forceUnauthenticated ? null : tokenHeader)
  if (forceUnauthenticated) events.tracingForced(enabled)
}
