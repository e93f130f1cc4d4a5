/** Creates a storage for a relay client's keys and sessions. Share one to simulate a reload. */
export function createKeyValueStorage() {
  const values = new Map<string, string>()
  const read = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))
  return {
    getKeys: async () => [...values.keys()],
    getEntries: async <T>() => [...values].map(([key, text]): [string, T] => [key, read(text)]),
    getItem: async <T>(key: string): Promise<T | undefined> => read(values.get(key)),
    setItem: async (key: string, value: unknown) => void values.set(key, JSON.stringify(value)),
    removeItem: async (key: string) => void values.delete(key),
  }
}
