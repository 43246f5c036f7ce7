import type { Fetch } from '../../plan/contract/plan.ts'
import type { PreparedPlan } from '../joining/prepared-plan.ts'

/** Renders request bodies. A client variable becomes text once, however many fetches use it. */
export class RequestBodies {
  readonly #plan: PreparedPlan
  readonly #variables: ReadonlyMap<string, unknown>
  readonly #texts = new Map<string, string>()

  constructor(plan: PreparedPlan, variables: ReadonlyMap<string, unknown>) {
    this.#plan = plan
    this.#variables = variables
  }

  /** `representations` holds for each of the document's own variables the text of its list. */
  render(fetch: Fetch, representations: ReadonlyMap<string, string>): string {
    const members: string[] = []
    for (const name of fetch.variables) if (this.#variables.has(name)) members.push(this.#variable(name))
    for (const [name, list] of representations) members.push(`${JSON.stringify(name)}:${list}`)
    return `${this.#plan.bodyPrefixes[fetch.id] ?? ''}${members.join(',')}}}`
  }

  #variable(name: string): string {
    let text = this.#texts.get(name)
    if (text === undefined) {
      text = `${JSON.stringify(name)}:${JSON.stringify(this.#variables.get(name))}`
      this.#texts.set(name, text)
    }
    return text
  }
}
