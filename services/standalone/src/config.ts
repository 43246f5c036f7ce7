/** Reads the settings of `switchyard up` from the environment that it passes on. */
import { ResourceName, Namespace } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import { COMPOSITION_LIMITS, type CompositionLimits, limitsOf } from '@switchyard/composer/config'
import { SIGN_IN_VARIABLES, signInOf, type SignInSettings } from '@switchyard/registry/sign-in-settings'
import { USAGE_VARIABLES } from '@switchyard/registry/usage-days'
import { parseEnvironment, portVariable } from '@switchyard/service-kit'
import type { Environment } from '@switchyard/service-kit'
import { z } from 'zod'

const Graph = z.string().transform((text, context): GraphName => {
  const slash = text.indexOf('/')
  const namespace = Namespace.safeParse(text.slice(0, Math.max(0, slash)))
  const graph = ResourceName.safeParse(text.slice(slash + 1))
  if (slash > 0 && namespace.success && graph.success) return { namespace: namespace.data, graph: graph.data }
  context.addIssue({ code: 'custom', message: 'expected <namespace>/<name>, for example default/shop' })
  return z.NEVER
})

const Variables = z.object({
  SWITCHYARD_DATA_DIR: z.string().default('.switchyard'),
  SWITCHYARD_HOST: z.string().default('127.0.0.1'),
  SWITCHYARD_REGISTRY_PORT: portVariable(4100),
  SWITCHYARD_ROUTER_PORT: portVariable(4000),
  SWITCHYARD_GRAPH: Graph.optional(),
  SWITCHYARD_CONFIG: z.string().optional(),
  SWITCHYARD_BOOTSTRAP_API_KEY: z.string().optional(),
  SWITCHYARD_TRACE_KEY_FILE: z.string().optional(),
  ...SIGN_IN_VARIABLES,
  ...USAGE_VARIABLES,
  ...COMPOSITION_LIMITS,
  /** The form in which `up` says that it serves. */
  SWITCHYARD_OUTPUT: z.enum(['text', 'json'], { error: () => 'expected text or json' }).default('text'),
})

export type StandaloneConfig = {
  readonly dataDir: string
  readonly host: string
  readonly registryPort: number
  readonly routerPort: number
  readonly graph?: GraphName
  readonly routerConfigFile?: string
  readonly bootstrapApiKey?: string
  readonly traceKeyFile?: string
  readonly signIn: SignInSettings
  readonly usageDays: number
  readonly composition: CompositionLimits
  readonly output: 'text' | 'json'
}

/** Throws EnvironmentError. */
export function loadStandaloneConfig(env: Environment): StandaloneConfig {
  const variables = parseEnvironment(Variables, env)
  const { SWITCHYARD_GRAPH: graph, SWITCHYARD_CONFIG: file, SWITCHYARD_BOOTSTRAP_API_KEY: key } = variables
  const { SWITCHYARD_TRACE_KEY_FILE: traceKeyFile } = variables
  return {
    dataDir: variables.SWITCHYARD_DATA_DIR,
    host: variables.SWITCHYARD_HOST,
    registryPort: variables.SWITCHYARD_REGISTRY_PORT,
    routerPort: variables.SWITCHYARD_ROUTER_PORT,
    ...(graph === undefined ? {} : { graph }),
    ...(file === undefined ? {} : { routerConfigFile: file }),
    ...(key === undefined ? {} : { bootstrapApiKey: key }),
    ...(traceKeyFile === undefined ? {} : { traceKeyFile }),
    // The data directory has a key for sessions.
    signIn: signInOf(variables, true),
    usageDays: variables.SWITCHYARD_USAGE_DAYS,
    composition: limitsOf(variables),
    output: variables.SWITCHYARD_OUTPUT,
  }
}
