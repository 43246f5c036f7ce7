/** The one thing `up` says on stdout: that everything listens, and where. */
import { startedDocument } from '@switchyard/service-kit'
import type { Standalone } from './standalone.ts'

export function startMessage(standalone: Standalone, dataDir: string, output: 'text' | 'json'): string {
  const { registryUrl, routerUrl, apiKeyFile } = standalone
  if (output === 'json') {
    return startedDocument({ registryUrl, routerUrl, apiKeyFile, dataDir })
  }
  return `Switchyard is up.
  router    ${routerUrl}
  registry  ${registryUrl}
  data      ${dataDir}
  API key   ${apiKeyFile}
  Studio    ${standalone.studioLink() ?? `${registryUrl}/studio`}
Commands started in the folder of the data directory find the registry and the key; elsewhere they take --data-dir ${dataDir}.
The link to Studio signs you in once, within 5 minutes; "switchyard studio" prints another.
Ctrl-C stops it.
`
}
