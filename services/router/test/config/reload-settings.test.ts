/** Which settings take effect while a router runs, and what a reload makes of a file. */
import { describe, expect, it } from 'vitest'
import { NEED_RESTART, needsRestart } from '../../src/config/needs-restart.ts'
import { loadSettings, reloadSettings } from '../../src/config/reload-settings.ts'
import { RouterSettings } from '../../src/config/settings.ts'

type Schema = { readonly properties?: Readonly<Record<string, Schema>> }

function leaves({ properties }: Schema, path: readonly string[] = []): readonly string[] {
  if (properties === undefined) return [path.join('.')]
  return Object.entries(properties).flatMap(([key, member]) => leaves(member, [...path, key]))
}

const ALL = leaves(RouterSettings.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Schema)
const isBelow = (leaf: string, name: string) => leaf === name || leaf.startsWith(`${name}.`)
const file = (text: string) => ({ file: { path: 'router.yaml', text } })
const reloaded = (before: string, after: string) =>
  reloadSettings(loadSettings(file(before)).settings, file(after))

describe('every setting', () => {
  it('that needs a restart keeps its value together with all settings below it', () => {
    for (const leaf of ALL)
      expect(needsRestart(leaf.split('.')), leaf).toBe(NEED_RESTART.some((name) => isBelow(leaf, name)))
    expect(ALL.filter((leaf) => needsRestart(leaf.split('.'))).length).toBeGreaterThan(12)
  })
})

describe('a reload', () => {
  it('takes what may change, keeps what needs a restart, and tells of both by name', () => {
    const { config, changed, needRestart } = reloaded(
      'port: 4000\nlimits: { max_depth: 5 }\ntraffic: { headers_timeout: 1s }',
      'port: 5000\nlimits: { max_depth: 6, max_header_size: 1KiB }\ntraffic: { headers_timeout: 2s, share_inflight: false }',
    )
    expect(changed).toEqual(['limits.max_depth', 'traffic.share_inflight'])
    expect(needRestart).toEqual(['port', 'limits.max_header_size', 'traffic.headers_timeout'])
    expect([config.port, config.limits.depth, config.limits.headerSize]).toEqual([4000, 6, 32 * 1024])
    expect([config.traffic.headersTimeout, config.traffic.shareInflight]).toEqual([1000, false])
  })

  it('keeps settings that need a restart where only one of the files has them', () => {
    const tls = 'tls: { cert_file: a.pem, key_file: b.pem }'
    expect(reloaded('', tls).config.tls).toBe(null)
    expect(reloaded(tls, '').config.tls).toMatchObject({ reloadInterval: 30_000 })
    expect(reloaded(tls, '').needRestart).toEqual(['tls.cert_file', 'tls.key_file'])
    const late = 'planning: { threads: 3 }'
    expect(reloaded('', late).needRestart).toEqual(['planning.threads'])
    expect(reloaded(late, '').config.planning.threads).toBe(3)
  })

  it('takes what is named by its operator, such as single subgraphs, and lets it go again', () => {
    const own = 'subgraphs: { overrides: { reviews: { timeout: 1s } } }'
    expect(reloaded('', own).config.subgraphs.bySubgraph.get('reviews')?.timeout).toBe(1000)
    expect(reloaded(own, '').config.subgraphs.bySubgraph.size).toBe(0)
    expect(reloaded(own, own)).toMatchObject({ changed: [], needRestart: [] })
  })

  it('refuses settings that are right in the file, and wrong beside those that stay until a restart', () => {
    const published = 'documents: { mode: safelist, published: true }'
    const refused = /documents.published: nobody may use .* takes effect with a restart/s
    expect(() => reloaded(published, '')).toThrow(refused)
    expect(() => reloaded('', published)).toThrow(/documents.mode: safelist needs documents.*a restart/s)
    const both = 'documents: { mode: allow, published: true, manifests: [{ file: a.json }] }'
    const files = 'documents: { mode: allow, manifests: [{ file: a.json }] }'
    expect(reloaded(files, both)).toMatchObject({ needRestart: ['documents.published'] })
    expect(reloaded(files, both).config.documents.published).toBe(false)
  })

  it('refuses a file with the error that would stop a start', () => {
    const broken = 'limits: { max_depht: 6 }'
    const failing = (run: () => unknown) => {
      try {
        run()
      } catch (error) {
        return String(error)
      }
      return null
    }
    expect(failing(() => reloaded('', broken))).toBe(failing(() => loadSettings(file(broken))))
    expect(failing(() => reloaded('', broken))).toContain('did you mean "limits.max_depth"?')
  })
})
