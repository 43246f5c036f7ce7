/** Builds a page into a folder, from which a service sends it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'

export type PageBuild = {
  /** The folder of `index.html`. */
  readonly root: string
  /** The folder into which the page is built. It is emptied first. */
  readonly folder: string
  /** The folder of what the page loads, from there. */
  readonly assets: string
  /** The address of the page's files; `./` where the page may lie below any path. */
  readonly base: string
}

/** Builds the page. Returns the files of all modules that are in it. */
export async function buildPage({ root, folder, assets, base }: PageBuild): Promise<readonly string[]> {
  const modules = new Set<string>()
  const collector: Plugin = {
    name: 'switchyard-modules',
    transform: (_, id) => {
      modules.add(id.replace(/\?.*$/, ''))
      return null
    },
  }
  // Vite asks this variable, and not its mode, whether libraries are to check how they are used.
  process.env['NODE_ENV'] = 'production'
  await build({
    root,
    configFile: false,
    base,
    logLevel: 'warn',
    plugins: [collector],
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: assets,
      // Pages may not load what is written into addresses (`data:`).
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Editors are one large program.
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
  compress(folder, assets)
  return [...modules]
}

/** Compresses all files once, so that no service does it for each browser. */
function compress(folder: string, assets: string): void {
  const names = ['index.html', ...readdirSync(join(folder, assets)).map((name) => join(assets, name))]
  for (const name of names) {
    const file = join(folder, name)
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
  }
}
