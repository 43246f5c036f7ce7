/** The addresses of all pages. Each page is loaded when somebody goes to it. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { isKind } from './pages/schema/types.ts'
import { BY, type By, hoursIn } from './parts/usage/choices.ts'
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
type Filter = { readonly namespace?: string | undefined; readonly graph?: string | undefined }

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

/** What is looked at is in no address: it is in the browser alone. */
const traces = createRoute({
  getParentRoute: () => root,
  path: '/traces',
  component: lazyRouteComponent(() => import('./pages/traces/traces.tsx'), 'Traces'),
})

const schema = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/schema',
  validateSearch: ({ composition, type, field, q, kind }: Search) => ({
    ...named({ composition, type, field, q }),
    ...(isKind(kind) ? { kind } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/schema/schema.tsx'), 'Schema'),
})

const difference = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/difference',
  validateSearch: ({ from, to }: Search) => named({ from, to }),
  component: lazyRouteComponent(() => import('./pages/difference/difference.tsx'), 'CompositionDifference'),
})

/** The operation is in the fragment of the address. */
const playground = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/playground',
  component: lazyRouteComponent(() => import('./pages/playground/playground.tsx'), 'Playground'),
})

const checks = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/checks',
  validateSearch: ({ graph: of, subgraph: name }: Search) => named({ graph: of, subgraph: name }),
  component: lazyRouteComponent(() => import('./pages/checks/checks.tsx'), 'Checks'),
})

const errors = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/errors',
  validateSearch: ({ featureFlag, error }: Search) => ({
    ...named({ featureFlag }),
    ...(isPlace(error) ? { error } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/errors/errors.tsx'), 'CompositionErrors'),
})

const subgraphs = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/subgraphs',
  validateSearch: ({ graph: of, search }: Search) => named({ graph: of, search }),
  component: lazyRouteComponent(() => import('./pages/subgraphs/subgraphs.tsx'), 'Subgraphs'),
})

const subgraph = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/subgraphs/$subgraph',
  validateSearch: ({ graph: of, version, compare }: Search) => named({ graph: of, version, compare }),
  component: lazyRouteComponent(() => import('./pages/subgraphs/subgraph.tsx'), 'Subgraph'),
})

const flags = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/feature-flags',
  component: lazyRouteComponent(() => import('./pages/flags/flags.tsx'), 'Flags'),
})

const flag = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/feature-flags/$flag',
  component: lazyRouteComponent(() => import('./pages/flag/flag.tsx'), 'FlagPage'),
})

const rollouts = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/rollouts',
  component: lazyRouteComponent(() => import('./pages/rollouts/rollouts.tsx'), 'Rollouts'),
})

const rollout = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/rollouts/$rollout',
  component: lazyRouteComponent(() => import('./pages/rollout/rollout.tsx'), 'RolloutPage'),
})

const differences = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/rollouts/$rollout/differences',
  component: lazyRouteComponent(() => import('./pages/rollout/differences.tsx'), 'DifferencesPage'),
})

/** The window of usage, in hours, and how it is shown. */
type UsageSearch = { readonly hours?: number; readonly by?: By; readonly search?: string | undefined }

function usageSearch({ hours, by, search }: Search): UsageSearch {
  const chosen = hoursIn(hours)
  const grouping = BY.find((one) => one === by)
  return {
    ...(chosen === undefined ? {} : { hours: chosen }),
    ...(grouping === undefined ? {} : { by: grouping }),
    ...named({ search }),
  }
}

function windowSearch({ hours }: Search): Pick<UsageSearch, 'hours'> {
  return usageSearch({ hours })
}

const operations = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/operations',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => import('./pages/operations/operations.tsx'), 'Operations'),
})

const operation = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/operations/$operation',
  validateSearch: windowSearch,
  component: lazyRouteComponent(() => import('./pages/operations/operation.tsx'), 'OperationPage'),
})

const unused = createRoute({
  getParentRoute: () => root,
  path: '/ns/$namespace/graphs/$graph/unused',
  validateSearch: windowSearch,
  component: lazyRouteComponent(() => import('./pages/operations/unused.tsx'), 'Unused'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'Keys'),
})

export function createStudioRouter() {
  return createRouter({
    routeTree: root.addChildren([
      home,
      history,
      fleet,
      traces,
      graph,
      schema,
      difference,
      playground,
      checks,
      errors,
      subgraphs,
      subgraph,
      flags,
      flag,
      rollouts,
      rollout,
      differences,
      operations,
      operation,
      unused,
      keys,
    ]),
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

/** The query of an address, as somebody may have written it. */
type Search = Readonly<Record<string, unknown>>

/** Names that were chosen. Links say undefined for what leaves the address. */
type Chosen<Name extends string> = { [Key in Name]?: string | undefined }

/** Keeps those members of a query that are names. */
function named<Name extends string>(search: Readonly<Record<Name, unknown>>): Chosen<Name> {
  const found: Chosen<Name> = {}
  for (const key in search) {
    const value = search[key]
    // Names of digits alone arrive as numbers.
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found[key] = String(value)
  }
  return found
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
