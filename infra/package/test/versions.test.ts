import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { locateFiles } from '../src/locate-files.ts'
import { ROOT } from '../src/programs.ts'
import { thirdParties } from '../src/third-party.ts'
import { writtenVersions } from '../src/versions.ts'

describe('the version of Switchyard', () => {
  const versions = writtenVersions()
  const version = versions.find(({ file }) => file === 'package.json')?.version

  it('is that of package.json, wherever it is repeated', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(versions.length).toBeGreaterThan(50)
    expect(versions.filter((written) => written.version !== version)).toEqual([])
    for (const name of ['Dockerfile', 'Chart.yaml', 'router.yaml', 'cli/package.json'])
      expect(
        versions.some(({ file }) => file.endsWith(name)),
        name,
      ).toBe(true)
  })

  it('stands in the changes', () => {
    expect(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`)
  })
})

describe('addresses of files in the bundle', () => {
  const file = join(ROOT, 'services/router/src/planning/planning-threads.ts')

  it('are those of what the package holds', () => {
    const code = "new Worker(new URL('./planning-worker.ts', import.meta.url))"
    expect(locateFiles(code, file)).toBe("new Worker(new URL('./planning-worker.js', import.meta.url))")
  })

  it('of anything else stop the build', () => {
    expect(() => locateFiles("new URL('./other.ts', import.meta.url)", file)).toThrow(
      'services/router/src/planning/planning-threads.ts names the file services/router/src/planning/other.ts, which is not in the package',
    )
  })
})

describe('packages of others', () => {
  it('with a licence that nobody has read stop the build', () => {
    const known = join(ROOT, 'infra/package/node_modules/rolldown')
    expect(thirdParties([], () => known).map(({ name, licence }) => [name, licence])).toEqual([
      ['rolldown', 'MIT'],
    ])
    expect(() => thirdParties([], () => join(ROOT, 'docs'))).toThrow(
      'has the licence "", which third-party.ts does not know',
    )
  })
})
