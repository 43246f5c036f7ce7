/** The examples of docs/composition-errors.md, and what composing prints of them. */
import { HINTS } from '../../shared/composition/src/catalogue/hints.ts'
import { compose, printCompositionErrors, printCompositionHints } from '../../shared/composition/src/index.ts'

/** An error with schemas that cause it, and the schemas that mend it. A hint needs no mending. */
export type Example = {
  readonly code: string
  /** The text that stands on the page as the printed error. */
  readonly printed: string | undefined
  /** SDL by the names of subgraphs. */
  readonly bad: ReadonlyMap<string, string>
  /** The schemas that are changed; none in the second part of the page, which is short. */
  readonly mended: ReadonlyMap<string, string>
  readonly isShort: boolean
  readonly isHint: boolean
}

const SECTION = /^(?=#{2,3} [A-Z])/m
const HEADING = /^(#{2,3}) ([A-Z_]+)\n/
const PRINTED = /^```text\n([^]*?)\n?```$/m

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
      isHint: code in HINTS,
    }
  })
}

/** By subgraph; the first line of an example has its file. */
function schemasIn(text: string): ReadonlyMap<string, string> {
  const blocks = text.matchAll(/^```graphql\n# (\S+)\.graphql\n([^]*?)^```$/gm)
  return new Map([...blocks].map(([, name = '', sdl = '']) => [name, sdl]))
}

/** Returns the result of composing these schemas. `--strict` refuses hints that become errors. */
export function composeExample(
  schemas: ReadonlyMap<string, string>,
  { code = '', isHint = false }: Partial<Pick<Example, 'code' | 'isHint'>> = {},
) {
  return compose({
    subgraphs: [...schemas].map(([name, sdl]) => ({ name, routingUrl: 'http://localhost/', sdl })),
    isStrict: !isHint,
    allowUnenforcedAuthorization: code === 'AUTHORIZATION_NOT_ENFORCED',
  })
}

/** Returns the errors or hints of an example, as they are printed. */
export function printExample(example: Example): string {
  const { bad, isHint } = example
  const result = composeExample(bad, example)
  const sources = new Map([...bad].map(([name, sdl]) => [name, { sdl, file: `${name}.graphql` }]))
  if (isHint) return printCompositionHints(result.hints, sources)
  return printCompositionErrors(result.kind === 'failed' ? result.errors : [], sources)
}

/** Returns the page with the errors and hints as they are printed now. */
export function withPrintedErrors(page: string): string {
  const printed = readExamples(page).map(printExample)
  let next = 0
  return page.replaceAll(new RegExp(PRINTED, 'gm'), () => `\`\`\`text\n${printed[next++] ?? ''}\n\`\`\``)
}
