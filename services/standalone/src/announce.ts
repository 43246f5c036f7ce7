/** The one thing `up` says on stdout: that everything listens, and where. */
import { startedDocument } from '@switchyard/service-kit'
import type { Standalone } from './standalone.ts'

export function startMessage(
  { registryUrl, routerUrl, apiKeyFile }: Standalone,
  dataDir: string,
  output: 'text' | 'json',
): string {
  if (output === 'json') {
    return startedDocument({ registryUrl, routerUrl, apiKeyFile, dataDir })
  }
  return `Switchyard is up.
  router    ${routerUrl}
  registry  ${registryUrl}
  data      ${dataDir}
  API key   ${apiKeyFile}
Commands started in the folder of the data directory find the registry and the key; elsewhere they take --data-dir ${dataDir}.
Ctrl-C stops it.
`
}
