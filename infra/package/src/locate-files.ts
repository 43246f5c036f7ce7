/**
 * Sources find what they start or read by `new URL('./worker.ts', import.meta.url)`. In a bundle all modules
 * lie in one folder under other names, so the address is written anew; one that the package does not hold is
 * an error of the build.
 */
import { dirname, join, relative } from 'node:path'
import { ENTRIES, PAGES, ROOT } from './programs.ts'

const ADDRESS = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g

/** Text of a module in which every such address is that of the bundle. */
export function locateFiles(code: string, file: string): string {
  return code.replaceAll(ADDRESS, (_, written: string) => {
    const target = join(dirname(file), written)
    return `new URL('${addressInBundle(target, file)}', import.meta.url)`
  })
}

function addressInBundle(target: string, file: string): string {
  if (target === join(ROOT, 'package.json')) return '../package.json'
  for (const { built, inPackage } of PAGES) if (target === join(ROOT, built)) return `./${inPackage}`
  for (const [name, source] of ENTRIES) if (source === target) return `./${name}.js`
  throw new Error(
    `${relative(ROOT, file)} names the file ${relative(ROOT, target)}, which is not in the package: add it to programs.ts.`,
  )
}
