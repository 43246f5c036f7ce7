/**
 * `node infra/demo/src/switch-subgraph.ts products-next fail`: makes a subgraph of the demo fail, until
 * `… products-next mend`. It runs where the subgraph runs: in its container, or beside `make demo`.
 */
import { say } from '@switchyard/service-kit'
import { SWITCH_PATHS, type SwitchPosition } from './failing.ts'
import { DemoError, readSettings } from './settings.ts'
import { DEMO_SERVERS, type DemoServerName } from './subgraphs.ts'

const SAYS: Readonly<Record<SwitchPosition, (name: string) => string>> = {
  fail: (name) => `The subgraph ${name} answers every request with status 500 from now on.`,
  mend: (name) => `The subgraph ${name} answers again.`,
}

try {
  say('stdout', `${await switchSubgraph(process.argv.slice(2))}\n`)
} catch (error) {
  if (!(error instanceof DemoError)) throw error
  say('stderr', `demo: ${error.message}\n`)
  process.exitCode = 1
}

async function switchSubgraph([name = '', position = '']: readonly string[]): Promise<string> {
  if (!isServer(name) || !isPosition(position)) {
    throw new DemoError(
      `"${name} ${position}" was given; expected one of ${DEMO_SERVERS.join(', ')}, and "fail" or "mend".`,
    )
  }
  const { ports } = readSettings([], process.env)
  const url = `http://127.0.0.1:${ports[name]}${SWITCH_PATHS[position]}`
  const answer = await fetch(url, { method: 'POST' }).catch((error: unknown) => {
    throw new DemoError(`${url} does not answer: ${String(error)}. The subgraph has to run on this machine.`)
  })
  if (!answer.ok) throw new DemoError(`${url} answered with status ${answer.status}.`)
  return SAYS[position](name)
}

function isServer(text: string): text is DemoServerName {
  return DEMO_SERVERS.some((name) => name === text)
}

function isPosition(text: string): text is SwitchPosition {
  return text in SWITCH_PATHS
}
