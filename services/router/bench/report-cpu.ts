/** Loaded into a process before its own program: tells its parent how much CPU time it has taken. */
process.on('message', (message) => {
  if (message !== 'cpu') return
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.channel?.unref()
