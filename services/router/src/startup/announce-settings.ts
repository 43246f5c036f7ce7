/** Logs notes about the settings and the addresses of a router when it starts. */
import { isDeepStrictEqual } from 'node:util'
import type { RouterConfig } from '../config/router-config.ts'
import type { TracingConfig } from '../tracing/settings.ts'
import { traceNames } from '../headers/trace-names.ts'
import type { ListenerEvents } from '../listen/listener-events.ts'
import { hasPlayground } from '../concerns/playground/settings.ts'
import type { SettingsEvents } from './settings-events.ts'

/** To be called once for a router, however many processes it has. */
export function announceSettings(config: RouterConfig, events: ListenerEvents): void {
  if (config.devMode) events.devMode()
  announceTracing(config, events)
}

/** Warns of settings of earlier versions, if there are any. */
export function announceRetired({ retired }: Pick<RouterConfig, 'retired'>, events: SettingsEvents): void {
  if (retired.length > 0) events.retired(retired)
}

/** Whether there is nothing new to announce. */
export function isAnnouncedAlike(before: RouterConfig, now: RouterConfig): boolean {
  const announced = ({ devMode, tracing }: RouterConfig) => ({ devMode, tracing })
  return isDeepStrictEqual(announced(before), announced(now))
}

/** Says where the router is reached. To be called once for a router, however many processes it has. */
export async function announceAddresses(
  config: RouterConfig,
  url: string,
  events: ListenerEvents,
): Promise<void> {
  events.listening(`${url}${config.basePath}/graphql`)
  if (!hasPlayground(config)) return
  const { openPage } = await import('@switchyard/playground')
  if (openPage() === null) events.playgroundNotBuilt()
  else events.playground(`${url}${config.basePath}/`)
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
