import { openGround, type Ground } from '../src/ground/ground.ts'

/** A ground with one router for all targets, since starting one takes longer than trying a hundred inputs. */
export async function openSharedGround(types: number): Promise<Ground> {
  await using parts = new AsyncDisposableStack()
  const ground = parts.use(await openGround(types))
  const router = parts.use(await ground.startRouter({ remembersOperations: false }))
  const all = parts.move()
  return {
    ...ground,
    startRouter: async () => ({ ...router, [Symbol.asyncDispose]: async () => undefined }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
