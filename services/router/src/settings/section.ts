import { z } from 'zod'

/** A section of the settings file: strict, and the same when it is absent, empty or `{}`. */
export const section = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const object = z.strictObject(shape)
  return z.preprocess((value) => value ?? {}, object)
}
