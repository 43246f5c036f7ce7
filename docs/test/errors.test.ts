/** docs/errors.md lists every stable error code of the sources, and no code that is gone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DECLARED_CODES, withErrors } from '../src/errors-page.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A quoted name in capitals with at least one underscore is a code of ours … */
const CODE = /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g
/** … and so is a single word that an error class has as its code. */
const CODE_OF_CLASS = /\bcode(?:: string)? = '([A-Z]+)'/g
/**
 * Names of Node.js, of libraries, of the environment, of schema changes, of OpenFeature, of kinds of types,
 * and where GraphQL allows directives.
 */
const FOREIGN =
  /^(?:FST_ERR_|UND_ERR_|HPE_|ERR_|EAI_|SWITCHYARD_|ENGINE_|SUBGRAPHS_|OTEL_|UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_)|^(?:VARIABLE|FRAGMENT|INLINE)_(?:DEFINITION|SPREAD|FRAGMENT)$|^(?:INPUT_OBJECT|NO_COLOR|CSRF_GUARD|INIT_CWD|GITHUB_WORKSPACE|DEV_MODE|FORCE_COLOR|NODE_OPTIONS|NODE_ENV|NODE_COMPILE_CACHE|PARSE_ERROR|TARGETING_MATCH)$|^(?:DIRECTIVE|FIELD_ARGUMENT|INPUT_(?:FIELD|OBJECT))_[A-Z_]+_(?:CHANGED|ADDED|REMOVED)$/

/** Packages that only tests load: the errors in them are made up for subgraphs. */
const OF_TESTS = new Set(['corpus', 'testkit'])

function sourceFiles(): string[] {
  return ['shared', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((name) =>
      OF_TESTS.has(name)
        ? []
        : readdirSync(join(ROOT, group, name, 'src'), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
            .map((entry) => join(entry.parentPath, entry.name)),
    ),
  )
}

function codesIn(text: string): string[] {
  return [...text.matchAll(CODE), ...text.matchAll(CODE_OF_CLASS)]
    .map(([, code = '']) => code)
    .filter((code) => !FOREIGN.test(code))
}

/** Returns all quoted names in capitals. A table that declares codes does not quote them. */
function quotedIn(text: string): string[] {
  return [...text.matchAll(/'([A-Z][A-Z0-9_]*)'/g)].map(([, name = '']) => name)
}

describe('docs/errors.md', () => {
  const inCode = new Set<string>([
    ...DECLARED_CODES.flatMap(([, codes]) => Object.keys(codes)),
    ...sourceFiles().flatMap((file) => codesIn(readFileSync(file, 'utf8'))),
  ])
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  const documented = new Set([...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code = '']) => code))

  it('has what the sources declare (`node docs/src/write-pages.ts`)', () => {
    expect(page).toBe(withErrors(page))
  })
  it('explains every code', () => {
    expect(inCode.size).toBeGreaterThan(50)
    expect([...inCode].filter((code) => !documented.has(code)).toSorted()).toEqual([])
  })
  it('explains no code that is gone', () => {
    expect([...documented].filter((code) => !inCode.has(code)).toSorted()).toEqual([])
  })
  it('has no declared code that no error has', () => {
    const quoted = new Set(sourceFiles().flatMap((file) => quotedIn(readFileSync(file, 'utf8'))))
    const declared = DECLARED_CODES.flatMap(([, codes]) => Object.keys(codes))
    expect(declared.filter((code) => !quoted.has(code))).toEqual([])
  })
  it('gives every code a cause and a remedy', () => {
    const rows = page.split('\n').filter((line) => /^\| `[A-Z]/.test(line))
    expect(rows.filter((row) => !/^\| `[A-Z0-9_]+` \| [^|]{8,} \| [^|]{8,} \|$/.test(row))).toEqual([])
  })
})
