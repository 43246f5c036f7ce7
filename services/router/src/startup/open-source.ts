/** Finds the graph of a router process by its environment. */
import { readFile } from 'node:fs/promises'
import { openConfigStore, REDIS_VARIABLES, redisSettingsOf, STORE_DAMAGED } from '@switchyard/config-store'
import { type GraphName, Jwks, Namespace, ResourceName } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { NATS_VARIABLES, natsSettingsOf } from '@switchyard/event-log/nats-settings'
import {
  attempt,
  type Environment,
  EnvironmentError,
  type FleetKey,
  FleetKeyVariable,
  NOTICE_FAILED,
  type Logger,
  parseEnvironment,
  ServerProblems,
} from '@switchyard/service-kit'
import { z } from 'zod'
import { messageOf } from '@switchyard/values'
import type { RouterSource } from './router-options.ts'

const VARIABLES = z.object({
  SWITCHYARD_NATS_URL: z.string().optional(),
  ...NATS_VARIABLES,
  SWITCHYARD_REDIS_URL: z.string().optional(),
  ...REDIS_VARIABLES,
  SWITCHYARD_FLEET_KEY: FleetKeyVariable,
  SWITCHYARD_GRAPH: z.string().optional(),
  SWITCHYARD_CONFIG_KEYS: z.string().optional(),
  SWITCHYARD_LAST_KNOWN_GOOD_DIR: z.string().default('.switchyard/last-known-good'),
  SWITCHYARD_EXECUTION_CONFIG: z.string().optional(),
  SWITCHYARD_SUPERGRAPH: z.string().optional(),
})

type SourceVariables = z.infer<typeof VARIABLES>

/** The source of configs, with the connections that were opened for it. */
export type OpenSource = AsyncDisposable & {
  readonly source: RouterSource
  readonly announcer: Announcer | null
  /** Signs heartbeats. */
  readonly fleetKey?: FleetKey
}

/**
 * A word of the command line: the graph is that of a file, also where the address of a config store is set.
 */
export const FILE_ALONE = '--file-alone'

/**
 * The environment as far as it says where the graph is. A config store is left out where a file is served
 * alone; settings may use the variable with its address all the same, for example for rate limits.
 */
export function sourceEnvironment(env: Environment, words: readonly string[]): Environment {
  return words.includes(FILE_ALONE) ? { ...env, SWITCHYARD_REDIS_URL: undefined } : env
}

/** Whether the environment says where a graph is; a router cannot be started without. */
export function namesSource(env: Environment): boolean {
  return SOURCES.some((name) => (env[name] ?? '') !== '')
}

const SOURCES = [
  'SWITCHYARD_GRAPH',
  'SWITCHYARD_CONFIG_KEYS',
  'SWITCHYARD_EXECUTION_CONFIG',
  'SWITCHYARD_SUPERGRAPH',
]

/**
 * True if the router serves a file alone. The routing URLs of such a file are chosen by the operator who
 * starts the router; those of a config store are written by many people.
 */
export function servesFileAlone(env: Environment): boolean {
  return (env['SWITCHYARD_REDIS_URL'] ?? '') === ''
}

/** A file, or a graph of a config store, whose address is still to be read. */
type ChosenSource =
  | { readonly kind: 'file'; readonly source: RouterSource }
  | {
      readonly kind: 'config-store'
      readonly redis: string
      readonly variables: SourceVariables
      readonly graph: GraphName
      readonly keys: Jwks
    }

/** Reads which graph is named, and connects to nothing. Throws EnvironmentError. */
export async function chooseSource(env: Environment): Promise<ChosenSource> {
  const variables = parseEnvironment(VARIABLES, env)
  const redis = variables.SWITCHYARD_REDIS_URL
  const file = variables.SWITCHYARD_EXECUTION_CONFIG
  const supergraph = variables.SWITCHYARD_SUPERGRAPH
  if (supergraph !== undefined) {
    if (redis !== undefined || file !== undefined) {
      throw new EnvironmentError([
        `SWITCHYARD_SUPERGRAPH and ${file === undefined ? 'SWITCHYARD_REDIS_URL' : 'SWITCHYARD_EXECUTION_CONFIG'} are both ` +
          'set: a supergraph file is served alone',
      ])
    }
    return { kind: 'file', source: { kind: 'supergraph', path: supergraph } }
  }
  if (redis === undefined) {
    if (file === undefined) {
      throw new EnvironmentError([
        'none of SWITCHYARD_REDIS_URL (a config store), SWITCHYARD_EXECUTION_CONFIG and SWITCHYARD_SUPERGRAPH (files) is ' +
          'set: the router needs one of them to find its graph',
      ])
    }
    return { kind: 'file', source: { kind: 'execution-config', path: file } }
  }
  const problems: string[] = []
  const graph = await attempt(() => graphOf(variables.SWITCHYARD_GRAPH), problems)
  const keys = await attempt(() => keysOf(variables.SWITCHYARD_CONFIG_KEYS), problems)
  if (graph === null || keys === null) throw new EnvironmentError(problems)
  return { kind: 'config-store', redis, variables, graph, keys }
}

/** Throws EnvironmentError, or what opening a store throws. */
export async function openSource(env: Environment, name: string, logger: Logger): Promise<OpenSource> {
  const chosen = await chooseSource(env)
  if (chosen.kind === 'file') return openFile(chosen.source)
  const { redis, variables, graph, keys } = chosen
  const file = variables.SWITCHYARD_EXECUTION_CONFIG
  await using parts = new AsyncDisposableStack()
  const store = parts.use(await openStore(redis, variables, name, logger))
  const nats = variables.SWITCHYARD_NATS_URL
  const announcer = nats === undefined ? null : parts.use(await openAnnouncer(nats, variables, name, logger))
  const opened = parts.move()
  return {
    source: {
      kind: 'config-store',
      store,
      keys,
      graph,
      lastKnownGoodDirectory: variables.SWITCHYARD_LAST_KNOWN_GOOD_DIR,
      ...(file === undefined ? {} : { executionConfig: file }),
    },
    announcer,
    ...(variables.SWITCHYARD_FLEET_KEY === undefined ? {} : { fleetKey: variables.SWITCHYARD_FLEET_KEY }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function openStore(url: string, variables: SourceVariables, name: string, logger: Logger) {
  const problems = new ServerProblems(logger, 'redis')
  return openConfigStore(
    { kind: 'redis', ...redisSettingsOf(url, variables) },
    {
      name,
      onProblem: problems.tell,
      onWarning: problems.warn,
      onCorruption: (place, problem) =>
        STORE_DAMAGED.write(
          logger,
          { key: place, problem },
          `the entry ${place} of the config store is damaged and counts as missing: ${problem}`,
        ),
    },
  )
}

/**
 * Connects in the background: a router starts without NATS and is only slower to hear of changes. The client
 * of NATS is loaded here, since a router that serves a file does without its time and memory.
 */
async function openAnnouncer(url: string, variables: SourceVariables, name: string, logger: Logger) {
  const { createNatsAnnouncer } = await import('@switchyard/event-log/nats-announcer')
  const problems = new ServerProblems(logger, 'nats')
  return createNatsAnnouncer({
    ...natsSettingsOf(url, variables),
    name,
    onProblem: problems.tell,
    onWarning: problems.warn,
    onError: (error, subject) =>
      NOTICE_FAILED.write(
        logger,
        { subject, reason: messageOf(error) },
        'a notice could not be handled: the change that it announced is found by polling',
      ),
  })
}

function openFile(source: RouterSource): OpenSource {
  return { source, announcer: null, async [Symbol.asyncDispose]() {} }
}

function graphOf(text: string | undefined): GraphName {
  const [namespace, graph, ...rest] = (text ?? '').split('/')
  // A graph's name may hold slashes itself, a namespace may not.
  const name = [graph ?? '', ...rest].join('/')
  const parsed = z.object({ namespace: Namespace, graph: ResourceName }).safeParse({ namespace, graph: name })
  if (parsed.success) return parsed.data
  throw new EnvironmentError([
    `SWITCHYARD_GRAPH is ${text === undefined ? 'not set' : JSON.stringify(text)}: expected <namespace>/<graph>`,
  ])
}

async function keysOf(path: string | undefined): Promise<Jwks> {
  if (path === undefined) {
    throw new EnvironmentError([
      'SWITCHYARD_CONFIG_KEYS is not set: a router on a config store needs the file with the public keys (a JWKS) ' +
        'that manifests are signed with, since it serves no unsigned ones',
    ])
  }
  try {
    const keys = Jwks.parse(JSON.parse(await readFile(path, 'utf8')))
    if (keys.keys.length === 0) throw new Error('it holds no key')
    return keys
  } catch (error) {
    throw new EnvironmentError([
      `SWITCHYARD_CONFIG_KEYS is ${JSON.stringify(path)}: expected a JWKS file (${messageOf(error)})`,
    ])
  }
}
