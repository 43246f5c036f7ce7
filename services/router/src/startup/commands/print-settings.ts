/**
 * Prints the settings of a router instead of starting it, for `config`, `config --check` and `config-schema`.
 */
import { type Environment, startedDocument } from '@switchyard/service-kit'
import { LOCAL_NETWORKS, SERVICE_NETWORKS } from '../../addresses/allowed-networks.ts'
import { effectiveSettings } from '../../config/effective-settings.ts'
import { readSettingsFile } from '../../config/read-settings.ts'
import schema from '../../config/router-settings.schema.json' with { type: 'json' }
import { settingsAsJson, settingsAsYaml } from '../../config/show-settings.ts'
import { checkStart, type StartCheck, StartCheckError } from './check-start.ts'
import { servesFileAlone } from '../open-source.ts'
import { type Printed, whatFailed } from './printed.ts'

const USAGE =
  'error: expected no argument, to start a router, or one of "config", "config --check", "config-schema" and "check-documents"\n'

const HELP = `Usage: switchyard-router [command]

Without a command it starts a router. Its settings are in the file that SWITCHYARD_CONFIG names, and in environment variables: docs/configuration.md.

Commands:
  config           prints the settings in force, with where each is from
  config --check   says whether a router would start with them
  config-schema    prints the JSON schema of the settings file
  check-documents  says which persisted documents do not fit the graph
`

/** `source`: the environment as far as it says where the graph is. */
type PrintingOptions = {
  readonly env: Environment
  readonly source: Environment
  /** One document of the form that all commands have, whatever happens. */
  readonly json: boolean
}

/** `words`: the arguments. */
export async function printSettings(
  words: readonly string[],
  { env, source, json }: PrintingOptions,
): Promise<Printed> {
  const task = words.join(' ')
  const done = (stdout: string): Printed => ({ stdout, stderr: '', exitCode: 0 })
  if (task === 'config-schema') {
    return done(json ? startedDocument(schema) : `${JSON.stringify(schema, null, 2)}\n`)
  }
  if (task === '--help' || task === '-h') return done(HELP)
  if (task !== 'config' && task !== 'config --check') return { stdout: '', stderr: USAGE, exitCode: 2 }
  try {
    const check = task === 'config' ? null : await checkStart(env, source)
    const file = await readSettingsFile(env)
    const defaultNetworks = servesFileAlone(source) ? LOCAL_NETWORKS : SERVICE_NETWORKS
    const effective = effectiveSettings({ env, file, defaultNetworks })
    const result = settingsAsJson(effective)
    if (check !== null) return printCheck(check, result, json)
    return done(json ? startedDocument(result) : settingsAsYaml(effective))
  } catch (error) {
    return whatFailed(error, json)
  }
}

function printCheck(
  { warnings, problems, isGraphNamed }: StartCheck,
  result: ReturnType<typeof settingsAsJson>,
  json: boolean,
): Printed {
  if (problems.length > 0) throw new StartCheckError(problems)
  if (json) return { stdout: startedDocument({ ...result, warnings }), stderr: '', exitCode: 0 }
  const changed = Object.keys(result.sources).length
  return {
    stdout: `The settings are usable; ${changed} of them are not the default. ${isGraphNamed ? GRAPH_CHECKED : NO_GRAPH_CHECKED}\n`,
    stderr: warnings.map((warning) => `warning: ${warning}\n`).join(''),
    exitCode: 0,
  }
}

const GRAPH_CHECKED = 'So is what says where the graph is.'
const NO_GRAPH_CHECKED = 'No graph was checked, since none is named.'
