/**
 * Host names that programs know, and that can be taken from them: each program runs in a mount namespace in
 * which /etc/hosts and /etc/resolv.conf are files of ours. Whatever looks a name up asks there, as ever.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const NATS_HOST = 'nats.switchyard.test'
export const REDIS_HOST = 'redis.switchyard.test'

/** A resolver at whose address nobody answers. */
const RESOLVER = 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n'
const ENTER = 'mount --bind "$1" /etc/hosts && mount --bind "$2" /etc/resolv.conf && shift 2 && exec "$@"'

let reason: string | null | undefined

/** Why this cannot be done here, or null. */
export function namesMissing(): string | null {
  reason ??= tryToEnter()
  return reason
}

function tryToEnter(): string | null {
  const command = ['--mount', 'sh', '-c', ENTER, 'sh', '/etc/hosts', '/etc/resolv.conf', 'true']
  const { error, status, stderr } = spawnSync('unshare', command, { encoding: 'utf8' })
  if (error !== undefined) return 'unshare is not on this machine'
  return status === 0 ? null : `no mount namespace can be had here: ${stderr.trim()}`
}

export class Names {
  readonly #hosts: string
  readonly #resolver: string

  constructor(folder: string) {
    this.#hosts = join(folder, 'hosts')
    this.#resolver = join(folder, 'resolv.conf')
    writeFileSync(this.#resolver, RESOLVER)
    this.restore()
  }

  /** The words before the command of a program that give it its own names. See Program. */
  get launcher(): readonly string[] {
    return ['unshare', '--mount', 'sh', '-c', ENTER, 'sh', this.#hosts, this.#resolver]
  }

  /** Takes the names away. The file is written in place, since programs have mounted this very file. */
  take(): void {
    writeFileSync(this.#hosts, '127.0.0.1 localhost\n')
  }

  restore(): void {
    writeFileSync(this.#hosts, `127.0.0.1 localhost ${NATS_HOST} ${REDIS_HOST}\n`)
  }
}
