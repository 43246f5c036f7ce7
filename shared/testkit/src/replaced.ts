/** An object some of whose members a test replaces. */

/**
 * Returns an object that has the members of `replacements`, and otherwise those of `target`. Methods of
 * `target` run on `target`, so that instances of classes with private fields can be given.
 */
export function replaced<Target extends object>(target: Target, replacements: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, property): unknown {
      if (Object.hasOwn(replacements, property)) return Reflect.get(replacements, property)
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
