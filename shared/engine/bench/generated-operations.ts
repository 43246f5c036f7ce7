/**
 * Operations as clients send them, made up for a graph: 5 to 60 fields, 3 to 7 levels, fragments where types
 * are abstract.
 */
import type { CompiledField } from '../src/graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph, isComposite, typeOf } from '../src/graph/graph.ts'
import { namedType } from '../src/graph/compiled/named-type.ts'
import type { TypeId } from '../src/ids/ids.ts'
import { Random } from './random.ts'

export function generateOperations(graph: Graph, count: number, seed: number): readonly string[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => new OperationWriter(graph, random).text())
}

class OperationWriter {
  readonly #graph: Graph
  readonly #random: Random
  readonly #levels: number
  #fieldsLeft: number

  constructor(graph: Graph, random: Random) {
    this.#graph = graph
    this.#random = random
    this.#levels = random.between(3, 7)
    this.#fieldsLeft = random.between(5, 60)
  }

  text(): string {
    const { query } = this.#graph.compiled.roots
    const { fields } = typeOf(this.#graph, query)
    const roots = this.#random.sample(fields, this.#random.chance(0.3) ? 2 : 1)
    return `query Page { ${roots.map((root) => this.#field(root, 1)).join(' ')} }`
  }

  #field(field: CompiledField, level: number): string {
    this.#fieldsLeft--
    const head = /^one\d/.test(field.name) ? `${field.name}(id: "1")` : field.name
    const target = namedType(field.type)
    return isComposite(this.#graph, target) ? `${head} ${this.#selection(target, level + 1)}` : head
  }

  #selection(type: TypeId, level: number): string {
    const { kind, fields, possible } = typeOf(this.#graph, type)
    const parts: string[] = []
    if (kind !== 'object') {
      parts.push('__typename')
      if (fieldOf(this.#graph, type, 'id') !== undefined) parts.push('id')
      for (const object of this.#random.sample(possible, this.#random.between(1, 4))) {
        const { name } = typeOf(this.#graph, object)
        parts.push(`... on ${name} ${this.#selection(object, level)}`)
      }
      return `{ ${parts.join(' ')} }`
    }
    const leaves = fields.filter((field) => !isComposite(this.#graph, namedType(field.type)))
    const links = fields.filter((field) => isComposite(this.#graph, namedType(field.type)))
    for (const leaf of this.#random.sample(leaves, this.#random.between(2, 7))) {
      if (this.#fieldsLeft <= 0 && parts.length > 0) break
      parts.push(this.#field(leaf, level))
    }
    if (level < this.#levels)
      for (const link of this.#random.sample(links, this.#random.between(1, 3))) {
        if (this.#fieldsLeft <= 0) break
        parts.push(this.#field(link, level))
      }
    return `{ ${parts.join(' ')} }`
  }
}
