/**
 * One script from the page's modules: their types are stripped as Node strips them, each becomes a function that returns
 * its exports, and they are put in order. So there is nothing to build, and the modules stay what a bundler takes as well.
 *
 * Only the forms of import and export that these modules use are known; any other is an error, and a test makes the script.
 */
import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'

const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*'([^']+)'\s*;?[ ]*$/gm
const EXPORT = /^export (?=(?:async )?function\s+(\w+)|(?:const|class)\s+(\w+))/gm
const OTHER = /^\s*(?:import|export)\b.*$/m

export function linkModules(entry: string): string {
  const names = new Map<string, string>()
  const parts: string[] = []
  const visit = (file: string): string => {
    const known = names.get(file)
    if (known !== undefined) return known
    const require = createRequire(file)
    const exported: string[] = []
    const source = stripTypeScriptTypes(readFileSync(file, 'utf8'))
      .replace(IMPORT, (_, imported: string, specifier: string) => {
        const members = imported.replaceAll(/(\w+)\s+as\s+(\w+)/g, '$1: $2').trim()
        return `const { ${members} } = ${visit(require.resolve(specifier))}`
      })
      .replace(EXPORT, (_, called?: string, other?: string) => {
        exported.push(called ?? other ?? '')
        return ''
      })
    const unknown = OTHER.exec(source)
    if (unknown !== null) {
      throw new TypeError(
        `${file} has a form of import or export that a page cannot take: ${unknown[0].trim()}`,
      )
    }
    const name = `module${names.size}`
    names.set(file, name)
    parts.push(`const ${name} = (() => {\n${source}\nreturn { ${exported.join(', ')} }\n})()`)
    return name
  }
  visit(entry)
  return `'use strict'\n${parts.join('\n')}\n`
}
