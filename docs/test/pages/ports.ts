/** Ports that pages name, and the free ones that stand for them where a page is followed. */
export type Ports = ReadonlyMap<string, number>

/**
 * A port, not a part of a name such as `run-6379-a`. In `4000:4000` the second one is inside of a container,
 * where it stays.
 */
const PORT = /(?<![-\w]|:\d{4}:)\d{4}(?![-\w])/g

/** Returns the text of a page with the ports that stand for those it names. */
export function withPorts(text: string, ports: Ports): string {
  return text.replaceAll(PORT, (port) => String(ports.get(port) ?? port))
}
