/** The reasons for which commands fail. Each carries the exit code and the body of `--json`. */
import type { Problem } from '@switchyard/contracts'
import { TITLED } from './error-codes.ts'
import { EXIT } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'

/** The `error` of `{ok: false, error}`: a problem body of the registry, or one of the same form made here. */
export type ErrorBody = Omit<Problem, 'status' | 'code'> & { readonly code: string; readonly status?: number }

/** The position of a mistake in a file of the user. `file` is the path as the user wrote it. */
export type FileProblem = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** UTF-16 units. */
  readonly length?: number
  readonly message: string
}

/** Base of all errors that a command ends with. Any other error is a defect. */
export abstract class CliError extends Error {
  abstract readonly code: string
  abstract readonly exitCode: ExitCode
  /** All reasons when there are several. */
  readonly problems: readonly string[]
  /** Empty when the error is about no line of a file. */
  readonly places: readonly FileProblem[]

  constructor(
    message: string,
    options: {
      readonly problems?: readonly string[]
      readonly places?: readonly FileProblem[]
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.places = options.places ?? []
    this.problems =
      options.problems ??
      this.places.map(({ file, line, column, message: text }) => `${file}:${line}:${column}: ${text}`)
  }

  body(): ErrorBody {
    return {
      type: `urn:switchyard:problem:${this.code.toLowerCase().replaceAll('_', '-')}`,
      title: hasTitle(this.code) ? TITLED[this.code].title : 'The command failed',
      code: this.code,
      detail: this.message,
      ...(this.problems.length > 0 ? { problems: [...this.problems] } : {}),
    }
  }
}

function hasTitle(code: string): code is keyof typeof TITLED {
  return Object.hasOwn(TITLED, code)
}

/** The words typed make no sense: unknown option, malformed name, contradicting options. */
export class UsageError extends CliError {
  override readonly code = 'COMMAND_LINE_INVALID'
  override readonly exitCode = EXIT.usage
}

/** A file named on the command line is missing, unreadable or empty. */
export class FileError extends CliError {
  override readonly code = 'FILE_UNUSABLE'
  override readonly exitCode = EXIT.usage
}

/** Refused before anything was sent, by a rule that can be checked here. */
export class LocalRefusal extends CliError {
  override readonly exitCode = EXIT.refused
  override readonly code: string

  constructor(
    code: keyof typeof TITLED,
    message: string,
    options: { readonly problems?: readonly string[]; readonly places?: readonly FileProblem[] } = {},
  ) {
    super(message, options)
    this.code = code
  }

  override body(): ErrorBody {
    return { ...super.body(), ...(this.places.length === 0 ? {} : { locations: [...this.places] }) }
  }
}

/** The registry said no, and why. */
export class RefusedByRegistry extends CliError {
  override readonly exitCode = EXIT.refused
  override readonly code: string
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail, { problems: problem.problems ?? [] })
    this.problem = problem
    this.code = problem.code
  }

  override body(): ErrorBody {
    return this.problem
  }
}

/** Nothing was written, since there was no connection, or the registry answered that it cannot work now. */
export class RegistryUnreachable extends CliError {
  override readonly code = 'REGISTRY_UNREACHABLE'
  override readonly exitCode = EXIT.unknown
}

/** The request left, no answer came. */
export class OutcomeUnknown extends CliError {
  override readonly code = 'WRITE_OUTCOME_UNKNOWN'
  override readonly exitCode = EXIT.unknown
}

/** No router answered the probe, so nothing is known about the way to one. */
export class ProbeUnanswered extends CliError {
  override readonly code = 'PROBE_UNANSWERED'
  override readonly exitCode = EXIT.unknown
}

/** A subgraph does not answer at its URL. */
export class SubgraphUnreachable extends CliError {
  override readonly code = 'SUBGRAPH_UNREACHABLE'
  override readonly exitCode = EXIT.unknown
}

/** A router is there, and does not answer probes of this caller. */
export class ProbeRefused extends CliError {
  override readonly code = 'PROBE_REFUSED'
  override readonly exitCode = EXIT.refused
}

/** A server refused a subscription, or ended it with an error. */
export class SubscriptionFailed extends CliError {
  override readonly code = 'SUBSCRIPTION_FAILED'
  override readonly exitCode = EXIT.refused
}

/** Nothing more comes of a subscription, and the same one may be begun again. */
export class SubscriptionLost extends CliError {
  override readonly code = 'SUBSCRIPTION_LOST'
  override readonly exitCode = EXIT.unknown
}

/** Ctrl-C, or the end of the terminal. */
export class Interrupted extends CliError {
  override readonly code = 'INTERRUPTED'
  override readonly exitCode = EXIT.unknown
}
