/** The commands that the pages show in fences of `sh`, in order. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** All pages for users, as paths from the checkout. docs/cli.md is written from the command line itself. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'cli.md')
    .map((name) => `docs/${name}`),
  'infra/package/PACKAGE.md',
  'infra/helm/switchyard/README.md',
]

/** Commands of a page without their comments; one that goes on in the next line is one. */
export function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const fences = [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, commands = '']) => commands)
  return fences.flatMap((commands) =>
    commands
      .replaceAll('\\\n', '\\\n\0')
      .split(/\n(?!\0)/)
      .map((command) =>
        command
          .replaceAll('\0', '')
          .replace(/\s+# .*$/, '')
          .trim(),
      )
      .filter((command) => command !== '' && !command.startsWith('#')),
  )
}

/** The first fence of this language on a page; the empty language is that of a fence that names none. */
export function fenceOf(page: string, language: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const fences = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
  return fences.find(([, named]) => named === language)?.[2] ?? ''
}
