/**
 * Introspections that nobody would write by hand, and valid ones all the same: fragments, aliases,
 * conditions, arguments.
 */
import {
  getNamedType,
  type GraphQLObjectType,
  introspectionTypes,
  isObjectType,
  SchemaMetaFieldDef,
} from 'graphql'

const TYPES: ReadonlyMap<string, GraphQLObjectType> = new Map(
  introspectionTypes.filter(isObjectType).map((type) => [type.name, type]),
)
/** What the rule about the depth of introspection counts. */
const LISTS = new Set(['fields', 'interfaces', 'possibleTypes', 'inputFields'])

const ARGUMENTS = ['', '(includeDeprecated: true)', '(includeDeprecated: $yes)']
const VARIABLES = '($yes: Boolean! = true, $no: Boolean!, $type: String!, $maybe: Boolean)'

export class RandomIntrospection {
  readonly #numbers: readonly number[]
  readonly #typeNames: readonly string[]
  readonly #fragments: string[] = []
  #at = 0

  constructor(numbers: readonly number[], typeNames: readonly string[]) {
    this.#numbers = numbers
    this.#typeNames = typeNames
  }

  document(): string {
    const roots = Array.from({ length: 1 + this.#draw(3) }, (_, index) => this.#root(index))
    return `query ${VARIABLES} { ${roots.join(' ')} ...Used } fragment Used on Query { u: __type(name: $type) { name @include(if: $no) @skip(if: $yes) fields(includeDeprecated: $maybe) { name } } } ${this.#fragments.join(' ')}`
  }

  #root(index: number): string {
    if (this.#draw(2) === 0) return `__schema${this.#conditions()} ${this.#selection('__Schema', 4, 2)}`
    const name = this.#typeNames[this.#draw(this.#typeNames.length)] ?? 'Query'
    const argument = this.#draw(3) === 0 ? '$type' : JSON.stringify(name)
    return `r${index}: __type(name: ${argument}) ${this.#selection('__Type', 4, 2)}`
  }

  /** `lists`: how many more may be nested in one another. */
  #selection(type: string, depth: number, lists: number): string {
    const parts = Array.from({ length: 1 + this.#draw(4) }, () => this.#part(type, depth, lists))
    return `{ __typename ${parts.join(' ')} }`
  }

  #part(type: string, depth: number, lists: number): string {
    const kind = depth > 0 ? this.#draw(8) : 7
    if (kind === 0) return `... on ${type} ${this.#conditions()} ${this.#selection(type, depth - 1, lists)}`
    if (kind === 1) return `... ${this.#conditions()} ${this.#selection(type, depth - 1, lists)}`
    if (kind === 2) {
      const text = this.#selection(type, depth - 1, lists)
      const name = `F${this.#fragments.length}`
      this.#fragments.push(`fragment ${name} on ${type} ${text}`)
      return `...${name} ...${name} ${this.#conditions()}`
    }
    return this.#field(type, depth, lists)
  }

  #field(type: string, depth: number, lists: number): string {
    const fields = Object.values(TYPES.get(type)?.getFields() ?? {}).filter((field) => {
      const isLeaf = !isObjectType(getNamedType(field.type))
      return isLeaf || (depth > 0 && (lists > 0 || !LISTS.has(field.name)))
    })
    const field = fields[this.#draw(fields.length)] ?? SchemaMetaFieldDef
    const named = getNamedType(field.type)
    const way = field.args.length === 0 ? 0 : this.#draw(ARGUMENTS.length)
    // Equal aliases have equal arguments, and so never conflict.
    const alias = way > 0 || this.#draw(3) === 0 ? `x${way}_${field.name}: ` : ''
    const below = isObjectType(named)
      ? this.#selection(named.name, depth - 1, lists - (LISTS.has(field.name) ? 1 : 0))
      : ''
    return `${alias}${field.name}${ARGUMENTS[way]} ${this.#conditions()} ${below}`
  }

  #conditions(): string {
    return (
      ['@include(if: $yes)', '@skip(if: $no)', '@include(if: $no)', '', '', '', '', ''][this.#draw(8)] ?? ''
    )
  }

  #draw(count: number): number {
    const number = this.#numbers[this.#at++ % Math.max(1, this.#numbers.length)] ?? 0
    return count === 0 ? 0 : (number + this.#at) % count
  }
}
