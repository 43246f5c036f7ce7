/**
 * Requests of made-up users, as a rollout would see them. Users have between one and a thousand requests; a
 * few of them have most. What happens to a request depends on its user, so requests of one user hang
 * together.
 */
import { CLUSTERS, type Group } from '../src/index.ts'
import { Random } from './random.ts'

/** How often requests fail, and how long they take. */
export type World = {
  /** The share of failed requests in the control group. */
  readonly baseline: number
  /** The share of these that are those of few users, half of whose requests fail. */
  readonly correlated: number
  /** The share of requests that fail inside in addition. */
  readonly added: number
  /**
   * The share of users whose requests may fail in addition; 1 for all users alike. Others never use what is
   * broken.
   */
  readonly affected: number
  /** How many times as long requests take inside. */
  readonly slowdown: number
  /** Seconds of the step in which three in ten requests of both groups fail. */
  readonly incident?: readonly [from: number, to: number]
}

export const HEALTHY: World = { baseline: 0.001, correlated: 0.5, added: 0, affected: 1, slowdown: 1 }

/** Users, each as often as it has requests: a random entry is the user of a random request. */
export type Population = { readonly users: number; readonly entries: Int32Array }

const MOST_REQUESTS_OF_USER = 1000

/** Returns users whose requests are distributed by Pareto's law with exponent 1, up to 1,000 of one user. */
export function populationOf(users: number, seed: number): Population {
  const random = new Random(seed)
  const entries: number[] = []
  for (let user = 0; user < users; user += 1) {
    const requests = Math.floor(1 / (1 - random.next() * (1 - 1 / MOST_REQUESTS_OF_USER)))
    for (let request = 0; request < requests; request += 1) entries.push(user)
  }
  return { users, entries: Int32Array.from(entries) }
}

/** One request, with what a router counts of it. */
export type SimulatedRequest = {
  group: Group
  cluster: number
  failed: boolean
  milliseconds: number
  operation: number
}

export const OPERATIONS = 30
const MEDIAN_MS = 40
/** Factors of latencies, which are log-normal: those of users, and those of single requests of one. */
const DRAWN = 4096
const FACTORS_OF_USERS = factors(0.4, 1)
const FACTORS_OF_REQUESTS = factors(0.7, 2)

function factors(deviation: number, seed: number): Float64Array {
  const random = new Random(seed)
  return Float64Array.from({ length: DRAWN }, () => Math.exp(deviation * random.normal()))
}

/** Facts of a user, one after the other, so that they are read from memory together. */
const PLACE = 0
const CLUSTER = 1
/** The probability that a request of the user fails in the control group. */
const FAILS = 2
const FAILS_INSIDE = 3
const MEDIAN = 4
const FACTS = 5

/** The users of one ramp: which group and cluster they are in, and how they fare. */
export class Ramp {
  readonly #random: Random
  readonly #population: Population
  readonly #world: World
  readonly #facts: Float32Array
  readonly #request: SimulatedRequest = {
    group: 'control',
    cluster: 0,
    failed: false,
    milliseconds: 0,
    operation: 0,
  }

  constructor(population: Population, world: World, seed: number) {
    this.#population = population
    this.#world = world
    this.#random = new Random(seed, 1)
    this.#facts = new Float32Array(population.users * FACTS)
    const random = new Random(seed, 2)
    const { baseline, added, affected, correlated } = world
    const ill = correlated * baseline
    for (let user = 0; user < population.users; user += 1) {
      const at = user * FACTS
      const fails = random.next() < 2 * ill ? 0.5 : (baseline - ill) / (1 - 2 * ill)
      // So many of the requests that would succeed fail that the share of all grows by what is added.
      const more = random.next() < affected ? added / affected / (1 - baseline) : 0
      this.#facts[at + PLACE] = random.next()
      this.#facts[at + CLUSTER] = Math.floor(random.next() * CLUSTERS)
      this.#facts[at + FAILS] = fails
      this.#facts[at + FAILS_INSIDE] = fails + (1 - fails) * more
      this.#facts[at + MEDIAN] = MEDIAN_MS * (FACTORS_OF_USERS[Math.floor(random.next() * DRAWN)] ?? 1)
    }
  }

  /** Returns the next request, in a step with this share of users inside. The object is used again. */
  next(share: number, second: number): SimulatedRequest {
    const random = this.#random
    const request = this.#request
    const { entries } = this.#population
    const facts = this.#facts
    const at = (entries[Math.floor(random.next() * entries.length)] ?? 0) * FACTS
    const isInside = (facts[at + PLACE] ?? 0) < share
    const { slowdown, incident } = this.#world
    const fails = facts[at + (isInside ? FAILS_INSIDE : FAILS)] ?? 0
    const isIncident = incident !== undefined && second >= incident[0] && second < incident[1]
    const factor = FACTORS_OF_REQUESTS[Math.floor(random.next() * DRAWN)] ?? 1
    const operation = random.next()
    request.group = isInside ? 'inside' : 'control'
    request.cluster = facts[at + CLUSTER] ?? 0
    request.failed = random.next() < (isIncident ? Math.max(fails, 0.3) : fails)
    request.milliseconds = (facts[at + MEDIAN] ?? 0) * factor * (isInside ? slowdown : 1)
    request.operation = Math.floor(OPERATIONS * operation * operation * operation)
    return request
  }
}
