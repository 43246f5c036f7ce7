/**
 * Puts `@defer` onto an operation: on fragments that it has and on new ones, over selections that are also
 * made plainly.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Random } from '../random/random.ts'

type Asked = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> }

const MOST_NEW_FRAGMENTS = 8
const MOST_VARIABLES = 4
const DEFER: DirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'defer' } }
const INACTIVE = directive('@defer(if: false, label: "part 0")')

/**
 * Nothing of a mutation's root is deferred, which is not allowed; inactive ones are, there too, and have
 * labels of others.
 */
export function withRandomDefers<Operation extends Asked>(
  schema: GraphQLSchema,
  operation: Operation,
  random: Random,
): Operation {
  const placed = placeDefers(schema, parse(operation.query, { noLocation: true }), random)
  const variables: Record<string, unknown> = { ...operation.variables }
  const query = print(decorate(placed, variables, random))
  return { ...operation, query, variables }
}

/** The same question with every `@defer` taken away, and the variables that only they used. */
export function withoutDefers<Operation extends Asked>(operation: Operation): Operation {
  const document = visit(parse(operation.query, { noLocation: true }), {
    Directive: ({ name }) => (name.value === 'defer' ? null : undefined),
    VariableDefinition: ({ variable }) => (isOurs(variable.name.value) ? null : undefined),
  })
  const variables = Object.entries(operation.variables ?? {}).filter(([name]) => !isOurs(name))
  return { ...operation, query: print(document), variables: Object.fromEntries(variables) }
}

function isOurs(variable: string): boolean {
  return variable.startsWith('later')
}

function placeDefers(schema: GraphQLSchema, document: DocumentNode, random: Random): DocumentNode {
  const types = new TypeInfo(schema)
  const isRoot = () => types.getParentType() === schema.getMutationType()
  let left = MOST_NEW_FRAGMENTS
  // Where much is selected twice, most fragments are left with nothing of their own.
  const isTidy = random.chance(60)
  const percent = isTidy ? 50 : 30
  const deferred = <Node extends SelectionNode>(node: Node): Node | undefined => {
    if (!isRoot() && !random.chance(25)) return undefined
    return { ...node, directives: [...(node.directives ?? []), isRoot() ? INACTIVE : DEFER] }
  }
  // Spreads and inline fragments are left before the selection around them, so none is deferred twice.
  const visitor = visitWithTypeInfo(types, {
    FragmentSpread: { leave: deferred },
    InlineFragment: {
      enter: (node) => deferred(node),
    },
    SelectionSet: {
      leave(node): SelectionSetNode | undefined {
        if (left === 0 || isRoot() || !random.chance(percent)) return undefined
        left--
        const condition = random.chance(30) ? (types.getParentType()?.name ?? null) : null
        return { ...node, selections: rearranged(node.selections, { condition, isTidy }, random) }
      },
    },
  })
  return visit(document, visitor)
}

function rearranged(
  selections: readonly SelectionNode[],
  { condition, isTidy }: { readonly condition: string | null; readonly isTidy: boolean },
  random: Random,
): readonly SelectionNode[] {
  const chosen = random.some(selections, 1, selections.length)
  const later = fragment(chosen, condition)
  switch (isTidy ? 3 * random.below(2) : random.below(4)) {
    // Only later.
    case 0: {
      const rest = selections.filter((selection) => !chosen.includes(selection))
      return random.chance(50) ? [...rest, later] : [later, ...rest]
    }
    // Plainly, too.
    case 1:
      return random.chance(50) ? [...selections, later] : [later, ...selections]
    // In two fragments that share something.
    case 2: {
      const rest = selections.filter((selection) => !chosen.includes(selection))
      return [...rest, later, fragment(random.some(selections, 1, selections.length), condition)]
    }
    // In two that are nested.
    default: {
      const moved = random.some(chosen, 1, chosen.length)
      const outer =
        !isTidy && random.chance(50) ? chosen : chosen.filter((selection) => !moved.includes(selection))
      const inner = fragment(moved, null)
      const rest = selections.filter((selection) => !chosen.includes(selection))
      return [...rest, fragment(random.chance(50) ? [...outer, inner] : [inner, ...outer], condition)]
    }
  }
}

function fragment(selections: readonly SelectionNode[], condition: string | null): InlineFragmentNode {
  return {
    kind: Kind.INLINE_FRAGMENT,
    ...(condition === null
      ? {}
      : {
          typeCondition: {
            kind: Kind.NAMED_TYPE,
            name: { kind: Kind.NAME, value: condition },
          },
        }),
    directives: [DEFER],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  }
}

/** Labels and conditions. */
function decorate(document: DocumentNode, variables: Record<string, unknown>, random: Random): DocumentNode {
  const declarations: string[] = []
  let labels = 0
  const condition = (): string => {
    const kind = random.below(8)
    if (declarations.length === MOST_VARIABLES && (kind === 2 || kind === 3)) return ''
    switch (kind) {
      case 0:
        return 'if: true'
      case 1:
        return 'if: false'
      case 2: {
        const name = `later${declarations.length}`
        declarations.push(`$${name}: Boolean!`)
        variables[name] = random.chance(70)
        return `if: $${name}`
      }
      case 3: {
        const name = `later${declarations.length}`
        declarations.push(`$${name}: Boolean = ${random.chance(70)}`)
        return `if: $${name}`
      }
      default:
        return ''
    }
  }
  const decorated = visit(document, {
    Directive({ name, arguments: known = [] }): DirectiveNode | undefined {
      if (name.value !== 'defer' || known.length > 0) return undefined
      const when = condition()
      const labelled = random.chance(40)
      const label = when === 'if: false' ? 0 : labels
      if (labelled && when !== 'if: false') labels++
      const given = [when, labelled ? `label: "part ${label}"` : ''].filter(Boolean)
      return given.length === 0 ? undefined : directive(`@defer(${given.join(', ')})`)
    },
  })
  const declared = parse(`query (${declarations.join(', ')}) { a }`.replace('()', ''), { noLocation: true })
  const [holder] = declared.definitions
  const added = holder?.kind === Kind.OPERATION_DEFINITION ? (holder.variableDefinitions ?? []) : []
  return visit(decorated, {
    OperationDefinition: (node) => ({
      ...node,
      variableDefinitions: [...(node.variableDefinitions ?? []), ...added],
    }),
  })
}

function directive(text: string): DirectiveNode {
  const [definition] = parse(`{ a ${text} }`, { noLocation: true }).definitions
  const field =
    definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections[0] : undefined
  const found = field?.directives?.[0]
  if (found === undefined) throw new Error(`Not a directive: ${text}`)
  return found
}
