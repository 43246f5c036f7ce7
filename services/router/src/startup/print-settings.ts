/**
 * What a router prints of its settings instead of starting: `config`, `config --check`, `config-schema`.
 */
import { type Environment, startedDocument } from '@switchyard/service-kit'
import { LOCAL_NETWORKS, SERVICE_NETWORKS } from '../addresses/allowed-networks.ts'
import { effectiveSettings } from '../config/effective-settings.ts'
import { readSettingsFile } from '../config/read-settings.ts'
import schema from '../config/router-settings.schema.json' with { type: 'json' }
import { settingsAsJson, settingsAsYaml } from '../config/show-settings.ts'
import { servesFileAlone } from './open-source.ts'
import { type Printed, whatFailed } from './printed.ts'

const USAGE =
  'error: expected no argument, to start a router, or one of "config", "config --check", "config-schema" and "check-documents"\n'

/** `words`: the arguments. `json`: one document of the form that all commands have, whatever happens. */
export async function printSettings(
  words: readonly string[],
  env: Environment,
  json: boolean,
): Promise<Printed> {
  const task = words.join(' ')
  const done = (stdout: string): Printed => ({ stdout, stderr: '', exitCode: 0 })
  if (task === 'config-schema') {
    return done(json ? startedDocument(schema) : `${JSON.stringify(schema, null, 2)}\n`)
  }
  if (task !== 'config' && task !== 'config --check') return { stdout: '', stderr: USAGE, exitCode: 2 }
  try {
    const file = await readSettingsFile(env)
    const defaultNetworks = servesFileAlone(env) ? LOCAL_NETWORKS : SERVICE_NETWORKS
    const effective = effectiveSettings({ env, file, defaultNetworks })
    const shown = settingsAsJson(effective)
    if (json) return done(startedDocument(shown))
    if (task === 'config') return done(settingsAsYaml(effective))
    return done(
      `The settings are usable; ${Object.keys(shown.sources).length} of them are not the default.\n`,
    )
  } catch (error) {
    return whatFailed(error, json)
  }
}
