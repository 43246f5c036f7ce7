/** How Node.js is started for the services that a command becomes. */
import type { ServiceName } from './run/context.ts'

/**
 * V8 may use at most 3 × this many MiB for new objects. By itself it takes up to 3 × 32, which makes a router
 * under load 40 MB larger and saves no CPU (docs/adr/0049-how-much-memory-a-router-takes.md). The image of
 * the router is started with the same.
 */
export const ROUTER_SEMI_SPACE = '--max-semi-space-size=16'

const FLAGS: Readonly<Record<ServiceName, readonly string[]>> = {
  router: [ROUTER_SEMI_SPACE],
  standalone: [],
}

/** Command line of Node.js for a service, without Node.js itself. */
export function nodeArguments(service: ServiceName, main: string): readonly string[] {
  return [...FLAGS[service], '--disable-warning=ExperimentalWarning', main]
}
