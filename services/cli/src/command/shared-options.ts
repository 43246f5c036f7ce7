/** Options that several commands have, so that they read and behave the same everywhere. */
import { DEFAULT_NAMESPACE } from '@switchyard/contracts'
import { parseLabelMatchers, parseLabels } from './arguments.ts'
import { UsageError } from '../run/errors.ts'
import { defaulted, flag, hidden, list, optional, type OptionValues } from './options.ts'
import { parseRequiredRouters } from '../registry/required-routers.ts'
import { outputFormat } from './output-format.ts'
import {
  commandReason,
  filePath,
  folderPath,
  namespaceName,
  publicUrl,
  registryUrl,
  seconds,
} from './value-types.ts'

const WAIT_SECONDS = 30

/** The option of commands whose result has annotations. */
export const OUTPUT = {
  output: optional(
    '--output <format>',
    'text, json (like --json), or github: with annotations for GitHub Actions',
    outputFormat,
  ),
}

/** The option of every command. */
export const JSON_OPTION = { json: flag('-j, --json', 'print one JSON document on stdout') }

/** The options of every command that sends requests to the registry. */
export const REGISTRY = {
  registryUrl: optional(
    '--registry-url <url>',
    'where the registry is (default: SWITCHYARD_REGISTRY_URL, else what "switchyard up" left beside the API key)',
    registryUrl,
  ),
  dataDir: optional(
    '--data-dir <dir>',
    'data directory of "switchyard up", for its API key and its address',
    folderPath,
  ),
}

/** The option of commands that work in one namespace. */
export const NAMESPACE = {
  namespace: defaulted(
    '-n, --namespace <namespace>',
    'namespace to work in',
    namespaceName,
    DEFAULT_NAMESPACE,
  ),
}

/** `--wait` and `--no-wait` both give `wait`: a number of seconds, or false. `--timeout` is `--wait`. */
export const WAITING = {
  wait: {
    ...optional(
      '--wait <seconds>',
      `how long to wait for the compositions (default: ${WAIT_SECONDS}); --timeout is another name of it`,
      seconds,
    ),
    parse: (raw: unknown) => (raw === false ? 0 : typeof raw === 'string' ? seconds.parse(raw) : undefined),
  },
  timeout: hidden(optional('--timeout <seconds>', 'the same as --wait', seconds)),
  noWait: flag('--no-wait', 'do not wait for them'),
  requireComposed: flag('--require-composed', 'exit 4 when the wait ends before everything is composed'),
  requireLive: {
    flags: '--require-live [routers]',
    description:
      'wait also until so many routers serve the result, or all of them (all, which is what it means without a number); exit 4 when the wait ends before',
    required: false,
    parse: parseRequiredRouters,
  },
}

/** Returns milliseconds to wait, 0 for no wait. Throws a UsageError if both names of the option are used. */
export function waitOf({ wait, timeout }: Pick<OptionValues<typeof WAITING>, 'wait' | 'timeout'>): number {
  if (wait !== undefined && timeout !== undefined)
    throw new UsageError(
      '--timeout is another name of --wait: one of --wait, --no-wait and --timeout was expected.',
    )
  return 1000 * (wait ?? timeout ?? WAIT_SECONDS)
}

/** The option of commands that change a namespace. */
export const REASON = {
  reason: optional('--reason <text>', 'why, for "config history": up to 500 characters', commandReason),
}

/** The option of commands that ask before they do something. */
export const FORCE = { force: flag('-f, --force', 'do not ask') }

/** Labels of a subgraph or feature flag. */
export function labels(description: string) {
  return list('--label <labels...>', description, parseLabels)
}

/** Known, so that the refusal can say why a feature subgraph has none. */
export const REFUSED_LABEL = hidden(
  list('--label <labels...>', 'refused', () => {
    throw new UsageError(
      'A feature subgraph has no labels: the labels of its feature flag decide which graphs it takes part in.',
    )
  }),
)

/** Which subgraphs belong to a federated graph. */
export function labelMatchers(description: string) {
  return list(
    '--label-matcher <matchers...>',
    `${description}: groups separated by spaces must all match, labels separated by commas are alternatives; none = only subgraphs without labels`,
    parseLabelMatchers,
  )
}

/** The option of commands that create or change a federated graph. */
export const UNENFORCED_AUTHORIZATION = {
  allowUnenforcedAuthorization: flag(
    '--allow-unenforced-authorization',
    'routers do not enforce @authenticated, @requiresScopes and @policy: everybody is answered everything',
  ),
}

/** The option of commands that say at which URL browsers reach the routers of a graph. */
export const PUBLIC_URL = {
  publicUrl: optional(
    '--public-url <url>',
    'where browsers reach the GraphQL endpoint of the routers: Studio asks them there',
    publicUrl,
  ),
}

/**
 * Labels of progressive overrides: any text, since each has a name of its own or a share such as
 * `percent(25)`.
 */
export const OVERRIDE_LABELS = {
  label: list('--label <labels...>', 'labels of progressive overrides that are active', (words) => words),
}

/** The settings file of a router that is started. */
export const ROUTER_SETTINGS = {
  config: optional('--config <router.yaml>', 'settings of the router', filePath),
}
