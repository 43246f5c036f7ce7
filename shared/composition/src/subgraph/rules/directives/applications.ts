/**
 * Rule: directives that are applied exist, may stand where they stand, and are repeated only if they may be.
 *
 * https://spec.graphql.org/draft/#sec-Validation.Directives
 */
import { DirectiveLocation, type ConstDirectiveNode } from 'graphql'
import { isFederationDirective } from '../../../federation/directive-definitions.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { CheckedSubgraph, Rule } from '../../checked/checked-subgraph.ts'
import { coordinateOf, type Element } from '../../checked/elements.ts'
import { repeatedAt } from '../graphql/repeated.ts'

/** Finds unknown, misplaced and repeated directives. */
export const applications: Rule = function* applications(subgraph) {
  const ofTypes = new Map<string, Repetitions>()
  for (const element of subgraph.elements) {
    const seen = repetitionsFor(element, ofTypes)
    for (const node of element.directives) {
      const found = subgraph.directive(node.name.value)
      if (found.kind === 'unknown') yield unknown(subgraph, element, node)
      if (found.kind === 'not-in-version') yield notInVersion(node)
      if (found.kind !== 'known') continue
      const { locations, isRepeatable, federation } = found.directive
      if (!locations.has(element.location)) yield misplaced(element, node)
      else if (!isRepeatable) seen.add(node, federation)
    }
    if (element.member !== null || element.argument !== null) yield* seen.findings()
  }
  for (const seen of ofTypes.values()) yield* seen.findings()
}

/** Directives of the parts of a type, and of those of the schema, are counted together. */
function repetitionsFor(element: Element, ofTypes: Map<string, Repetitions>): Repetitions {
  const coordinate = coordinateOf(element)
  if (element.member !== null || element.argument !== null) return new Repetitions(coordinate)
  let known = ofTypes.get(coordinate)
  if (known === undefined) {
    known = new Repetitions(coordinate)
    ofTypes.set(coordinate, known)
  }
  return known
}

/** Collects the applications of directives that may stand only once at one coordinate. */
class Repetitions {
  readonly #coordinate: string
  /** Applications by the name that the directive has in its specification. */
  readonly #byName = new Map<string, ConstDirectiveNode[]>()

  constructor(coordinate: string) {
    this.#coordinate = coordinate
  }

  add(node: ConstDirectiveNode, federation: string | null): void {
    const name = federation === null ? node.name.value : `federation ${federation}`
    const known = this.#byName.get(name)
    if (known === undefined) this.#byName.set(name, [node])
    else known.push(node)
  }

  *findings(): Iterable<SubgraphFinding> {
    const coordinate = this.#coordinate
    for (const nodes of this.#byName.values()) {
      const [first] = nodes
      if (first === undefined || nodes.length < 2) continue
      const facts = { kind: 'repeated-directive', directive: first.name.value, coordinate } as const
      yield finding('INVALID_GRAPHQL', facts, repeatedAt(nodes))
    }
  }
}

function unknown({ names }: CheckedSubgraph, element: Element, node: ConstDirectiveNode): SubgraphFinding {
  const directive = node.name.value
  const linked = names.link === null ? 'link' : 'import'
  const of = isFederationDirective(directive) ? linked : 'definition'
  return finding(
    'INVALID_GRAPHQL',
    { kind: 'unknown-directive', directive, coordinate: coordinateOf(element), of },
    [{ node }],
  )
}

function notInVersion(node: ConstDirectiveNode): SubgraphFinding {
  const facts = { kind: 'not-in-version', directive: node.name.value } as const
  return finding('INVALID_LINK_DIRECTIVE_USAGE', facts, [{ node }])
}

function misplaced(element: Element, node: ConstDirectiveNode): SubgraphFinding {
  const location = LOCATION_WORDS[element.location] ?? element.location
  return finding(
    'INVALID_GRAPHQL',
    { kind: 'misplaced-directive', directive: node.name.value, coordinate: coordinateOf(element), location },
    [{ node }],
  )
}

const LOCATION_WORDS: Readonly<Partial<Record<DirectiveLocation, string>>> = {
  [DirectiveLocation.SCHEMA]: 'a schema',
  [DirectiveLocation.SCALAR]: 'a scalar',
  [DirectiveLocation.OBJECT]: 'an object type',
  [DirectiveLocation.FIELD_DEFINITION]: 'a field',
  [DirectiveLocation.ARGUMENT_DEFINITION]: 'an argument',
  [DirectiveLocation.INTERFACE]: 'an interface',
  [DirectiveLocation.UNION]: 'a union',
  [DirectiveLocation.ENUM]: 'an enum',
  [DirectiveLocation.ENUM_VALUE]: 'an enum value',
  [DirectiveLocation.INPUT_OBJECT]: 'an input type',
  [DirectiveLocation.INPUT_FIELD_DEFINITION]: 'an input field',
}
