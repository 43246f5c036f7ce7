/** A graph whose subgraph sends events when a test says so, and a router that serves it. */
import { LOCAL_NETWORKS, loadRouterConfig, type RouterConfig } from '../../../src/config/router-config.ts'
import { routerOn, type TestRouter, type TestRouterOptions, until } from '../../support/router.ts'
import { type EventGraph, startEventGraph } from './event-graph.ts'

export type EventWorld = EventGraph & {
  readonly router: TestRouter
  /** Puts the settings of this file in force. */
  apply(file: string): Promise<void>
  /** Waits until so many subscriptions are open at the subgraph. */
  subscribed(count: number): Promise<void>
}

/** `settings`: beside those that switch subscriptions on. */
export async function startEventWorld(
  settings = '',
  sections = '',
  options: Pick<TestRouterOptions, 'propagation'> = {},
): Promise<EventWorld> {
  await using stack = new AsyncDisposableStack()
  const graph = stack.use(await startEventGraph())
  const { events, config } = graph
  const file = `subscriptions: { enabled: true, move_window: 200ms${settings === '' ? '' : `, ${settings}`} }\n${sections}`
  const router = stack.use(await routerOn(config, { ...options, settings: file }))
  await router.ready
  const parts = stack.move()
  return {
    ...graph,
    router,
    apply: (text) => router.apply({ ...loadedFrom(text), host: '127.0.0.1', port: 0 }),
    subscribed: (count) => until(() => events.open.length === count, `${count} subscriptions`).then(() => {}),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function loadedFrom(text: string): RouterConfig {
  return loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS })
}
