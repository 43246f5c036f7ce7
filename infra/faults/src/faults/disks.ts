/** Faults in which the disk of a program or server is full. */
import type { Fault } from '../fault.ts'
import { isServed } from '../run/fresh-publish.ts'
import { disksMissing } from '../world/disks.ts'

const FULL_MS = 5000

export const natsDiskFull: Fault = {
  name: 'disk full: NATS',
  done: 'no room on the disk of the logs for 5 s; then there is, and NATS is started again, since it writes to logs no more after that',
  why: 'What cannot be stored is not acknowledged: commands get 503. Queries ask nothing of the logs. Reading them goes on.',
  missing: disksMissing,
  begin: ({ disks }) => disks.fill('nats'),
  lasts: FULL_MS,
  end: async ({ disks, nats }) => {
    await disks.clear('nats')
    await nats.restart()
  },
  healsWithin: 30_000,
}

export const routerDiskFull: Fault = {
  name: 'disk full: router',
  done: 'no room on the disk of the last-known-good copy of one router, for 5 s',
  why: 'It serves what is new all the same, and logs that it could not be kept (`config.last-known-good-not-written`). The copy from before stays whole.',
  missing: disksMissing,
  begin: ({ disks }) => disks.fill('router-0'),
  lasts: FULL_MS,
  during: isServed(30_000),
  end: ({ disks }) => disks.clear('router-0'),
  healsWithin: 30_000,
}

export const registryDiskFull: Fault = {
  name: 'disk full: registry',
  done: 'no room on the disk of the file of private trace keys, while a key is to be made',
  why: 'Only that file is on a disk of a registry. The key is not made, and nobody is told that it was; everything else goes on.',
  missing: disksMissing,
  begin: ({ disks }) => disks.fill('registry'),
  lasts: 500,
  during: async ({ system }) => {
    const before = await system.manage('GET', '/v1/trace-keys')
    const refused = await system.manage('POST', '/v1/trace-keys', {})
    if (refused.body['code'] !== 'TRACE_KEY_FILE_UNUSABLE')
      throw new Error(`a trace key was made: ${JSON.stringify(refused)}`)
    const now = await system.manage('GET', '/v1/trace-keys')
    if (JSON.stringify(now.body) !== JSON.stringify(before.body))
      throw new Error(`a key without its private half was announced: ${JSON.stringify(now.body)}`)
  },
  end: ({ disks }) => disks.clear('registry'),
  after: async ({ system }) => {
    const made = await system.manage('POST', '/v1/trace-keys', {})
    if (made.status >= 300) throw new Error(`no trace key can be made: ${JSON.stringify(made)}`)
  },
  healsWithin: 30_000,
}
