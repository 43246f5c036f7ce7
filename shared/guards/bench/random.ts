/** A seeded generator (sfc32 by Chris Doty-Humphrey): the same numbers in every run and on every machine. */
export class Random {
  #a: number
  #b: number
  #c = 0x9e37_79b9
  #counter = 1

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0
    this.#b = stream | 0
    for (let round = 0; round < 15; round += 1) this.next()
  }

  /** Returns a number in [0, 1). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return (sum >>> 0) / 4_294_967_296
  }

  /** Returns a number of the standard normal distribution (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }
}
