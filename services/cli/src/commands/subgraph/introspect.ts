/** `subgraph introspect`: its options; the work is in `introspect/`. */
import { resolve } from 'node:path'
import { localCommand } from '../../command/make-command.ts'
import type { CommandResult } from '../../output/command-result.ts'
import { dataResult, successResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { endpoint, type Headers, headerOption } from '../../command/endpoint-options.ts'
import { SubgraphUnreachable } from '../../run/errors.ts'
import { interruptible } from '../../run/interruptible.ts'
import { defaulted, optional } from '../../command/options.ts'
import { printWarnings } from '../../output/warnings.ts'
import { writeFileAtomically } from '../../files/replace-file.ts'
import { filePath, seconds } from '../../command/value-types.ts'

const NOTES = `Asks for _service { sdl }, which every federation subgraph answers. A GraphQL server without that field is asked by
introspection, which knows nothing of directives that are applied in a schema.`

type Options = {
  readonly header: Headers
  readonly out: string | undefined
  readonly timeout: number
}

export const command = localCommand({
  name: 'introspect',
  argument: { name: 'url', description: 'the GraphQL endpoint of the subgraph', type: endpoint },
  description: 'print the schema of a running subgraph, to be published or kept',
  options: {
    header: headerOption({
      description: 'send this along: "name: value"',
      own: new Set(['connection', 'content-length', 'content-type', 'host', 'transfer-encoding']),
      because: 'it belongs to the request',
    }),
    out: optional('--out <file>', 'write to this file', filePath),
    timeout: defaulted('--timeout <seconds>', 'how long to wait for all of it', seconds, '30'),
  },
  notes: NOTES,
  examples: [
    'subgraph introspect http://127.0.0.1:4001/graphql',
    'subgraph introspect http://127.0.0.1:4001/graphql | switchyard subgraph publish products --schema -',
    `subgraph introspect http://127.0.0.1:4001/graphql --header 'Authorization: Bearer abc' --out products.graphql`,
  ],
  run: ({ argument, options, context }) => introspect(argument, options, context),
})

async function introspect(url: URL, options: Options, context: CliContext): Promise<CommandResult> {
  const { header: headers, out, timeout } = options
  const tooLate = AbortSignal.timeout(timeout * 1000)
  const signal = AbortSignal.any([context.signal, tooLate])
  const { introspectSubgraph } = await import('../../introspect/introspect-subgraph.ts')
  const { sdl, source } = await interruptible(context.signal, () =>
    introspectSubgraph(url, { headers, signal }).catch((error: unknown) => {
      if (!tooLate.aborted) throw error
      throw new SubgraphUnreachable(`${url.href} did not answer within ${timeout} s.`)
    }),
  )
  // One line end: the one that printing adds.
  const text = sdl.replace(/\n+$/, '')
  if (out !== undefined) await writeFileAtomically(resolve(context.cwd, out), `${text}\n`, out)
  const remark =
    source === 'service'
      ? ''
      : printWarnings(
          [
            `${url.href} has no field "_service", so its schema is from introspection: directives that are applied in it are not there.`,
          ],
          context,
        )
  const result = { url: url.href, sdl: `${text}\n`, source, ...(out === undefined ? {} : { out }) }
  return out === undefined
    ? dataResult({ result }, text, remark)
    : successResult({ result }, `${out} is written.`, remark)
}
