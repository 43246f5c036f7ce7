/** `main.ts [live|ready]`: exit code 0 when the service of this machine answers that it is, else 1. */
import { say } from '../text/printable.ts'
import { checkHealth, HEALTH_CHECKS, healthAddress } from './check-health.ts'

const asked = process.argv[2] ?? 'ready'
const check = HEALTH_CHECKS.find((name) => name === asked)
const address = healthAddress(process.env)
if (check === undefined || address === null) {
  say(
    'stderr',
    check === undefined
      ? `Usage: main.ts [${HEALTH_CHECKS.join('|')}]\n`
      : 'SWITCHYARD_PORT is not the port of a service: expected a number from 1 to 65535.\n',
  )
  process.exitCode = 2
} else {
  const { ok, text } = await checkHealth(check, address)
  say('stdout', `${text}\n`)
  process.exitCode = ok ? 0 : 1
}
