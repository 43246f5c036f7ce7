/**
 * The facts that a setting declares beside its type and its default: its meaning, and such as the variable of
 * the environment that gives it. Everything that handles settings in general follows from these declarations.
 */
import { z } from 'zod'

/** The facts of a setting whose values have the type `Value`. */
export type SettingFacts<Value = unknown> = {
  /**
   * The meaning of the setting, in Markdown: a row of docs/configuration.md, from where its links lead, and
   * the description in the published schema. Sections have none.
   */
  readonly says?: string
  /** The words for a default that is worked out, in Markdown. Absent if the type has the default. */
  readonly fallback?: string
  /**
   * True if the value at the start stays until the router is started again. If not, requests that come after
   * a reload have the new value. Of a section: every setting in it.
   */
  readonly needsRestart?: true
  /** The variable of the environment that wins over the settings file. */
  readonly variable?: SettingVariable<Value>
}

/** A variable of the environment, and how its text is read. */
export type SettingVariable<Value = unknown> = {
  readonly name: string
  readonly type: z.ZodType<Value, string | undefined>
}

/** A setting, or a section of settings, at its place in the file. */
export type DeclaredSetting = {
  readonly keys: readonly string[]
  readonly facts: SettingFacts
  readonly isSection: boolean
}

const FACTS = new WeakMap<z.core.$ZodType, SettingFacts>()

/**
 * Declares a setting or a section with its facts. The result has to be the member of the section as it is:
 * what is made from it has no facts.
 */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  facts: SettingFacts<z.output<Schema>>,
): Schema {
  // A type may be shared by several settings: the facts are those of one.
  const own = schema.clone()
  FACTS.set(own, facts)
  return own
}

/** Lists the sections and settings of a schema, in the order of their declarations. */
export function declaredSettings(
  schema: z.core.$ZodType,
  path: readonly string[] = [],
): readonly DeclaredSetting[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([key, member]) => {
    const keys = [...path, key]
    const facts = FACTS.get(member) ?? {}
    return [{ keys, facts, isSection: shapeOf(member) !== null }, ...declaredSettings(member, keys)]
  })
}

/** Returns the members of a section; null if the schema is one of a setting. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | null {
  if (schema instanceof z.ZodObject) return schema.shape
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out)
  return schema instanceof z.ZodOptional ? shapeOf(schema.unwrap()) : null
}
