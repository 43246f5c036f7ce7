/**
 * Checks whether a router can be started with its environment: opens all that a start opens, short of
 * listening.
 *
 * Files are read: the settings, manifests, key sets, certificates, and the graph if it is a file. Key sets at
 * URLs are fetched, too, but a network failure keeps no router from starting, so that it is only a warning.
 * Config stores, NATS and subgraphs are not called.
 */
import { createLogger, type Environment, listProblems, openPropagation } from '@switchyard/service-kit'
import { isJsonObject } from '@switchyard/engine'
import type { RouterStartErrorCode } from '../../errors/start-errors.ts'
import { namesSource, type OpenSource, openSource } from '../open-source.ts'
import { readStart } from '../read-start.ts'
import type { RouterSource } from '../router-options.ts'
import { openRouter } from '../start-router.ts'

/** The warnings and problems that a router would log when it is started. */
export type StartCheck = {
  readonly warnings: readonly string[]
  /** Problems with files, because of which requests are refused although the router starts. */
  readonly problems: readonly string[]
  /**
   * Whether the environment named a graph. A file was then read; of a config store, the settings were
   * checked.
   */
  readonly isGraphNamed: boolean
}

/** A start would succeed, but the router could not do all that its settings ask for. */
export class StartCheckError extends Error {
  override readonly name = 'StartCheckError'
  readonly code = 'ROUTER_CONFIG_INVALID' satisfies RouterStartErrorCode
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(listProblems('A router would start, but could not do its work.', problems))
    this.problems = problems
  }
}

/** Throws what a start throws. `source`: the environment as far as it says where the graph is. */
export async function checkStart(env: Environment, source: Environment): Promise<StartCheck> {
  const lines: Line[] = []
  const logger = createLogger({
    name: 'router',
    level: 'warn',
    to: { write: (text) => void lines.push(lineOf(text)) },
  })
  const { config, instance } = await readStart(env, source)
  const isGraphNamed = namesSource(source)
  await using parts = new AsyncDisposableStack()
  const graph = isGraphNamed ? parts.use(await openSource(source, instance, logger)) : NO_GRAPH
  const propagation = await openPropagation(env, logger)
  const options = { config, source: graph.source, logger, instance, propagation }
  const follows = isGraphNamed && graph.source.kind !== 'config-store'
  await openRouter(options, parts, { follows, announces: false })
  const problems = lines.filter((line) => line.level === 'error' && !isOfNetwork(line))
  const warnings = lines.filter((line) => !problems.includes(line))
  return { warnings: warnings.map(shown), problems: problems.map(shown), isGraphNamed }
}

/** It is not followed. */
const NO_GRAPH: Pick<OpenSource, 'source'> & AsyncDisposable = {
  source: { kind: 'execution-config', path: '' } satisfies RouterSource,
  async [Symbol.asyncDispose]() {},
}

type Line = Readonly<Record<string, unknown>>

function lineOf(text: string): Line {
  const line: unknown = JSON.parse(text)
  return isJsonObject(line) ? line : {}
}

/** Key sets are named by their path or URL. */
function isOfNetwork({ source }: Line): boolean {
  return typeof source === 'string' && /^https?:/.test(source)
}

/** The message of a log line, and the facts of it. */
function shown({
  msg,
  level: _level,
  name: _name,
  time: _time,
  event: _event,
  count: _count,
  ...facts
}: Line): string {
  const told = Object.entries(facts).map(([fact, value]) => `${fact}: ${String(value)}`)
  return `${String(msg)}${told.length === 0 ? '' : ` (${told.join('; ')})`}`
}
