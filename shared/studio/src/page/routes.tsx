/** The addresses of all pages. Each page is loaded when somebody goes to it. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { NotFound } from './shell/not-found.tsx'
import { Failed } from './shell/failed.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home.tsx'), 'Home'),
})

const graph = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph',
  component: lazyRouteComponent(() => import('./pages/graph/graph.tsx'), 'Graph'),
})

/** What is looked at, as addresses say it. */
type Filter = { readonly namespace?: string; readonly graph?: string }

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: ({ namespace }: Record<string, unknown>): Filter => named({ namespace }),
  component: lazyRouteComponent(() => import('./pages/history/history.tsx'), 'History'),
})

const fleet = createRoute({
  getParentRoute: () => root,
  path: '/fleet',
  validateSearch: ({ namespace, graph }: Record<string, unknown>): Filter => named({ namespace, graph }),
  component: lazyRouteComponent(() => import('./pages/fleet/fleet.tsx'), 'Fleet'),
})

export function createStudioRouter() {
  return createRouter({
    routeTree: root.addChildren([home, history, fleet, graph]),
    basepath: '/studio',
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Register {
    router: ReturnType<typeof createStudioRouter>
  }
}

/** Returns the names of a query. Names of digits alone arrive as numbers. */
function named(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : [],
  )
  return Object.fromEntries(texts)
}
