/** The one thing `up` says on stdout: that everything listens, and where. */
import type { Standalone } from './standalone.ts'

export function announce(
  { registryUrl, routerUrl, apiKeyFile }: Standalone,
  dataDir: string,
  output: 'text' | 'json',
): string {
  if (output === 'json') {
    return `${JSON.stringify({ ok: true, result: { registryUrl, routerUrl, apiKeyFile, dataDir } }, null, 2)}\n`
  }
  return `Switchyard is up.
  router    ${routerUrl}
  registry  ${registryUrl}
  data      ${dataDir}
  API key   ${apiKeyFile}
Commands started in the folder of the data directory find the key; elsewhere they take --data-dir ${dataDir}.
Ctrl-C stops it.
`
}

/** The same document that every other command prints with `--json` when it fails. */
export function announceFailure(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'START_FAILED'
  const body = {
    type: `urn:switchyard:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: 'Nothing was started',
    code,
    detail: error instanceof Error ? error.message : String(error),
  }
  return `${JSON.stringify({ ok: false, error: body }, null, 2)}\n`
}
