/**
 * Makes a failing case small enough to read: takes away one thing after the other, from the subgraphs and
 * from the operation, and keeps every step after which the case still fails in the same way. A case is text,
 * so whatever is still legal is a case.
 */
import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  parse,
  print,
  visit,
} from 'graphql'
import { NOTHING_LEFT, withoutPart } from '@switchyard/samples'
import type { SuiteOperation } from '../harness/suite.ts'
import type { World } from './world.ts'

export type Case = { readonly world: World; readonly operation: SuiteOperation | null }

/** Whether it still shows the same fault. Must not throw: what is not legal any more does not fail. */
export type StillFails = (candidate: Case) => Promise<boolean>

/** More would not make the case easier to read, only the run longer. */
const MAX_TRIALS = 4_000

export async function reduceCase(start: Case, stillFails: StillFails): Promise<Case> {
  let smallest = start
  let trials = 0
  for (;;) {
    const before = smallest
    for (const step of STEPS) {
      for (let position = 0; trials < MAX_TRIALS; ) {
        const candidate = attempt(step, smallest, position)
        if (candidate === null) break
        trials++
        // A thing that went makes room for the next one at the same position.
        if (candidate !== 'nothing' && (await stillFails(candidate))) smallest = candidate
        else position++
      }
    }
    if (smallest === before || trials >= MAX_TRIALS) return smallest
  }
}

/** A step that leaves something that is no longer GraphQL leads nowhere. */
function attempt(step: Step, smallest: Case, position: number): ReturnType<Step> {
  try {
    return step(smallest, position)
  } catch (error) {
    if (error instanceof GraphQLError) return 'nothing'
    throw error
  }
}

/** The case without the thing at a position; null after the last. */
type Step = (smallest: Case, position: number) => Case | 'nothing' | null

const STEPS: readonly Step[] = [
  withoutOperationPart,
  withoutSubgraph,
  withoutNamed(definitionNames),
  withoutNamed(coordinates),
  withoutDirective,
  withoutNamed(smallParts),
  withoutSubgraphPart,
  withoutFailing,
]

function withoutFailing({ world, operation }: Case, position: number): Case | null {
  return position > 0 || world.failing === 0 ? null : { world: { ...world, failing: 0 }, operation }
}

function withoutSubgraph({ world, operation }: Case, position: number): Case | null {
  const names = Object.keys(world.subgraphs)
  const name = names[position]
  if (name === undefined || names.length === 1) return null
  const subgraphs = Object.fromEntries(Object.entries(world.subgraphs).filter(([other]) => other !== name))
  return { world: pruned({ ...world, subgraphs }), operation }
}

/** Takes something away wherever it is named: from the whole schema and from each subgraph. */
function withoutNamed(namesOf: (document: DocumentNode) => readonly string[]): Step {
  return ({ world, operation }, position) => {
    const name = namesOf(parse(world.whole))[position]
    if (name === undefined) return null
    const drop = (sdl: string) => dropCoordinate(sdl, name)
    return {
      world: {
        ...world,
        whole: drop(world.whole),
        subgraphs: Object.fromEntries(Object.entries(world.subgraphs).map(([key, sdl]) => [key, drop(sdl)])),
      },
      operation,
    }
  }
}

function definitionNames({ definitions }: DocumentNode): readonly string[] {
  return definitions.map(nameOf).filter((name) => name !== 'Query' && name !== '')
}

function coordinates({ definitions }: DocumentNode): readonly string[] {
  return definitions.flatMap((definition) =>
    'fields' in definition
      ? (definition.fields ?? []).map((field) => `${nameOf(definition)}.${field.name.value}`)
      : [],
  )
}

/** Arguments, union members, implemented interfaces and enum values. */
function smallParts({ definitions }: DocumentNode): readonly string[] {
  return definitions.flatMap((definition) => {
    const type = nameOf(definition)
    const fields = 'fields' in definition ? (definition.fields ?? []) : []
    return [
      ...fields.flatMap((field) =>
        'arguments' in field
          ? (field.arguments ?? []).map((argument) => `${type}.${field.name.value}(${argument.name.value})`)
          : [],
      ),
      ...('types' in definition
        ? (definition.types ?? []).map((member) => `${type}=${member.name.value}`)
        : []),
      ...('interfaces' in definition
        ? (definition.interfaces ?? []).map((parent) => `${type}&${parent.name.value}`)
        : []),
      ...('values' in definition
        ? (definition.values ?? []).map((value) => `${type}#${value.name.value}`)
        : []),
    ]
  })
}

function nameOf(definition: DefinitionNode): string {
  return 'name' in definition && definition.name !== undefined ? definition.name.value : ''
}

function dropCoordinate(sdl: string, dropped: string): string {
  let type = ''
  let field = ''
  const document = visit(parse(sdl), {
    enter(node): ASTNode | null | undefined {
      if (node.kind.endsWith('Definition') || node.kind.endsWith('Extension')) {
        if (node.kind === Kind.FIELD_DEFINITION) {
          field = `${type}.${node.name.value}`
          return field === dropped ? null : undefined
        }
        if (node.kind === Kind.INPUT_VALUE_DEFINITION) {
          const isDropped = [`${field}(${node.name.value})`, `${type}.${node.name.value}`].includes(dropped)
          return isDropped ? null : undefined
        }
        if (node.kind === Kind.ENUM_VALUE_DEFINITION) {
          return `${type}#${node.name.value}` === dropped ? null : undefined
        }
        type = nameOf(node as DefinitionNode)
        field = ''
        if (type === dropped) return null
        if ('types' in node && Array.isArray(node.types)) {
          const types = node.types.filter(
            (member) => `${type}=${member.name.value}` !== dropped && member.name.value !== dropped,
          )
          if (types.length < node.types.length) return { ...node, types }
        }
        if ('interfaces' in node && Array.isArray(node.interfaces)) {
          const interfaces = node.interfaces.filter(
            (parent) => `${type}&${parent.name.value}` !== dropped && parent.name.value !== dropped,
          )
          if (interfaces.length < node.interfaces.length) return { ...node, interfaces }
        }
      }
      return undefined
    },
  })
  return print(document)
}

/** One directive of one subgraph. */
function withoutDirective({ world, operation }: Case, position: number): Case | null {
  let left = position
  for (const [name, sdl] of Object.entries(world.subgraphs)) {
    let isFound = false
    const document = visit(parse(sdl), {
      Directive(node) {
        if (node.name.value === 'link' || left-- !== 0) return undefined
        isFound = true
        return null
      },
    })
    if (isFound)
      return { world: { ...world, subgraphs: { ...world.subgraphs, [name]: print(document) } }, operation }
  }
  return null
}

/** One field, type, member or interface of one subgraph; the others keep it. */
function withoutSubgraphPart({ world, operation }: Case, position: number): Case | null {
  let left = position
  for (const [name, sdl] of Object.entries(world.subgraphs)) {
    const document = parse(sdl)
    const parts = [...definitionNames(document), ...coordinates(document), ...smallParts(document)]
    const part = parts[left]
    if (part !== undefined) {
      const subgraphs = { ...world.subgraphs, [name]: dropCoordinate(sdl, part) }
      return { world: pruned({ ...world, subgraphs }), operation }
    }
    left -= parts.length
  }
  return null
}

/** The whole schema without what no subgraph has any more. */
function pruned(world: World): World {
  const documents = Object.values(world.subgraphs).map((sdl) => parse(sdl))
  const known = new Set(
    documents.flatMap((document) => [
      ...definitionNames(document),
      ...coordinates(document),
      ...smallParts(document),
    ]),
  )
  let whole = world.whole
  const isContributed = (part: string) =>
    documents.some((document) =>
      coordinates(document).some((other) => other.endsWith(part.slice(part.indexOf('.')))),
    )
  for (const part of definitionNames(parse(whole))) if (!known.has(part)) whole = dropCoordinate(whole, part)
  for (const part of coordinates(parse(whole))) {
    if (!known.has(part) && !isContributed(part)) whole = dropCoordinate(whole, part)
  }
  for (const part of smallParts(parse(whole))) {
    if (!known.has(part) && !part.includes('(')) whole = dropCoordinate(whole, part)
  }
  return { ...world, whole }
}

function withoutOperationPart({ world, operation }: Case, position: number): Case | 'nothing' | null {
  if (operation === null) return null
  const query = withoutPart(operation.query, position)
  if (query === NOTHING_LEFT) return 'nothing'
  return query === null ? null : { world, operation: { ...operation, query } }
}
