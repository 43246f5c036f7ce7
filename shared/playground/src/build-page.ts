/** Builds the page into `dist`, which the router serves. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { ASSETS } from './page-files.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Files of all modules that are in the page. */
export async function buildPage(): Promise<readonly string[]> {
  const folder = at('../dist')
  const modules = new Set<string>()
  const collector: Plugin = {
    name: 'switchyard-modules',
    transform: (_, id) => {
      modules.add(id.replace(/\?.*$/, ''))
      return null
    },
  }
  await build({
    root: at('./page'),
    configFile: false,
    // The page may lie below a base path: everything is named from where it is.
    base: './',
    logLevel: 'warn',
    plugins: [collector],
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: ASSETS,
      // The editor is one large program.
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        // A slow build is no mistake.
        checks: { bundlerTimings: false },
        onLog: (level, log) => {
          // `"use client"` in libraries concerns servers that render React, of which there is none.
          const isDirective = log.code?.endsWith('DIRECTIVE') === true
          if (level === 'warn' && !isDirective) throw new Error(log.message)
        },
      },
    },
    worker: { format: 'es', plugins: () => [collector] },
  })
  compress(folder)
  return [...modules]
}

/** Once, so that no router does it for each browser. */
function compress(folder: string): void {
  const names = ['index.html', ...readdirSync(join(folder, ASSETS)).map((name) => join(ASSETS, name))]
  for (const name of names) {
    const file = join(folder, name)
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
  }
}
