/** Options of commands that send requests to a GraphQL endpoint: its URL, and headers for intermediaries. */
import { missingScheme } from '@switchyard/contracts'
import { UsageError } from '../run/errors.ts'
import type { OptionSpec } from './options.ts'
import type { ValueType } from './value-types.ts'

/** An http or https URL without user name and password. */
export const endpoint: ValueType<URL> = {
  parse(word) {
    const url = URL.canParse(word) ? new URL(word) : null
    if (url !== null && `${url.username}${url.password}` !== '')
      throw new UsageError(
        'A URL is printed, so it takes no name or password; a proxy that wants them is given --header "Authorization: Basic …".',
      )
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
    const missing = missingScheme(word)
    if (missing !== null) throw new UsageError(`"${word}" is no URL of a GraphQL endpoint: ${missing}`)
    throw new UsageError(
      `"${word}" is no URL of a GraphQL endpoint, such as https://api.example.com/graphql.`,
    )
  },
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/

/** Names are in lower case. */
export type Headers = Readonly<Record<string, string>>

/** Which headers a command sets itself, so that a user cannot. */
export type HeaderOption = {
  readonly description: string
  /** Set by the command itself, in lower case. */
  readonly own: ReadonlySet<string>
  /** Why it cannot be set, without its end. */
  readonly because: string
}

/** The option `--header`, which may be given several times. */
export function headerOption({ description, own, because }: HeaderOption): OptionSpec<Headers> {
  return {
    flags: '-H, --header <header...>',
    description,
    required: false,
    parse: (raw) =>
      Object.fromEntries(
        (Array.isArray(raw) ? raw : []).map((given: unknown) => {
          const [, written, value] = HEADER.exec(String(given)) ?? []
          const name = written?.toLowerCase()
          if (name !== undefined && own.has(name))
            throw new UsageError(`--header cannot set "${name}": ${because}.`)
          if (name !== undefined && value !== undefined) return [name, value]
          throw new UsageError('--header takes "name: value", one quoted argument for each header.')
        }),
      ),
  }
}
