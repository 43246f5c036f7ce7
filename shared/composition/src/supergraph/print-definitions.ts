/** Writes one merged definition as SDL. */
import { print } from 'graphql'
import type {
  FieldJoin,
  MergedDirective,
  MergedEnum,
  MergedField,
  MergedFieldsType,
  MergedHead,
  MergedInput,
  MergedInputType,
  MergedType,
  MergedUnion,
  Presence,
} from '../merge/merged.ts'
import { type CacheControl, printCacheHint } from './cache-control.ts'
import { printApplied } from './print-applied.ts'

/** How one graph is written. */
export type Printing = {
  /** The values of `join__Graph` by the position of their subgraph. */
  readonly values: readonly string[]
  /** The names of the subgraphs by their positions. */
  readonly names: readonly string[]
  readonly cacheControl: CacheControl
}

/** Writes the definition of a type. */
export function printType(type: MergedType, printing: Printing): string {
  if (type.kind === 'input') return printInputType(type, printing)
  if (type.kind === 'enum') return printEnum(type, printing)
  if (type.kind === 'union') return printUnion(type, printing)
  if (type.kind !== 'scalar') return printFieldsType(type, printing)
  return `${head(type, '')}scalar ${type.name}${lines(presences(type.at, printing), type)}`
}

/** Writes the definition of a directive. */
export function printDirective({
  name,
  arguments: inputs,
  isRepeatable,
  locations,
}: MergedDirective): string {
  const repeatable = isRepeatable ? ' repeatable' : ''
  return `directive @${name}${printArguments(inputs, '')}${repeatable} on ${locations.join(' | ')}`
}

function printFieldsType(type: MergedFieldsType, printing: Printing): string {
  const joins = [
    ...type.presence.map((one) => printPresence(one, printing)),
    ...type.implementations.map(
      ({ at, interface: name }) =>
        `@join__implements(graph: ${printing.values[at] ?? ''}, interface: "${name}")`,
    ),
  ]
  const keyword = type.kind === 'object' ? 'type' : 'interface'
  const interfaces = type.interfaces.length > 0 ? ` implements ${type.interfaces.join(' & ')}` : ''
  const fields = type.fields.map((field) => printField(field, printing))
  return `${head(type, '')}${keyword} ${type.name}${interfaces}${lines([...joins, ...printCacheHint(type.applied, printing.cacheControl)], type)}\n${block(fields)}`
}

function printPresence(
  { at, key, isExtension, isResolvable, isInterfaceObject }: Presence,
  printing: Printing,
): string {
  const more = [
    key === null ? '' : `, key: ${JSON.stringify(key)}`,
    isExtension ? ', extension: true' : '',
    isResolvable ? '' : ', resolvable: false',
    isInterfaceObject ? ', isInterfaceObject: true' : '',
  ]
  return `@join__type(graph: ${printing.values[at] ?? ''}${more.join('')})`
}

function printField(field: MergedField, printing: Printing): string {
  const joins = field.isThroughInterface
    ? ['@join__field']
    : field.joins.map((join) => printJoin(join, printing))
  const hint = printCacheHint(field.applied, printing.cacheControl)
  const directives = [...joins, ...printApplied(field.applied), ...hint]
  return `${head(field, '  ')}  ${field.name}${printArguments(field.arguments, '  ')}: ${field.type}${spaced(directives)}`
}

function printJoin(join: FieldJoin, printing: Printing): string {
  const text = (name: string, value: string | null) =>
    value === null ? '' : `, ${name}: ${JSON.stringify(value)}`
  const flag = (name: string, value: boolean) => (value ? `, ${name}: true` : '')
  const more = [
    text('requires', join.requires),
    text('provides', join.provides),
    text('type', join.type),
    flag('external', join.isExternal),
    text('override', join.override === null ? null : (printing.names[join.override] ?? null)),
    flag('usedOverridden', join.isUsedOverridden),
    text('overrideLabel', join.overrideLabel),
  ]
  return `@join__field(graph: ${printing.values[join.at] ?? ''}${more.join('')})`
}

function printArguments(inputs: readonly MergedInput[], indent: string): string {
  if (inputs.length === 0) return ''
  if (inputs.every(({ description }) => description === null))
    return `(${inputs.map((one) => printInput(one, '', [])).join(', ')})`
  const texts = inputs.map((one) => printInput(one, `${indent}  `, []))
  return `(\n${texts.join('\n')}\n${indent})`
}

function printInput(input: MergedInput, indent: string, joins: readonly string[]): string {
  const value = input.defaultValue === null ? '' : ` = ${print(input.defaultValue)}`
  const directives = spaced([...joins, ...printApplied(input.applied)])
  return `${head(input, indent)}${indent}${input.name}: ${input.type}${value}${directives}`
}

function printInputType(type: MergedInputType, printing: Printing): string {
  const fields = type.fields.map((field) =>
    printInput(
      field,
      '  ',
      field.joins.map(
        ({ at, type: own }) =>
          `@join__field(graph: ${printing.values[at] ?? ''}${own === null ? '' : `, type: ${JSON.stringify(own)}`})`,
      ),
    ),
  )
  return `${head(type, '')}input ${type.name}${lines(presences(type.at, printing), type)}\n${block(fields)}`
}

function printEnum(type: MergedEnum, printing: Printing): string {
  const texts = type.values.map((value) => {
    const joins = value.at.map((at) => `@join__enumValue(graph: ${printing.values[at] ?? ''})`)
    return `${head(value, '  ')}  ${value.name}${spaced([...joins, ...printApplied(value.applied)])}`
  })
  return `${head(type, '')}enum ${type.name}${lines(presences(type.at, printing), type)}\n${block(texts)}`
}

function printUnion(type: MergedUnion, printing: Printing): string {
  const joins = type.members.flatMap(({ name, at }) =>
    at.map((one) => `@join__unionMember(graph: ${printing.values[one] ?? ''}, member: "${name}")`),
  )
  const members = type.members.map(({ name }) => name).join(' | ')
  return `${head(type, '')}union ${type.name}${lines([...presences(type.at, printing), ...joins, ...printCacheHint(type.applied, printing.cacheControl)], type)}\n = ${members}`
}

function presences(at: readonly number[], printing: Printing): readonly string[] {
  return at.map((one) => `@join__type(graph: ${printing.values[one] ?? ''})`)
}

function lines(joins: readonly string[], { applied }: MergedHead): string {
  return [...joins, ...printApplied(applied)].map((one) => `\n  ${one}`).join('')
}

function spaced(directives: readonly string[]): string {
  return directives.map((one) => ` ${one}`).join('')
}

function block(members: readonly string[]): string {
  return members.length === 0 ? '' : `{\n${members.join('\n')}\n}`
}

function head({ description }: MergedHead, indent: string): string {
  return description === null ? '' : `${indent}${JSON.stringify(description)}\n`
}
