/** The command line of the comparison. */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Gateway } from './gateways/gateway.ts'
import { NATIVE, type NativeName, nativeGateway } from './gateways/native-gateways.ts'
import { apolloGateway, hiveGateway, stitching } from './gateways/node-gateways.ts'
import { switchyard } from './gateways/switchyard.ts'
import { type Scenario, SCENARIOS, scenariosNamed } from './scenarios.ts'

export type Options = {
  readonly gateways: readonly Gateway[]
  /** Gateways of npm are among them, and have to be there. */
  readonly peers: boolean
  readonly scenarios: readonly Scenario[]
  readonly rounds: number
  readonly measuredMs: number
  readonly warmUpMs: number
  /** Tables and chart go into docs/. */
  readonly write: boolean
}

export const HELP = `Usage: node infra/bench/bench.ts [options]

Compares the router with other gateways: CPU per request, by scenario. docs/performance.md

  --peers                  also Hive Gateway and Apollo Gateway, which npm installs into .cache/bench-peers
  --apollo-router <path>   also this program; likewise --hive-router
  --only <names>           scenarios whose names begin with one of these, separated by commas
  --rounds <n>             how often everything is measured (3)
  --seconds <n>            how long one scenario is measured (1.5), after half of it to warm up
  --write                  write tables and chart into docs/performance.md and docs/performance.svg
`

/**
 * Reads the options. Null if help was asked for. Throws a TypeError for an unknown option, and a RangeError
 * for a wrong value.
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      peers: { type: 'boolean', default: false },
      'apollo-router': { type: 'string' },
      'hive-router': { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1.5' },
      write: { type: 'boolean', default: false },
    },
  })
  if (values.help === true) return null
  const natives = Object.keys(NATIVE).flatMap((name) => {
    const option = name as NativeName
    const path = values[option]
    return path === undefined ? [] : [nativeGateway(option, existing(option, path))]
  })
  const scenarios = scenariosNamed(values.only?.split(',') ?? [])
  if (scenarios.length === 0) {
    const known = SCENARIOS.map(({ id }) => id).join(', ')
    throw new RangeError(`--only ${values.only}: there is no such scenario. Expected beginnings of: ${known}`)
  }
  const measuredMs = positive('--seconds', values.seconds) * 1000
  return {
    gateways: [switchyard, stitching, ...(values.peers ? [hiveGateway, apolloGateway] : []), ...natives],
    peers: values.peers,
    scenarios,
    rounds: Math.ceil(positive('--rounds', values.rounds)),
    measuredMs,
    warmUpMs: measuredMs / 2,
    write: values.write,
  }
}

function existing(option: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path
  throw new RangeError(`--${option} ${path}: there is no such file. Expected the path of the program`)
}

function positive(option: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new RangeError(`${option} ${text}: expected a number above 0`)
}
