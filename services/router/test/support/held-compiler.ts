/** A compiler that holds what it is to compile until a test lets it go on. */
import { type CompiledArtifact, Compiler } from '../../src/generations/build/compiler.ts'

type Content = Parameters<Compiler['compile']>[0]

export class HeldCompiler extends Compiler {
  readonly #waiting: (() => void)[] = []
  #holds = false

  /** Compilations that wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  hold(): void {
    this.#holds = true
  }

  /** Lets the one go on that waits for longest. */
  letOneGo(): void {
    this.#waiting.shift()?.()
  }

  /** Lets all go on that wait, and holds none from then on. */
  letAllGo(): void {
    this.#holds = false
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  override async compile(content: Content): Promise<CompiledArtifact> {
    if (this.#holds) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    return await super.compile(content)
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.letAllGo()
    await super[Symbol.asyncDispose]()
  }
}
