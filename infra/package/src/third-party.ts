/** The packages that a bundle holds pieces of, with their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type ThirdParty = {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** The text of its licence and notice files. If it has none, the licence with the name of its author. */
  readonly text: string
}

type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly author?: string | { readonly name?: string }
}

const TEXTS = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i
/** Licences that our package may pass on. Any other stops the build until somebody has read it. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
])
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
/** The bundler's own code, which joins modules. */
const RUNTIMES = ['rolldown']

/**
 * Returns the packages of all modules in the bundle, by name. `resolve` finds the folder of a package of the
 * build itself.
 */
export function thirdParties(
  modules: readonly string[],
  resolve: (name: string) => string,
): readonly ThirdParty[] {
  const folders = new Set(RUNTIMES.map(resolve))
  for (const file of modules) if (file.includes('/node_modules/')) folders.add(folderOf(file))
  const found = new Map<string, ThirdParty>()
  for (const folder of folders) {
    const { name = '', version = '', license = '', author = '' } = manifestOf(folder)
    if (!ALLOWED.has(license))
      throw new Error(`${name} ${version} has the licence "${license}", which third-party.ts does not know.`)
    found.set(`${name} ${version}`, {
      name,
      version,
      licence: license,
      text: textOf(folder) || textWithoutFile(license, author),
    })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, party]) => party)
}

/** The nearest folder whose package.json names a package; those that only say `"type": "module"` do not. */
function folderOf(file: string): string {
  const folder = dirname(file)
  const { name, version } = manifestOf(folder)
  return name === undefined || version === undefined ? folderOf(folder) : folder
}

function manifestOf(folder: string): Manifest {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}

function textOf(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && TEXTS.test(entry.name),
  )
  return names.map(({ name }) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
}

function textWithoutFile(licence: string, author: Manifest['author']): string {
  if (licence !== 'MIT') throw new Error(`A package has no file with the text of its licence, ${licence}.`)
  const name = typeof author === 'string' ? author : (author?.name ?? '')
  return `The MIT License (MIT)\n\nCopyright (c) ${name === '' ? 'its authors' : name}\n\n${MIT}`
}

export function printThirdParties(parties: readonly ThirdParty[]): string {
  const list = parties.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
  const texts = parties.map(
    ({ name, version, licence, text }) => `${'-'.repeat(78)}\n${name} ${version} (${licence})\n\n${text}\n`,
  )
  return `Switchyard holds code of these packages:\n\n${list.join('\n')}\n\n${texts.join('\n')}`
}
