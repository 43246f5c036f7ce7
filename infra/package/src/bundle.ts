/** The programs as JavaScript that Node.js 22 runs, with all that they import in them. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageParts } from '@switchyard/trace-viewer/page-parts'
import { build, type Plugin } from 'rolldown'
import { checkEntries } from './check-entries.ts'
import { lightHttp } from './light-http.ts'
import { locateFiles } from './locate-files.ts'
import { ENTRIES, OLDEST_NODE, ROOT } from './programs.ts'

/** Node.js 22 has no DisposableStack; where there is one, nothing is changed. */
const POLYFILLS = ['disposable-stack', 'async-disposable-stack']
const TARGET = `node${OLDEST_NODE}`

/** Files of all modules in the bundle. */
export async function bundle(folder: string): Promise<readonly string[]> {
  const { output } = await build({
    input: Object.fromEntries(ENTRIES),
    platform: 'node',
    transform: { target: TARGET },
    resolve: { conditionNames: ['node', 'import', 'module-sync', 'default'] },
    plugins: [sources(), lightHttp()],
    // A slow build is no mistake.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The bundle is not right: ${log.message}`)
    },
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[hash].js',
      // What fails prints the line in which it did: lines stay lines, and need no source map.
      minify: false,
    },
  })
  const chunks = output.filter((written) => written.type === 'chunk')
  checkEntries(chunks)
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

function sources(): Plugin {
  const entries = new Set(ENTRIES.values())
  const parts = join(ROOT, 'shared/trace-viewer/src/page-parts.ts')
  return {
    name: 'switchyard-sources',
    load: (id) => (id === parts ? `export const pageParts = () => (${JSON.stringify(pageParts())})` : null),
    transform: (code, id) => {
      if (!id.startsWith(ROOT) || id.includes('/node_modules/')) return null
      const located = locateFiles(code, id)
      const polyfilled = POLYFILLS.map((name) => `import 'core-js/actual/${name}/index.js'\n`).join('')
      return { code: entries.has(id) ? polyfilled + located : located, map: null }
    },
    resolveId: (source) =>
      source.startsWith('core-js/') ? { id: fileURLToPath(import.meta.resolve(source)) } : null,
  }
}
