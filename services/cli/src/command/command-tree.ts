/** Commander's classes with what help, the reference page and the shell's completion need to know besides. */
import { Argument, Command, Option } from 'commander'
import type { WordCompletion } from './value-types.ts'

/** A command of commander with examples and notes. */
export class CliCommand extends Command {
  /** Command lines without the name of the program. */
  examples: readonly string[] = []
  /** The text that help shows after the options. */
  notes = ''

  constructor(name?: string) {
    super(name)
    this.addHelpText('after', () => this.#afterwords())
    this.helpCommand(false)
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name)
  }

  /** Shown commands, in the order of help. */
  subcommands(): readonly CliCommand[] {
    return this.createHelp()
      .visibleCommands(this)
      .filter((command) => command instanceof CliCommand)
  }

  /** Returns the text that `--help` prints. */
  fullHelp(): string {
    return `${this.helpInformation()}${this.#afterwords()}`.trimEnd()
  }

  /** Returns the words of the command without the name of the program: `federated-graph update`. */
  path(): string {
    const { parent } = this
    return parent instanceof CliCommand && parent.parent !== null
      ? `${parent.path()} ${this.name()}`
      : this.name()
  }

  #afterwords(): string {
    const parts = this.notes === '' ? [] : [this.notes]
    if (this.examples.length > 0) {
      parts.push(`Examples:\n${this.examples.map((line) => `  $ switchyard ${line}`).join('\n')}`)
    }
    return parts.length === 0 ? '' : `\n${parts.join('\n\n')}`
  }
}

/** A command without options, arguments or commands in it. */
export function commandOf(
  name: string,
  { alias, description }: { readonly alias?: string; readonly description: string },
): CliCommand {
  const command = new CliCommand(name).description(description)
  return alias === undefined ? command : command.alias(alias)
}

/** A command that only groups others, or the program itself: `--json` may stand anywhere on the line. */
export function asGroup(command: CliCommand): CliCommand {
  return command.addOption(new CliOption('-j, --json', 'print one JSON document on stdout').hideHelp())
}

/** An option of commander that knows what the shell offers for its value. */
export class CliOption extends Option {
  readonly completion: WordCompletion | undefined
  /**
   * Must be given. Commander does not know: it would tell this before it tells an option that is misspelt.
   */
  readonly needed: boolean

  constructor(
    flags: string,
    description = '',
    more: { readonly completion?: WordCompletion | undefined; readonly required?: boolean } = {},
  ) {
    super(flags, description)
    this.completion = more.completion
    this.needed = more.required === true
  }
}

/** An argument of commander that knows what the shell offers for it. */
export class CliArgument extends Argument {
  readonly completion: WordCompletion | undefined

  constructor(name: string, description: string, completion: WordCompletion | undefined) {
    super(name, description)
    this.completion = completion
  }
}
