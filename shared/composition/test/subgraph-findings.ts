/** What the rules for single subgraphs find in schemas. */
import type { CompositionError } from '@switchyard/composition'
import { parse } from 'graphql'
import { parseSdl } from '../src/documents/check-sdl.ts'
import { describeFindings, type DescribedSubgraph } from '../src/findings/describe-findings.ts'
import { inSubgraph, type Finding } from '../src/findings/finding.ts'
import { readModel } from '../src/model/read-model.ts'
import { findByName, findInSubgraph } from '../src/subgraph/rules/index.ts'

/** Errors of all subgraphs. A text that does not parse is reported as the parser does. */
export function errorsIn(sdls: Readonly<Record<string, string>>): readonly CompositionError[] {
  const subgraphs: DescribedSubgraph[] = []
  const findings: Finding[] = []
  const unparsed: CompositionError[] = []
  for (const [name, sdl] of Object.entries(sdls)) {
    const parsed = parseSdl(sdl, name)
    if (parsed.kind === 'invalid') {
      for (const { line, column, length, message } of parsed.problems)
        unparsed.push({
          code: 'INVALID_GRAPHQL',
          message: `[${name}] ${message}`,
          subgraphs: [name],
          locations: [{ subgraph: name, line, column, length }],
        })
      continue
    }
    const document = parse(sdl, { noLocation: true })
    const position = subgraphs.push({ name, sdl, document }) - 1
    const model = readModel(document)
    const found = [...findInSubgraph(model), ...findByName(model, new Set([name]))]
    findings.push(...found.map((one) => inSubgraph(one, position)))
  }
  return [...unparsed, ...describeFindings(findings, subgraphs)]
}
