/** Describes the machine and the programs of a run, without a date, so that equal runs give equal pages. */
import { spawnSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'
import { natsVersions } from '@switchyard/testkit'

const GIB = 1024 ** 3

export function machineFacts(command = 'make faults'): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPUs'
  const memory = `${Math.round(totalmem() / GIB)} GiB`
  const programs = [
    `Node.js ${process.versions.node}`,
    `NATS ${natsVersions().at(-1)?.version ?? versionOf('nats-server', '--version')}`,
    `Redis ${versionOf('redis-server', '--version')}`,
  ]
  return `\`${command}\` on ${cpus().length} CPUs (${model}), ${memory}, ${type()} ${release()}; ${programs.join(', ')}.`
}

function versionOf(program: string, argument: string): string {
  const { stdout, error } = spawnSync(program, [argument], { encoding: 'utf8' })
  return error === undefined ? (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'of an unknown version') : 'is not here'
}
