/** The command `trace open`, which shows what a router told about one request. */
import { basename, resolve } from 'node:path'
import type { TracedResponse } from '@switchyard/request-trace'
import { localCommand } from '../../command/make-command.ts'
import { type CommandResult, successResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { LocalRefusal, UsageError } from '../../run/errors.ts'
import { readTextFile } from '../../files/files.ts'
import { optional, type OptionValues, required } from '../../command/options.ts'
import { writeFileAtomically } from '../../files/replace-file.ts'
import { filePath } from '../../command/value-types.ts'

const OPTIONS = {
  out: required('--out <trace.html>', 'where to write the page', filePath),
  compare: optional('--compare <other.json>', 'a second trace, to show what is different in it', filePath),
}

export const command = localCommand({
  name: 'open',
  description: 'make a page of a trace: where the time went, what was asked and answered, what failed',
  argument: {
    name: 'trace.json',
    description: 'a response with a trace, as curl saves it, or the trace alone',
    type: filePath,
  },
  options: OPTIONS,
  examples: [
    'trace open trace.json --out trace.html',
    'trace open monday.json --compare tuesday.json --out difference.html',
  ],
  notes: `
The page is one file that loads nothing: it can be kept, sent to somebody, or attached to a ticket. It holds the whole trace.
Of a deferred response, the last part has the complete trace: it is the one that is shown.`,
  run: ({ argument, options, context }) => openTrace(argument, options, context),
})

async function openTrace(
  path: string,
  { out, compare }: OptionValues<typeof OPTIONS>,
  context: CliContext,
): Promise<CommandResult> {
  refuseToReplace([path, ...(compare === undefined ? [] : [compare])], out, context)
  const { trace, errors, answer } = await readTraceFile(path, context)
  const second = compare === undefined ? undefined : await readTraceFile(compare, context)
  const other = second?.trace
  const { traceDocument } = await import('@switchyard/trace-viewer')
  const titles =
    compare === undefined
      ? { errors }
      : {
          title: basename(path),
          compareTitle: basename(compare),
          compare: other,
          answer,
          compareAnswer: second?.answer,
        }
  const page = traceDocument(trace, titles)
  await writeFileAtomically(resolve(context.cwd, out), page, out)
  const { fetchesOf } = await import('@switchyard/request-trace')
  const fetches = [trace, ...(other === undefined ? [] : [other])].map((one) => fetchesOf(one).length)
  return successResult(
    { result: { out, bytes: Buffer.byteLength(page), fetches } },
    `${out} is written. Open it in a browser.`,
  )
}

/** A trace cannot be had again: its request is over. */
function refuseToReplace(traces: readonly string[], out: string, { cwd }: CliContext): void {
  if (!traces.some((path) => resolve(cwd, path) === resolve(cwd, out))) return
  throw new UsageError(`${out} is the trace itself: --out would replace it. Name another file for the page.`)
}

async function readTraceFile(path: string, { cwd }: CliContext): Promise<TracedResponse> {
  const text = await readTextFile({ path, what: 'trace file' }, cwd)
  const { readTracedResponse, TraceInvalidError } = await import('@switchyard/request-trace')
  try {
    return readTracedResponse(text)
  } catch (error) {
    if (!(error instanceof TraceInvalidError)) throw error
    throw new LocalRefusal('TRACE_INVALID', `${path} holds no trace. ${error.message}`, {
      problems: error.problems,
    })
  }
}
