/**
 * Annotations of GitHub Actions: workflow commands in the output of a step, which mark lines of files in a
 * pull request.
 *
 *     ::error file=products.graphql,line=3,col=5,title=FIELD_REMOVED::Field 'price' was removed
 */
import { randomBytes } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { printableText } from '@switchyard/service-kit/printable'
import type { CliContext } from '../run/context.ts'

/** A remark that GitHub shows at a line of a file, or at the step. */
export type Annotation = {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
  /** Absent if the annotation belongs to the step, not to a file. */
  readonly at?: {
    /** The path of the file as the user wrote it, relative to the folder the user is in. */
    readonly file: string
    readonly line: number
    readonly column: number
    /** UTF-16 units. */
    readonly length?: number | undefined
  }
}

/** Text for people and annotations, as the output of a step. */
export function printForGitHub(
  text: string,
  annotations: readonly Annotation[],
  context: Pick<CliContext, 'cwd' | 'env'>,
): string {
  const lines = annotations.map((annotation) => printAnnotation(annotation, context))
  // What is taken out must not make a command of the rest.
  const shown = printableText(text)
  return [...(shown === '' ? [] : withoutCommands(shown)), ...lines].map((line) => `${line}\n`).join('')
}

/** Names and messages come from schemas of many teams: a line of theirs must not become a command. */
function withoutCommands(text: string): readonly string[] {
  if (!/^\s*::|##\[/m.test(text)) return [text]
  const token = randomBytes(16).toString('hex')
  return [`::stop-commands::${token}`, text, `::${token}::`]
}

function printAnnotation(
  { level, title, message, at }: Annotation,
  context: Pick<CliContext, 'cwd' | 'env'>,
): string {
  const properties = {
    ...(at === undefined
      ? {}
      : {
          file: pathInRepository(at.file, context),
          line: at.line,
          col: at.column,
          ...(at.length === undefined ? {} : { endColumn: at.column + at.length }),
        }),
    title,
  }
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${level} ${list.join(',')}::${escapeData(message)}`
}

/** GitHub counts from the root of the checkout. */
function pathInRepository(file: string, { cwd, env }: Pick<CliContext, 'cwd' | 'env'>): string {
  const root = env['GITHUB_WORKSPACE'] ?? ''
  if (root === '') return file
  const path = relative(root, resolve(cwd, file))
  return path === '' || path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll(sep, '/')
}

function escapeData(text: string): string {
  return printableText(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
