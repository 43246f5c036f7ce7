/**
 * An error that is remembered. Until somebody reads its stack, V8 keeps the functions on it and what they
 * were called on: whatever was being done, such as all that was written of an answer that became too large.
 */
export function settled<Remembered extends Error>(error: Remembered): Remembered {
  // Reading it writes it down as text.
  void error.stack
  return error
}
