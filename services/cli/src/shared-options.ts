/** Options that several commands have, so that they read and behave the same everywhere. */
import { DEFAULT_NAMESPACE } from '@switchyard/contracts'
import { defaulted, flag, optional } from './options.ts'
import { outputFormat } from './output/output-format.ts'
import { folderPath, namespaceName, registryUrl, seconds } from './value-types.ts'

const WAIT_SECONDS = 30

export const OUTPUT = {
  output: optional(
    '--output <format>',
    'text, json (like --json), or github: with annotations for GitHub Actions',
    outputFormat,
  ),
}
export const JSON_OPTION = { json: flag('-j, --json', 'print one JSON document on stdout') }
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
export const NAMESPACE = {
  namespace: defaulted(
    '-n, --namespace <namespace>',
    'namespace to work in',
    namespaceName,
    DEFAULT_NAMESPACE,
  ),
}
/** Both give `wait`: a number of seconds, or false. */
export const WAITING = {
  waitMs: {
    ...optional(
      '--wait <seconds>',
      `how long to wait for the compositions (default: ${WAIT_SECONDS})`,
      seconds,
    ),
    parse: (raw: unknown) =>
      raw === false ? 0 : 1000 * (typeof raw === 'string' ? seconds.parse(raw) : WAIT_SECONDS),
  },
  noWait: flag('--no-wait', 'do not wait for them'),
  requireComposed: flag('--require-composed', 'exit 4 when the wait ends before everything is composed'),
}
export const FORCE = { force: flag('-f, --force', 'do not ask') }
