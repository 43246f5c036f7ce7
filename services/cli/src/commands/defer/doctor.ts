/**
 * The command `defer doctor`, which tells whether deferred answers arrive as the router writes them, and what
 * is to blame if they do not.
 */
import { PROBE_HEADER, PROBE_LIMITS, ProbeToken } from '@switchyard/contracts'
import { localCommand } from '../../command/make-command.ts'
import type { CommandResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { UsageError } from '../../run/errors.ts'
import { endpoint, headerOption } from '../../command/endpoint-options.ts'
import { defaulted, optional, type OptionValues } from '../../command/options.ts'
import { startProgress } from '../../output/progress.ts'
import { styleFor } from '../../output/style.ts'
import { seconds, type ValueType } from '../../command/value-types.ts'

const TOKEN_VARIABLE = 'ENGINE_DEFER_PROBE_TOKEN'
const MAX_IDLE = PROBE_LIMITS.duration / 1000

const token: ValueType<string> = {
  parse(word) {
    const parsed = ProbeToken.safeParse(word)
    if (parsed.success) return parsed.data
    throw new UsageError(`The token is none that a router takes: ${parsed.error.issues[0]?.message ?? ''}.`)
  },
}

const idleSeconds: ValueType<number> = {
  parse(word) {
    const value = seconds.parse(word)
    if (value <= MAX_IDLE) return value
    throw new UsageError(`--idle takes at most ${MAX_IDLE} seconds, not ${word}.`)
  },
}

/**
 * Headers that the command sets itself: those in which variants of the probe differ, those of the connection,
 * and those that say how long the body is.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  PROBE_HEADER.toLowerCase(),
])

const OPTIONS = {
  direct: optional('--direct <url>', 'the GraphQL endpoint of the router itself, to compare with', endpoint),
  token: optional(
    '--token <token>',
    `the token of the router's settings (default: ${TOKEN_VARIABLE})`,
    token,
  ),
  header: headerOption({
    description: 'send this with every probe, for a proxy that asks for it: "name: value"',
    own: OWN_HEADERS,
    because: 'the doctor does that itself',
  }),
  idle: optional('--idle <seconds>', 'also look for an idle time limit: one pause this long', idleSeconds),
  timeout: defaulted('--timeout <seconds>', 'how long to wait for what does not come', seconds, '10'),
}

export const command = localCommand({
  name: 'doctor',
  description: 'find out what holds the parts of deferred answers back on their way from the router',
  argument: { name: 'url', description: 'the GraphQL endpoint, as clients reach it', type: endpoint },
  options: OPTIONS,
  examples: [
    'defer doctor http://127.0.0.1:4000/graphql',
    'defer doctor http://127.0.0.1:4000/graphql --direct http://127.0.0.1:4000/graphql --timeout 20',
  ],
  notes: `
The router answers in dev mode (DEV_MODE=true), or with the token of engine.defer_probe_token. Nothing is asked of
subgraphs. Exit code 1: something holds parts back or changes them; 3: no router answered.`,
  run: ({ argument, options, context }) => doctor(argument, options, context),
})

async function doctor(
  url: URL,
  options: OptionValues<typeof OPTIONS>,
  context: CliContext,
): Promise<CommandResult> {
  const fromEnvironment = context.env[TOKEN_VARIABLE]
  const given = options.token ?? (fromEnvironment ? token.parse(fromEnvironment) : null)
  const [{ diagnose }, { doctorResult }] = await Promise.all([
    import('../../defer/diagnose.ts'),
    import('../../defer/report.ts'),
  ])
  const progress = startProgress(context)
  const asking = {
    token: given,
    headers: options.header,
    patience: options.timeout * 1000,
    signal: context.signal,
    onProgress: progress.show,
  }
  try {
    const seen = await diagnose({ ...asking, url, idle: options.idle ?? null })
    const direct =
      options.direct === undefined ? null : await diagnose({ ...asking, url: options.direct, idle: null })
    return doctorResult(seen, direct, styleFor(context.stdout, context.env))
  } finally {
    progress.stop()
  }
}
