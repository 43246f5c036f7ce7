/** Reads the settings of a router process from its environment, for a start and for a check of one. */
import { hostname } from 'node:os'
import {
  attempt,
  checkTelemetry,
  type Environment,
  EnvironmentError,
  parseEnvironment,
} from '@switchyard/service-kit'
import { z } from 'zod'
import { LOCAL_NETWORKS } from '../addresses/allowed-networks.ts'
import { RouterConfigError } from '../settings/config-error.ts'
import { readSettingsFile } from '../config/read-settings.ts'
import { loadSettings } from '../config/reload-settings.ts'
import { chooseSource, namesSource, servesFileAlone } from './open-source.ts'
import { watchedSettings } from './settings-file-watch.ts'

const VARIABLES = z.object({
  SWITCHYARD_INSTANCE: z
    .string()
    .regex(/^[^\s]{1,200}$/, 'expected 1 to 200 characters without white space')
    .optional(),
})

/**
 * `source`: the environment as far as it says where the graph is. Throws RouterConfigError, EnvironmentError,
 * and what the system says of a settings file that cannot be read.
 */
export async function readStart(env: Environment, source: Environment) {
  const file = await readSettingsFile(env)
  const networks = servesFileAlone(source) ? { defaultNetworks: LOCAL_NETWORKS } : {}
  const problems: string[] = []
  const loaded = await attempt(() => loadSettings({ env, file, ...networks }), problems)
  const variables = await attempt(() => parseEnvironment(VARIABLES, env), problems)
  const telemetry = await attempt(() => checkTelemetry(env), problems)
  if (loaded === null || variables === null || telemetry === null) {
    // What else would keep the router from starting is told along with it.
    if (namesSource(source)) await attempt(() => chooseSource(source), problems)
    throw loaded === null ? new RouterConfigError(problems) : new EnvironmentError(problems)
  }
  const { SWITCHYARD_INSTANCE: instance = `${hostname()}-${process.pid}` } = variables
  return {
    config: loaded.config,
    file,
    networks,
    instance,
    settings: file === null ? null : watchedSettings({ env, ...networks }, file, loaded),
  }
}
