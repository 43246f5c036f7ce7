/** Links between the pages of this repository lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...['docs', 'docs/adr', 'shared/contracts', 'infra/hunt'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
]

const read = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')

/** Names of headings in links, as GitHub makes them, and ids of `<a>` for names that headings had before. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set([...read(page).matchAll(/^<a id="([^"]+)">/gm)].map(([, id = '']) => id))
  for (const [, heading = ''] of read(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const name = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
    let unique = name
    for (let count = 1; anchors.has(unique); count++) unique = `${name}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/** Whether a link of `page` leads somewhere. Links to other sites are not followed. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
  if (!existsSync(join(ROOT, target))) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor)
}

describe('links', () => {
  it.each(pages)('of %s lead to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => link)
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(local.filter((link) => !leadsSomewhere(page, link))).toEqual([])
  })
})
