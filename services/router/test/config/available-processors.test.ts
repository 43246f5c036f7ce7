import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { availableProcessors } from '../../src/settings/available-processors.ts'

const V1 = '/sys/fs/cgroup/cpu/cpu.cfs_'
const files = (texts: Readonly<Record<string, string>>) => (path: string) => texts[path] ?? null

describe('the processors that a process may keep busy', () => {
  it.each([
    ['no control group', {}, 8],
    ['no limit', { '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, 8],
    ['a limit of four', { '/sys/fs/cgroup/cpu.max': '400000 100000\n' }, 4],
    ['a limit that is no whole number', { '/sys/fs/cgroup/cpu.max': '350000 100000' }, 3],
    ['less than one', { '/sys/fs/cgroup/cpu.max': '25000 100000' }, 1],
    ['more than there are', { '/sys/fs/cgroup/cpu.max': '6400000 100000' }, 8],
    ['a limit of version 1', { [`${V1}quota_us`]: '200000\n', [`${V1}period_us`]: '100000\n' }, 2],
    ['no limit of version 1', { [`${V1}quota_us`]: '-1', [`${V1}period_us`]: '100000' }, 8],
    ['something else', { '/sys/fs/cgroup/cpu.max': 'half' }, 8],
  ])('are counted with %s', (_, texts: Readonly<Record<string, string>>, expected) => {
    expect(availableProcessors(files(texts), 8)).toBe(expected)
  })

  it('are between one and those of the machine', () => {
    expect(availableProcessors()).toBeGreaterThanOrEqual(1)
    expect(availableProcessors()).toBeLessThanOrEqual(availableParallelism())
  })
})
