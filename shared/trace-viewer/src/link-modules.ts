/**
 * Makes one script of the modules of a page, so that the page needs no other file.
 *
 * Browsers run no TypeScript, and a page that is one file cannot import modules. So the types are removed, as
 * Node.js does when it runs a module, and each module becomes a function that is called once and returns its
 * exports:
 *
 *     import { twice } from './twice.ts'        const module0 = (() => { … return { twice } })()
 *     twice(4)                             →    const module1 = (() => { const { twice } = module0; twice(4)
 *     … })()
 *
 * A module comes after the modules that it imports. Only named imports, and exports in front of a
 * declaration, are known; any other form throws. Why this is no bundler: docs/adr/0044.
 */
import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'

const NAMED_IMPORT = /^import\s*\{([^}]*)\}\s*from\s*'([^']+)'\s*;?[ ]*$/gm
const EXPORTED_DECLARATION = /^export (?=(?:(?:async )?function|const|class)\s+(\w+))/gm
const OTHER_FORM = /^\s*(?:import|export)\b.*$/m

/**
 * The script of the module in the file `entry` and of all that it imports. Throws a TypeError that names an
 * unknown form.
 */
export function linkModules(entry: string): string {
  const variables = new Map<string, string>()
  const script = ["'use strict'"]
  const link = (file: string): string => {
    const linked = variables.get(file)
    if (linked !== undefined) return linked
    const exported: string[] = []
    const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
      .replace(NAMED_IMPORT, (_, names: string, specifier: string) => {
        const pattern = names.replaceAll(/(\w+)\s+as\s+(\w+)/g, '$1: $2').trim()
        return `const { ${pattern} } = ${link(createRequire(file).resolve(specifier))}`
      })
      .replace(EXPORTED_DECLARATION, (_, name: string) => {
        exported.push(name)
        return ''
      })
    const [unknown] = OTHER_FORM.exec(code) ?? []
    if (unknown !== undefined)
      throw new TypeError(`${file} has a form of import or export that a page cannot take: ${unknown.trim()}`)
    const variable = `module${variables.size}`
    variables.set(file, variable)
    script.push(`const ${variable} = (() => {\n${code}\nreturn { ${exported.join(', ')} }\n})()`)
    return variable
  }
  link(entry)
  return `${script.join('\n')}\n`
}
