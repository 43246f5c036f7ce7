/** The examples of docs/composition-errors.md, and what composing prints of them. */
import { compose, printCompositionErrors } from '../../shared/composition/src/index.ts'

/** An error with schemas that cause it, and the schemas that mend it. */
export type Example = {
  readonly code: string
  /** The text that stands on the page as the printed error. */
  readonly printed: string | undefined
  /** SDL by the names of subgraphs. */
  readonly bad: ReadonlyMap<string, string>
  /** The schemas that are changed; none in the second part of the page, which is short. */
  readonly mended: ReadonlyMap<string, string>
  readonly isShort: boolean
}

const SECTION = /^(?=#{2,3} [A-Z])/m
const HEADING = /^(#{2,3}) ([A-Z_]+)\n/
const PRINTED = /^```text\n([^]*?)\n```$/m

/** The examples of the page, each below the heading with its code. */
export function readExamples(page: string): readonly Example[] {
  return page.split(SECTION).flatMap((text) => {
    const [, level, code] = HEADING.exec(text) ?? []
    if (code === undefined) return []
    const [before = '', after = ''] = text.split(/^```text\n[^]*?^```$/m)
    return {
      code,
      printed: PRINTED.exec(text)?.[1],
      bad: schemasIn(before),
      mended: schemasIn(after),
      isShort: level === '###',
    }
  })
}

/** By subgraph; the first line of an example has its file. */
function schemasIn(text: string): ReadonlyMap<string, string> {
  const blocks = text.matchAll(/^```graphql\n# (\S+)\.graphql\n([^]*?)^```$/gm)
  return new Map([...blocks].map(([, name = '', sdl = '']) => [name, sdl]))
}

/** The result of composing these schemas with `--strict`, which refuses hints that become errors. */
export function composeExample(schemas: ReadonlyMap<string, string>) {
  return compose({
    subgraphs: [...schemas].map(([name, sdl]) => ({ name, routingUrl: 'http://localhost/', sdl })),
    isStrict: true,
  })
}

/** The errors of schemas, as they are printed. */
export function printExample(schemas: ReadonlyMap<string, string>): string {
  const result = composeExample(schemas)
  const sources = new Map([...schemas].map(([name, sdl]) => [name, { sdl, file: `${name}.graphql` }]))
  return printCompositionErrors(result.kind === 'failed' ? result.errors : [], sources)
}

/** Returns the page with the errors as they are printed now. */
export function withPrintedErrors(page: string): string {
  const printed = readExamples(page).map(({ bad }) => printExample(bad))
  let next = 0
  return page.replaceAll(new RegExp(PRINTED, 'gm'), () => `\`\`\`text\n${printed[next++] ?? ''}\n\`\`\``)
}
