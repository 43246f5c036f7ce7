import { readdir, readFile, readlink } from 'node:fs/promises'

/** TCP ports that a process listens on, from what Linux tells of it. */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  const files = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  )
  const ports = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const columns = line.trim().split(/\s+/)
      const isListening = columns[3] === '0A' && inodes.has(columns[9] ?? '')
      return isListening ? [Number.parseInt(columns[1]?.split(':')[1] ?? '', 16)] : []
    }),
  )
  return ports.toSorted((left, right) => left - right)
}
