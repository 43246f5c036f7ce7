/** Null when the key holds another kind of value than ours. */
export async function orWrongType<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return null
    throw error
  }
}
