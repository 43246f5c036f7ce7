/** The ports and the data directory of the demo. Ports are fixed, but a variable can change each. */
import { DEMO_SERVERS } from './subgraphs.ts'
import type { DemoServerName } from './subgraphs.ts'

export type PortName = 'router' | 'registry' | DemoServerName

export type DemoSettings = {
  /** Set up, verify, stop. */
  readonly check: boolean
  readonly host: string
  /** The port of each program. 0 means any free port. */
  readonly ports: Readonly<Record<PortName, number>>
}

const DEFAULT_PORTS: Readonly<Record<PortName, number>> = {
  router: 4000,
  registry: 4100,
  products: 4101,
  inventory: 4102,
  reviews: 4103,
  accounts: 4104,
  'products-next': 4201,
}

export const PORT_NAMES: readonly PortName[] = ['router', 'registry', ...DEMO_SERVERS]

/** The variable that moves a port: `SWITCHYARD_DEMO_PRODUCTS_NEXT_PORT`. */
export function portVariable(name: PortName): string {
  return `SWITCHYARD_DEMO_${name.toUpperCase().replaceAll('-', '_')}_PORT`
}

/** An error of the person who started the demo, in words for that person. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
  readonly code = 'DEMO_FAILED'
}

export function readSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DemoSettings {
  const unknown = args.filter((word) => word !== '--check')
  if (unknown.length > 0) {
    throw new DemoError(`The demo does not know ${unknown.join(' ')}; it takes --check and nothing else.`)
  }
  const ports = { ...DEFAULT_PORTS }
  for (const name of PORT_NAMES) {
    const text = env[portVariable(name)] ?? ''
    if (text === '') continue
    const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
    if (!(port <= 65_535)) {
      throw new DemoError(
        `${portVariable(name)} is "${text}"; a port from 0 to 65535 was expected (0 = any free one).`,
      )
    }
    ports[name] = port
  }
  return { check: args.includes('--check'), host: '127.0.0.1', ports }
}
