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

export function createStudioRouter() {
  return createRouter({
    routeTree: root.addChildren([home, graph]),
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

/** Reads a name from the query of an address. */
export function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined
}
