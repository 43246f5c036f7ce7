/** Returns the microseconds of CPU that this thread has had. */
export function cpuOfThread(): number {
  // Linux brings the time of a running thread up to date when somebody asks for that of the process.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return user + system
}
