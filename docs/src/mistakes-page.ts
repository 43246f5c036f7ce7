/**
 * The page docs/composition-mistakes.md: mistakes, with the messages of a composition library and ours.
 * The library's messages are kept in a file, since nothing depends on the library.
 */
import { readFileSync } from 'node:fs'
import { compose, printCompositionErrors } from '../../shared/composition/src/index.ts'
import { LINK, MISTAKES, type Mistake } from './mistakes.ts'

type Messages = Readonly<Record<string, readonly string[]>>

const HEAD = `# Mistakes and messages

Mistakes that people make in subgraphs: what \`@theguild/federation-composition\` 0.27.0 says of each, and what Switchyard says. Our messages
name the cause, the places in every subgraph, and what to change. The sentences are those of the catalogue in \`shared/composition\`;
[errors.md](errors.md#compositions) has all codes, and [composition-errors.md](composition-errors.md) shows how to mend the most frequent
ones.

A schema without a \`@link\` of its own begins with this one:

\`\`\`graphql
${LINK}
\`\`\`
`

/** The whole page. */
export function mistakesPage(): string {
  const messages: Messages = JSON.parse(
    readFileSync(new URL('library-messages.json', import.meta.url), 'utf8'),
  )
  return [HEAD, ...MISTAKES.map((one) => section(one, messages[one.title] ?? []))].join('\n')
}

/** The result of composing the schemas of a mistake. */
export function composeMistake({ subgraphs }: Mistake) {
  return compose({
    subgraphs: Object.entries(subgraphs).map(([name, sdl]) => ({
      name,
      routingUrl: 'http://localhost/',
      sdl: wholeSdl(sdl),
    })),
  })
}

function wholeSdl(sdl: string): string {
  return sdl.startsWith('extend schema') ? sdl : `${LINK}\n${sdl}`
}

function section(mistake: Mistake, messages: readonly string[]): string {
  const schemas = Object.entries(mistake.subgraphs).map(([name, sdl]) => `# ${name}.graphql\n${sdl}`)
  const result = composeMistake(mistake)
  const sources = new Map(
    Object.entries(mistake.subgraphs).map(([name, sdl]) => [
      name,
      { sdl: wholeSdl(sdl), file: `${name}.graphql` },
    ]),
  )
  const printed = printCompositionErrors(result.kind === 'failed' ? result.errors : [], sources)
  return `## ${mistake.title}

\`\`\`graphql
${schemas.join('\n\n')}
\`\`\`

The library:

\`\`\`text
${messages.join('\n\n')}
\`\`\`

Switchyard:

\`\`\`text
${printed}
\`\`\`
`
}
