/** Writes operations that show what cannot be resolved. */
/** An argument or an input field as clients see it. */
type SampleInput = { readonly name: string; readonly type: string; readonly default: unknown }

/** A type as clients see it, as far as operations need it. */
export type SampleType =
  | {
      readonly kind: 'object' | 'interface'
      readonly fields: readonly { readonly name: string; readonly args: readonly SampleInput[] }[]
    }
  | { readonly kind: 'enum'; readonly values: readonly { readonly name: string }[] }
  | { readonly kind: 'input'; readonly fields: readonly SampleInput[]; readonly isOneOf: boolean }
  | { readonly kind: 'scalar' | 'union' }

/** Looks up a type in the schema that clients see. */
export type SampleTypes = (name: string) => SampleType | undefined

/** Writes sample values for arguments. */
export class SampleOperations {
  readonly #typeNamed: SampleTypes

  constructor(typeNamed: SampleTypes) {
    this.#typeNamed = typeNamed
  }

  /** A field with sample values for the arguments that it must have. */
  field(type: string, name: string): string {
    const args = this.#argumentsOf(type, name).filter(isNeeded)
    const texts = args.map((one) => `${one.name}: ${this.#value(one.type, MAX_NESTING)}`)
    return texts.length === 0 ? name : `${name}(${texts.join(', ')})`
  }

  #argumentsOf(type: string, name: string): readonly SampleInput[] {
    const found = this.#typeNamed(type)
    return found?.kind === 'object' || found?.kind === 'interface'
      ? (found.fields.find((field) => field.name === name)?.args ?? [])
      : []
  }

  #value(type: string, nesting: number): string {
    const inner = type.replace(/!$/, '')
    if (inner.startsWith('[')) return '[]'
    const found = this.#typeNamed(inner)
    if (found?.kind === 'enum') return found.values[0]?.name ?? 'null'
    if (found?.kind === 'input' && nesting > 0) {
      const needed = found.isOneOf ? found.fields.slice(0, 1) : found.fields.filter(isNeeded)
      const fields = needed.map((one) => `${one.name}: ${this.#value(one.type, nesting - 1)}`)
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
    }
    return SCALARS.get(inner) ?? '"A string value"'
  }
}

/** Input objects within each other are written no deeper. */
const MAX_NESTING = 8
const SCALARS = new Map([
  ['Int', '0'],
  ['Float', '0'],
  ['Boolean', 'true'],
  ['ID', '"<any id>"'],
])

function isNeeded({ type, default: initial }: SampleInput): boolean {
  return type.endsWith('!') && initial === undefined
}

type Lines = Map<string, Lines>

/** Prints an operation that selects fields by their paths; a path is a list of fields and type conditions. */
export function printOperation(
  kind: 'query' | 'mutation' | 'subscription',
  paths: readonly (readonly string[])[],
): string {
  const root: Lines = new Map()
  for (const path of paths) {
    let lines = root
    for (const step of path) {
      const below: Lines = lines.get(step) ?? new Map()
      lines.set(step, below)
      lines = below
    }
  }
  return `${kind === 'query' ? '' : `${kind} `}${printLines(root, '')}`
}

function printLines(lines: Lines, indent: string): string {
  const inner = [...lines].map(
    ([line, below]) => `${indent}  ${line}${below.size === 0 ? '' : ` ${printLines(below, `${indent}  `)}`}`,
  )
  return `{\n${inner.join('\n')}\n${indent}}`
}
