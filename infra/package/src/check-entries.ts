/** Checks that files of the bundle which start something are loaded only to start it. */
import { relative } from 'node:path'
import { ROOT } from './programs.ts'

/** A file of the bundle, as the bundler describes it. */
export type WrittenChunk = {
  readonly fileName: string
  /** True if the file starts a program or a thread as soon as it is loaded. */
  readonly isEntry: boolean
  /** Files of the bundle that it loads at once, and those that it may load later. */
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  /** Paths of the modules in it. */
  readonly moduleIds: readonly string[]
}

/**
 * Throws if a file of the bundle imports one that starts a program or a thread: it would start it, too. The
 * bundler writes such an import where an entry holds a module that is also exported by a package which
 * another program imports as a whole.
 */
export function checkEntries(chunks: readonly WrittenChunk[]): void {
  const entries = new Map(chunks.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.fileName, chunk]))
  const wrong = chunks.flatMap(({ fileName, imports, dynamicImports, moduleIds }) =>
    [...imports, ...dynamicImports].flatMap((imported) => {
      const entry = entries.get(imported)
      return entry === undefined ? [] : [describeImport(fileName, moduleIds, entry)]
    }),
  )
  if (wrong.length > 0) throw new Error(`The bundle is not right: ${wrong.join('\n')}`)
}

function describeImport(fileName: string, importing: readonly string[], entry: WrittenChunk): string {
  const list = (modules: readonly string[]): string => modules.map((id) => relative(ROOT, id)).join(', ')
  return (
    `${fileName} (${list(importing) || 'exports of a package'}) imports ${entry.fileName}, which starts a program or a thread as soon as it is loaded. ` +
    `Expected that it imports only the modules that it needs, by a path of their own in "exports" of their package; ${entry.fileName} holds ${list(entry.moduleIds)}.`
  )
}
