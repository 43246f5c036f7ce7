/** Describes the machine and the programs of a run. */
import { spawnSync } from 'node:child_process'
import { machine } from '@switchyard/lab'
import { natsVersions } from '@switchyard/testkit'

export function machineFacts(command = 'make faults'): string {
  const nats = natsVersions().at(-1)?.version ?? versionOf('nats-server', '--version')
  const redis = versionOf('redis-server', '--version')
  return `\`${command}\` on ${machine([`NATS ${nats}`, `Redis ${redis}`])}`
}

function versionOf(program: string, argument: string): string {
  const { stdout, error } = spawnSync(program, [argument], { encoding: 'utf8' })
  return error === undefined ? (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'of an unknown version') : 'is not here'
}
